import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { chooseLanguage, chooseLocale, isLanguage, type Language } from '../../src/common/languages.ts';
import { prepareTranslate, type Translated } from '../../src/common/translate.ts';
import { brandName } from '../service/brand.ts';
import { getItem, setItem } from '../service/browser-storage.ts';
import { type Format, prepareFormat } from './format.ts';
import type {
  CreateDictionary,
  Dictionary,
  LinksDictionary,
  ManageDictionary,
  Messages,
  Translate,
  VerifyDictionary,
} from './translate.ts';

/** Loads the messages of a language. Each is a file of its own, so that a browser loads only one. */
const DICTIONARIES: Record<Language, () => Promise<Dictionary>> = {
  en: async () => (await import('./locales/en.ts')).en,
  pt: async () => (await import('./locales/pt.ts')).pt,
  es: async () => (await import('./locales/es.ts')).es,
  de: async () => (await import('./locales/de.ts')).de,
  fr: async () => (await import('./locales/fr.ts')).fr,
};

/** Loads the further messages of the pages that create and show links. */
const LINKS_DICTIONARIES: Record<Language, () => Promise<LinksDictionary>> = {
  en: async () => (await import('./locales/links/en.ts')).en,
  pt: async () => (await import('./locales/links/pt.ts')).pt,
  es: async () => (await import('./locales/links/es.ts')).es,
  de: async () => (await import('./locales/links/de.ts')).de,
  fr: async () => (await import('./locales/links/fr.ts')).fr,
};

/** Loads the further messages of the page that creates links. */
const CREATE_DICTIONARIES: Record<Language, () => Promise<CreateDictionary>> = {
  en: async () => (await import('./locales/create/en.ts')).en,
  pt: async () => (await import('./locales/create/pt.ts')).pt,
  es: async () => (await import('./locales/create/es.ts')).es,
  de: async () => (await import('./locales/create/de.ts')).de,
  fr: async () => (await import('./locales/create/fr.ts')).fr,
};

/** Loads the further messages of the pages that list and change links. */
const MANAGE_DICTIONARIES: Record<Language, () => Promise<ManageDictionary>> = {
  en: async () => (await import('./locales/manage/en.ts')).en,
  pt: async () => (await import('./locales/manage/pt.ts')).pt,
  es: async () => (await import('./locales/manage/es.ts')).es,
  de: async () => (await import('./locales/manage/de.ts')).de,
  fr: async () => (await import('./locales/manage/fr.ts')).fr,
};

/** Loads the further messages of the page that checks a history. */
const VERIFY_DICTIONARIES: Record<Language, () => Promise<VerifyDictionary>> = {
  en: async () => (await import('./locales/verify/en.ts')).en,
  pt: async () => (await import('./locales/verify/pt.ts')).pt,
  es: async () => (await import('./locales/verify/es.ts')).es,
  de: async () => (await import('./locales/verify/de.ts')).de,
  fr: async () => (await import('./locales/verify/fr.ts')).fr,
};

const STORAGE_KEY = 'postern.language';

/** The language of the page: its messages, its formatters, and how to change it. */
export type I18n = {
  language: Language;
  t: Translate;
  format: Format;
  setLanguage(language: Language): void;
};

export const Context = createContext<I18n | undefined>(undefined);

export function useI18n(): I18n {
  const i18n = useContext(Context);
  if (!i18n) throw new Error('There is no I18nProvider around this component');
  return i18n;
}

/** Shows its times in UTC, each with the zone, because its readers are anywhere. */
export function TimesInUtc({ children }: { children: ComponentChildren }) {
  const i18n = useI18n();
  const { format } = i18n;
  return (
    <Context.Provider value={{ ...i18n, format: { ...format, time: format.utcTime } }}>
      {children}
    </Context.Provider>
  );
}

/** Returns the language that was chosen in this browser before, else the browser's own. */
function initialLanguage(): Language {
  const saved = getItem(STORAGE_KEY);
  return saved !== null && isLanguage(saved) ? saved : chooseLanguage(navigator.languages);
}

/** The further messages of each use of links. */
const FURTHER = {
  NONE: [],
  CREATE: [LINKS_DICTIONARIES, CREATE_DICTIONARIES],
  MANAGE: [LINKS_DICTIONARIES, MANAGE_DICTIONARIES],
  VERIFY: [VERIFY_DICTIONARIES],
};
export type LinkUse = keyof typeof FURTHER;

type Props = {
  /** The use of links on the page. */
  use: LinkUse;
  children: ComponentChildren;
};

/** Loads the messages of a page. */
async function loadMessages(language: Language, use: LinkUse): Promise<Translated<Messages>> {
  const [common, ...further] = await Promise.all([
    DICTIONARIES[language](),
    ...FURTHER[use].map((dictionaries) => dictionaries[language]()),
  ]);
  // A page uses none of the messages that it does not load, as a test proves.
  return Object.assign({}, common, ...further) as Translated<Messages>;
}

/** Renders its children once the messages are loaded. Their state survives a change of the language. */
export function I18nProvider({ use, children }: Props) {
  const [i18n, setI18n] = useState<I18n>();
  const [hasFailed, setFailed] = useState(false);

  useEffect(() => {
    async function load(language: Language): Promise<void> {
      try {
        const t = prepareTranslate<Messages>(language, await loadMessages(language, use));
        const format = prepareFormat(chooseLocale(language, navigator.languages));
        document.documentElement.lang = language;
        setI18n({ language, t, format, setLanguage });
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
