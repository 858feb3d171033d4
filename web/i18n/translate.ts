import type { Translated, Translate as TranslateFrom } from '../../src/common/translate.ts';
import type { en } from './locales/en.ts';
import type { TermMessages } from './term-messages.ts';

/** With those of terms, so that the compiler stops in the languages, not where pages use a term that has none yet. */
export type Messages = typeof en & TermMessages;
/** The messages of the pages in one language. */
export type Dictionary = Translated<Messages>;
export type MessageKey = keyof Messages;
export type Translate = TranslateFrom<Messages>;
