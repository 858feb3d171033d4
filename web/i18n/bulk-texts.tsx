import type { ComponentChildren } from 'preact';
import type { Language } from '../../src/common/languages.ts';
import { FurtherTexts } from './further-texts.tsx';
import type { BulkDictionary } from './translate.ts';

/** Loads the further messages of the view that creates links from a file. */
const DICTIONARIES: Record<Language, () => Promise<BulkDictionary>> = {
  en: async () => (await import('./locales/bulk/en.ts')).en,
  pt: async () => (await import('./locales/bulk/pt.ts')).pt,
  es: async () => (await import('./locales/bulk/es.ts')).es,
  de: async () => (await import('./locales/bulk/de.ts')).de,
  fr: async () => (await import('./locales/bulk/fr.ts')).fr,
};

/** Renders its children once the further messages are loaded. Most loads of a page need none of them. */
export function BulkTexts({ children }: { children: ComponentChildren }) {
  return <FurtherTexts dictionaries={DICTIONARIES}>{children}</FurtherTexts>;
}
