import { prepareLateTexts } from '../i18n/late-texts.tsx';
import type { en } from './create-texts/en.ts';

/** The texts of a new link that most links do not need. */
export const { LateTexts: CreateTexts, useLateTexts: useCreateTexts } = prepareLateTexts<typeof en>({
  en: async () => (await import('./create-texts/en.ts')).en,
  pt: async () => (await import('./create-texts/pt.ts')).pt,
  es: async () => (await import('./create-texts/es.ts')).es,
  de: async () => (await import('./create-texts/de.ts')).de,
  fr: async () => (await import('./create-texts/fr.ts')).fr,
});
