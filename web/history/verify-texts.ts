import { prepareLateTexts } from '../i18n/late-texts.tsx';
import type { en } from './verify-texts/en.ts';

export const { LateTexts: VerifyTexts, useLateTexts: useVerifyTexts } = prepareLateTexts<typeof en>({
  en: async () => (await import('./verify-texts/en.ts')).en,
  pt: async () => (await import('./verify-texts/pt.ts')).pt,
  es: async () => (await import('./verify-texts/es.ts')).es,
  de: async () => (await import('./verify-texts/de.ts')).de,
  fr: async () => (await import('./verify-texts/fr.ts')).fr,
});
