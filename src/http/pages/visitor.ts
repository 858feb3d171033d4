import Negotiator from 'negotiator';
import { chooseLanguage, chooseLocale, type Language } from '../../common/languages.ts';
import { prepareTranslate } from '../../common/translate.ts';
import type { Config } from '../../core/config/config.ts';
import type { Brand } from '../brand.ts';
import { de } from './texts/de.ts';
import { en, type TranslateForVisitor, type VisitorTexts } from './texts/en.ts';
import { es } from './texts/es.ts';
import { fr } from './texts/fr.ts';
import { pt } from './texts/pt.ts';

/** The texts of the visitor pages in every language. */
export const TEXTS: Record<Language, VisitorTexts> = { en, pt, es, de, fr };

/** The settings that pages show: the brand, the address of the service, where abuse is reported, and that of the operator. */
export type Site = { config: Pick<Config, 'contacts' | 'baseUrl'>; brand: Brand };

/** The reader of a page: their language, its regional form for numbers and dates, and the texts. */
export type Visitor = Site & { language: Language; locale: string; t: TranslateForVisitor };

/** A header may have 32 KiB, which takes 14 ms to parse; no browser sends more than this. */
const MAX_HEADER_LENGTH = 500;

/** Reads the visitor's language and region from `Accept-Language` (RFC 9110, 12.5.4). */
export function readVisitor(acceptLanguage: string | undefined, { config, brand }: Site): Visitor {
  const tags = readLanguageTags(acceptLanguage);
  const language = chooseLanguage(tags);
  const locale = chooseLocale(language, tags);
  return { language, locale, t: prepareTranslate(locale, TEXTS[language]), config, brand };
}

/** Reads the best supported language of `Accept-Language`. */
export function readLanguage(acceptLanguage: string | undefined): Language {
  return chooseLanguage(readLanguageTags(acceptLanguage));
}

function readLanguageTags(acceptLanguage: string | undefined): string[] {
  const header = acceptLanguage?.slice(0, MAX_HEADER_LENGTH);
  return new Negotiator({ headers: { 'accept-language': header } }).languages();
}
