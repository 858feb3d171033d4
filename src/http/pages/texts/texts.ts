import type { Language } from '../../../i18n/languages.ts';
import type { Messages, Translate, Translated } from '../../../i18n/translate.ts';
import type { Denial } from '../../../links/verdict.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { pt } from './pt.ts';

/** A visitor page that explains why a link was not opened. Most are of a denial. */
export type Notice =
  | Exclude<Denial, 'PASSWORD_REQUIRED' | 'INVALID_PASSWORD'>
  | 'OVERLOADED'
  | 'SERVER_ERROR'
  | 'CROSS_SITE'
  | 'UNREADABLE_FORM';

/** The messages of one language. Each notice has a title and a text. */
export type NoticeTexts = Messages & Record<`notice.${Notice}.${'title' | 'text'}`, string>;
export type VisitorTexts = Translated<typeof en>;
export type TranslateForVisitor = Translate<typeof en>;

/** The texts of the visitor pages in every language. */
export const TEXTS: Record<Language, VisitorTexts> = { en, pt, es, de, fr };
