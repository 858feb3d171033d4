import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Language } from '../../src/i18n/languages.ts';
import { prepareTranslate } from '../../src/i18n/translate.ts';
import { Context, useI18n } from './i18n.tsx';
import type { Messages, PeopleDictionary, Translate } from './translate.ts';

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
  const i18n = useI18n();
  const { language } = i18n;
  const [loaded, setLoaded] = useState<PeopleDictionary>();
  useEffect(() => void DICTIONARIES[language]().then(setLoaded), [language]);
  if (!loaded) return null;
  // The messages of the page translate the other keys.
  const own = prepareTranslate<Messages>(language, loaded as PeopleDictionary & Messages);
  const t: Translate = (key, ...values) => (key in loaded ? own : i18n.t)(key, ...values);
  return <Context.Provider value={{ ...i18n, t }}>{children}</Context.Provider>;
}
