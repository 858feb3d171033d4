import { prepareLateTexts } from '../i18n/late-texts.tsx';
import type { en } from './restriction-texts/en.ts';

/** The texts of links that only some people can open, and of mails, which most links do not need. */
export const { LateTexts: RestrictionTexts, useLateTexts: useRestrictionTexts } = prepareLateTexts<typeof en>(
  {
    en: async () => (await import('./restriction-texts/en.ts')).en,
    pt: async () => (await import('./restriction-texts/pt.ts')).pt,
    es: async () => (await import('./restriction-texts/es.ts')).es,
    de: async () => (await import('./restriction-texts/de.ts')).de,
    fr: async () => (await import('./restriction-texts/fr.ts')).fr,
  },
);
