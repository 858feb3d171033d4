import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { getItem, setItem } from '../service/browser-storage.ts';
import { type Format, prepareFormat } from './format.ts';
import {
  chooseLanguage,
  choosePlace,
  type Dictionary,
  isLanguage,
  type Language,
  prepareTranslate,
  type Translate,
} from './translate.ts';

/** One file each, of which a reader loads one. */
const DICTIONARIES: Record<Language, () => Promise<Dictionary>> = {
  en: async () => (await import('./locales/en.ts')).en,
  pt: async () => (await import('./locales/pt.ts')).pt,
  es: async () => (await import('./locales/es.ts')).es,
  de: async () => (await import('./locales/de.ts')).de,
  fr: async () => (await import('./locales/fr.ts')).fr,
};

const STORAGE_KEY = 'postern.language';

/** What a component needs to speak. */
export type I18n = {
  language: Language;
  t: Translate;
  format: Format;
  speak(language: Language): void;
};

const Context = createContext<I18n | undefined>(undefined);

export function useI18n(): I18n {
  const i18n = useContext(Context);
  if (!i18n) throw new Error('There is no I18nProvider around this component');
  return i18n;
}

/** The language that the reader chose here, else the first of the browser's that there is. */
function initialLanguage(): Language {
  const kept = getItem(STORAGE_KEY);
  return kept !== null && isLanguage(kept) ? kept : chooseLanguage(navigator.languages);
}

/** Shows its children once the dictionary is there, and keeps them as they are when the language changes. */
export function I18nProvider({ children }: { children: ComponentChildren }) {
  const [i18n, setI18n] = useState<I18n>();
  const [isFailed, setFailed] = useState(false);

  useEffect(() => {
    async function load(language: Language): Promise<void> {
      let dictionary: Dictionary;
      try {
        dictionary = await DICTIONARIES[language]();
      } catch {
        return setFailed(true);
      }
      const t = prepareTranslate(language, dictionary);
      document.documentElement.lang = language;
      setI18n({ language, t, format: prepareFormat(choosePlace(language, navigator.languages)), speak });
    }
    function speak(language: Language): void {
      setItem(STORAGE_KEY, language);
      void load(language);
    }
    void load(initialLanguage());
  }, []);

  if (i18n) return <Context.Provider value={i18n}>{children}</Context.Provider>;
  // There are no words in the reader's language: they are what did not come.
  return isFailed ? <p class="page">Postern could not load completely. Reload the page.</p> : null;
}
