import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { chooseLanguage, chooseLocale, isLanguage, type Language } from '../../src/common/languages.ts';
import { prepareTranslate } from '../../src/common/translate.ts';
import { brandName } from '../service/brand.ts';
import { getItem, setItem } from '../service/browser-storage.ts';
import { type Format, prepareFormat } from './format.ts';
import type { Dictionary, Messages, Translate } from './translate.ts';

/** Loads the messages of a language. Each is a file of its own, so that a browser loads only one. */
const DICTIONARIES: Record<Language, () => Promise<Dictionary>> = {
  en: async () => (await import('./locales/en.ts')).en,
  pt: async () => (await import('./locales/pt.ts')).pt,
  es: async () => (await import('./locales/es.ts')).es,
  de: async () => (await import('./locales/de.ts')).de,
  fr: async () => (await import('./locales/fr.ts')).fr,
};

const STORAGE_KEY = 'postern.language';

/** The language of the page: its messages, its formatters, and how to change it. */
export type I18n = {
  language: Language;
  t: Translate;
  /** The same in the words for a file request: its views are submissions. */
  ofRequests: Translate;
  /** The same in the words for what arrived with a file request: its views are downloads. */
  ofReceived: Translate;
  format: Format;
  setLanguage(language: Language): void;
};

const Context = createContext<I18n | undefined>(undefined);

export function useI18n(): I18n {
  const i18n = useContext(Context);
  if (!i18n) throw new Error('There is no I18nProvider around this component');
  return i18n;
}

/** Shows the reader's times, each with its distance from UTC, because those who get a printed or saved page may be anywhere. */
export function TimesWithOffset({ children }: { children: ComponentChildren }) {
  const i18n = useI18n();
  const { format } = i18n;
  return (
    <Context.Provider
      value={{
        ...i18n,
        format: { ...format, time: format.timeWithOffset, shortDateTime: format.shortTimeWithOffset },
      }}
    >
      {children}
    </Context.Provider>
  );
}

/** Returns the language that was chosen in this browser before, else the browser's own. */
function initialLanguage(): Language {
  const saved = getItem(STORAGE_KEY);
  return saved !== null && isLanguage(saved) ? saved : chooseLanguage(navigator.languages);
}

/** Returns a translation that prefers the messages for file requests, or for what arrived with one. */
export const inWords =
  (prefix: 'ofRequest' | 'ofReceived', messages: Dictionary, t: Translate): Translate =>
  (key, ...values) => {
    const special = `${prefix}.${key}`;
    return t(special in messages ? (special as typeof key) : key, ...values); // it takes the same values
  };

/** Renders its children in the words for a file request, for what arrived with one, or for any other link. */
export function WordsOf({
  kind,
  children,
}: {
  kind: 'ofRequests' | 'ofReceived' | undefined;
  children: ComponentChildren;
}) {
  const i18n = useI18n();
  return <Context.Provider value={kind ? { ...i18n, t: i18n[kind] } : i18n}>{children}</Context.Provider>;
}

/** Renders its children in the words for a file request. */
export function RequestWords({ isOn, children }: { isOn: boolean; children: ComponentChildren }) {
  return <WordsOf kind={isOn ? 'ofRequests' : undefined}>{children}</WordsOf>;
}

/** Renders its children once the messages are loaded. Their state survives a change of the language. */
export function I18nProvider({ children }: { children: ComponentChildren }) {
  const [i18n, setI18n] = useState<I18n>();
  const [hasFailed, setFailed] = useState(false);

  useEffect(() => {
    async function load(language: Language): Promise<void> {
      try {
        const messages = await DICTIONARIES[language]();
        const t = prepareTranslate<Messages>(language, messages);
        const format = prepareFormat(chooseLocale(language, navigator.languages), t('time.justNow'));
        document.documentElement.lang = language;
        const ofRequests = inWords('ofRequest', messages, t);
        setI18n({
          language,
          t,
          ofRequests,
          ofReceived: inWords('ofReceived', messages, t),
          format,
          setLanguage,
        });
      } catch {
        setFailed(true);
      }
    }
    function setLanguage(language: Language): void {
      setItem(STORAGE_KEY, language);
      void load(language);
    }
    void load(initialLanguage());
  }, []);

  if (i18n) return <Context.Provider value={i18n}>{children}</Context.Provider>;
  // In English, because the messages of the reader's language failed to load.
  return hasFailed ? <p class="page">{brandName()} could not load completely. Reload the page.</p> : null;
}
