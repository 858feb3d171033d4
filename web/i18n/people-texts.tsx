import type { ComponentChildren } from 'preact';
import type { Language } from '../../src/common/languages.ts';
import { FurtherTexts } from './further-texts.tsx';
import type { PeopleDictionary } from './translate.ts';

/** Loads the further messages of people who sign in. */
const DICTIONARIES: Record<Language, () => Promise<PeopleDictionary>> = {
  en: async () => (await import('./locales/people/en.ts')).en,
  pt: async () => (await import('./locales/people/pt.ts')).pt,
  es: async () => (await import('./locales/people/es.ts')).es,
  de: async () => (await import('./locales/people/de.ts')).de,
  fr: async () => (await import('./locales/people/fr.ts')).fr,
};

/** Renders its children once the further messages are loaded. Most loads of a page need none of them. */
export function PeopleTexts({ children }: { children: ComponentChildren }) {
  return <FurtherTexts dictionaries={DICTIONARIES}>{children}</FurtherTexts>;
}
