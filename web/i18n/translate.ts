import type { Translated, Translate as TranslateFrom } from '../../src/common/translate.ts';
import type { en } from './locales/en.ts';

export type Messages = typeof en;
/** The messages of the pages in one language. */
export type Dictionary = Translated<Messages>;
export type MessageKey = keyof Messages;
export type Translate = TranslateFrom<Messages>;
