import type { Language } from '../../src/common/languages.ts';
import { prepareTranslate } from '../../src/common/translate.ts';
import type { Messages, RequestDictionary, Translate } from './translate.ts';

const DICTIONARIES: Record<Language, () => Promise<RequestDictionary>> = {
  en: async () => (await import('./locales/request/en.ts')).en,
  pt: async () => (await import('./locales/request/pt.ts')).pt,
  es: async () => (await import('./locales/request/es.ts')).es,
  de: async () => (await import('./locales/request/de.ts')).de,
  fr: async () => (await import('./locales/request/fr.ts')).fr,
};

/** Returns a function that replaces the words of other links in a translation by those of a file request. */
export async function loadRequestWords(language: Language): Promise<(other: Translate) => Translate> {
  const words = await DICTIONARIES[language]();
  // The translation of the page has the other keys.
  const own = prepareTranslate<Messages>(language, words as RequestDictionary & Messages);
  return (other) =>
    (key, ...values) =>
      (key in words ? own : other)(key, ...values);
}
