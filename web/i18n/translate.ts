import type { Translated, Translate as TranslateFrom } from '../../src/i18n/translate.ts';
import type { en } from './locales/en.ts';

/** The messages of the app in one language. */
export type Dictionary = Translated<typeof en>;
export type MessageKey = keyof Dictionary;
export type Translate = TranslateFrom<typeof en>;
