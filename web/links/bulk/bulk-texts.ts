import { prepareLateTexts } from '../../i18n/late-texts.tsx';
import type { en } from './bulk-texts/en.ts';

export const { LateTexts: BulkTexts, useLateTexts: useBulkTexts } = prepareLateTexts<typeof en>({
  en: async () => (await import('./bulk-texts/en.ts')).en,
  pt: async () => (await import('./bulk-texts/pt.ts')).pt,
  es: async () => (await import('./bulk-texts/es.ts')).es,
  de: async () => (await import('./bulk-texts/de.ts')).de,
  fr: async () => (await import('./bulk-texts/fr.ts')).fr,
});
