import type { ComponentChildren } from 'preact';
import type { Language } from '../../src/common/languages.ts';
import { FurtherTexts } from './further-texts.tsx';
import type { UploadDictionary } from './translate.ts';

/** Loads the further messages of uploads and texts. */
const DICTIONARIES: Record<Language, () => Promise<UploadDictionary>> = {
  en: async () => (await import('./locales/upload/en.ts')).en,
  pt: async () => (await import('./locales/upload/pt.ts')).pt,
  es: async () => (await import('./locales/upload/es.ts')).es,
  de: async () => (await import('./locales/upload/de.ts')).de,
  fr: async () => (await import('./locales/upload/fr.ts')).fr,
};

/** Renders its children once the further messages are loaded. A link to a URL needs none of them. */
export function UploadTexts({ children }: { children: ComponentChildren }) {
  return <FurtherTexts dictionaries={DICTIONARIES}>{children}</FurtherTexts>;
}
