import type { Translated, Translate as TranslateFrom } from '../../src/i18n/translate.ts';
import type { en } from './locales/en.ts';
import type { en as linksEn } from './locales/links/en.ts';

/** The messages of every page in one language. */
export type Dictionary = Translated<typeof en>;
/** The further messages of the pages that create and show links. */
export type LinksDictionary = Translated<typeof linksEn>;
export type Messages = typeof en & typeof linksEn;
export type MessageKey = keyof Messages;
export type Translate = TranslateFrom<Messages>;
