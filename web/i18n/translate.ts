import type { Translated, Translate as TranslateFrom } from '../../src/i18n/translate.ts';
import type { en } from './locales/en.ts';
import type { en as linksEn } from './locales/links/en.ts';
import type { en as manageEn } from './locales/manage/en.ts';

/** The messages of every page in one language. */
export type Dictionary = Translated<typeof en>;
/** The further messages of the pages that create and show links. */
export type LinksDictionary = Translated<typeof linksEn>;
/** The further messages of the pages that list and change links. */
export type ManageDictionary = Translated<typeof manageEn>;
export type Messages = typeof en & typeof linksEn & typeof manageEn;
export type MessageKey = keyof Messages;
export type Translate = TranslateFrom<Messages>;
