import type { Translated, Translate as TranslateFrom } from '../../src/common/translate.ts';
import type { en as bulkEn } from './locales/bulk/en.ts';
import type { en as createEn } from './locales/create/en.ts';
import type { en } from './locales/en.ts';
import type { en as linksEn } from './locales/links/en.ts';
import type { en as manageEn } from './locales/manage/en.ts';
import type { en as paletteEn } from './locales/palette/en.ts';
import type { en as peopleEn } from './locales/people/en.ts';
import type { en as requestEn } from './locales/request/en.ts';
import type { en as uploadEn } from './locales/upload/en.ts';
import type { en as verifyEn } from './locales/verify/en.ts';

/** The messages of every page in one language. */
export type Dictionary = Translated<typeof en>;
/** The further messages of the pages that create and show links. */
export type LinksDictionary = Translated<typeof linksEn>;
/** The further messages of the page that creates links. */
export type CreateDictionary = Translated<typeof createEn>;
/** The further messages of the pages that list and change links. */
export type ManageDictionary = Translated<typeof manageEn>;
/** The further messages of the view that creates links from a file. */
export type BulkDictionary = Translated<typeof bulkEn>;
/** The further messages of people who sign in. */
export type PeopleDictionary = Translated<typeof peopleEn>;
/** The further messages of the page that checks a history. */
export type VerifyDictionary = Translated<typeof verifyEn>;
/** The further messages of uploads and texts. */
export type UploadDictionary = Translated<typeof uploadEn>;
/** The words for a file request, in place of messages of the same keys. */
export type RequestDictionary = Translated<typeof requestEn>;
/** The further messages of the search box with commands. */
export type PaletteDictionary = Translated<typeof paletteEn>;
export type Messages = typeof en &
  typeof bulkEn &
  typeof createEn &
  typeof linksEn &
  typeof manageEn &
  typeof paletteEn &
  typeof peopleEn &
  typeof uploadEn &
  typeof verifyEn;
export type MessageKey = keyof Messages;
export type Translate = TranslateFrom<Messages>;
