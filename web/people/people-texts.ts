import { prepareLateTexts } from '../i18n/late-texts.tsx';
import type { en } from './people-texts/en.ts';

export const { LateTexts: PeopleTexts, useLateTexts: usePeopleTexts } = prepareLateTexts<typeof en>({
  en: async () => (await import('./people-texts/en.ts')).en,
  pt: async () => (await import('./people-texts/pt.ts')).pt,
  es: async () => (await import('./people-texts/es.ts')).es,
  de: async () => (await import('./people-texts/de.ts')).de,
  fr: async () => (await import('./people-texts/fr.ts')).fr,
});
