import { prepareLateTexts } from '../i18n/late-texts.tsx';
import type { en } from './list-texts/en.ts';

/** The texts of the list of links. */
export const { LateTexts: ListTexts, useLateTexts: useListTexts } = prepareLateTexts<typeof en>({
  en: async () => (await import('./list-texts/en.ts')).en,
  pt: async () => (await import('./list-texts/pt.ts')).pt,
  es: async () => (await import('./list-texts/es.ts')).es,
  de: async () => (await import('./list-texts/de.ts')).de,
  fr: async () => (await import('./list-texts/fr.ts')).fr,
});
