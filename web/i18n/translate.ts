import type { Translated, Translate as TranslateFrom } from '../../src/common/translate.ts';
import type { PlainTerm } from '../../src/core/model/terms.ts';
import type { en } from './locales/en.ts';

/** The messages of the terms: the label and the hint of each. The host name is chosen, and has no hint. */
export type TermMessages = Readonly<Record<PlainTerm | `${Exclude<PlainTerm, 'host'>}.hint`, string>>;
/** With those of terms, so that the compiler stops in the languages, not where pages use a term that has none yet. */
export type Messages = typeof en & TermMessages;
/** The messages of the pages in one language. */
export type Dictionary = Translated<Messages>;
export type MessageKey = keyof Messages;
export type Translate = TranslateFrom<Messages>;
