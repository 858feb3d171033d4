import type { en } from './locales/en.ts';

/** The languages of the pages, each by its own name. */
export const LANGUAGES = {
  en: 'English',
  pt: 'Português',
  es: 'Español',
  de: 'Deutsch',
  fr: 'Français',
} as const;
export type Language = keyof typeof LANGUAGES;

/** A text for each of the plural categories that the language has; `other` is in every one. */
export type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

type English = typeof en;
export type MessageKey = keyof English;

/** Every language has each key of English, as a text where that is one, and in plural forms where that has them. */
export type Dictionary = { readonly [Key in MessageKey]: English[Key] extends string ? string : PluralForms };

/** The names in braces of a text: `'{count} of {total}'` has `'count' | 'total'`. */
type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type TextsOf<Message> = Message extends string ? Message : Message[keyof Message];
/** What the messages of a key need: a number where they count, else texts. */
type ValuesOf<Key extends MessageKey> = {
  [Name in NamesIn<TextsOf<English[Key]>>]: Name extends 'count' ? number : string;
};
type Needed<Key extends MessageKey> = keyof ValuesOf<Key> extends never ? [] : [values: ValuesOf<Key>];

/** Gives a message of the language with its values in it. */
export type Translate = <Key extends MessageKey>(key: Key, ...values: Needed<Key>) => string;

/** Makes the translation of one language: the plural form that it has for `count`, numbers as it writes them. */
export function prepareTranslate(language: Language, dictionary: Dictionary): Translate {
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  return (key, ...[given]) => {
    const values: Record<string, string | number> = given ?? {};
    const message: string | PluralForms = dictionary[key];
    const text =
      typeof message === 'string'
        ? message
        : (message[rules.select(Number(values['count']))] ?? message.other);
    return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name] ?? '';
      return typeof value === 'number' ? numbers.format(value) : value;
    });
  };
}

/** The first language of the reader that there is, else English. */
export function chooseLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const [language = ''] = tag.toLowerCase().split('-');
    if (isLanguage(language)) return language;
  }
  return 'en';
}

export function isLanguage(text: string): text is Language {
  return Object.hasOwn(LANGUAGES, text);
}

/**
 * The reader's own kind of a language, which decides how dates are written: `en-GB` for `en`. Browsers may give
 * tags that are none, such as `en-US@posix`.
 */
export function choosePlace(language: Language, wanted: readonly string[]): string {
  return wanted.find((tag) => tag.startsWith(`${language}-`) && isTag(tag)) ?? language;
}

function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}
