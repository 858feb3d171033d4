// The languages of the visitor pages and the app. Add one here, and the compiler names the texts it lacks.

/** The supported languages, each by its own name. */
export const LANGUAGES = {
  en: 'English',
  pt: 'Português (Brasil)',
  es: 'Español',
  de: 'Deutsch',
  fr: 'Français',
} as const;
export type Language = keyof typeof LANGUAGES;

const FALLBACK: Language = 'en';

/** A language with an optional region. Extensions, which could select other digits, are ignored. */
const TAG = /^([a-z]{2})(?:-([a-z]{2}|\d{3}))?(?:-.*)?$/i;

export function isLanguage(text: string): text is Language {
  return Object.hasOwn(LANGUAGES, text);
}

/** Returns the first supported language of these tags (`de-AT`), which are ordered by preference. */
export function chooseLanguage(tags: readonly string[]): Language {
  return tags.map((tag) => parseTag(tag).language).find(isLanguage) ?? FALLBACK;
}

/** Returns the language with the reader's region, for the format of numbers and dates: `en-GB`. */
export function chooseLocale(language: Language, tags: readonly string[]): string {
  const region = tags.map(parseTag).find((tag) => tag.language === language && tag.region)?.region;
  return region ? `${language}-${region}` : language;
}

function parseTag(tag: string): { language: string; region: string | undefined } {
  const [, language = '', region] = TAG.exec(tag) ?? [];
  return { language: language.toLowerCase(), region: region?.toUpperCase() };
}
