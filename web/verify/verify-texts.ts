import { prepareLateTexts } from '../i18n/late-texts.tsx';
import type { en } from './texts/en.ts';

export const { LateTexts: VerifyTexts, useLateTexts: useVerifyTexts } = prepareLateTexts<typeof en>({
  en: async () => (await import('./texts/en.ts')).en,
  pt: async () => (await import('./texts/pt.ts')).pt,
  es: async () => (await import('./texts/es.ts')).es,
  de: async () => (await import('./texts/de.ts')).de,
  fr: async () => (await import('./texts/fr.ts')).fr,
});
