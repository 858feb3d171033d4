import { memoize } from './memoize.ts';

/** The texts of one message by plural category. Every language has `other`. */
export type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & {
  other: string;
  /** The placeholder whose number decides, unless that is `count`: “0 of 1 view”. */
  by?: 'whole';
};

/** The messages of one language by key. Names in braces are placeholders: `'{sent} of {total}'`. */
export type Messages = Readonly<Record<string, string | PluralForms>>;

/** The messages of another language: every key of English, with plural forms where English has them. */
export type Translated<English extends Messages> = {
  readonly [Key in keyof English]: English[Key] extends string ? string : PluralForms;
};

/** The placeholders of a text: `'{sent} of {total}'` has `'sent' | 'total'`. */
type PlaceholdersOf<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PlaceholdersOf<Rest>
  : never;
type TextsOf<Message> = Message extends string ? Message : Message[keyof Message];
/** The values of a message: numbers for `count`, which chooses a plural form, and for `whole`; else text. */
type ValuesOf<Message> = {
  [Name in PlaceholdersOf<TextsOf<Message>> | (Message extends string ? never : 'count')]: Name extends
    | 'count'
    | 'whole'
    ? number
    : string;
};
type Arguments<Message> = keyof ValuesOf<Message> extends never ? [] : [values: ValuesOf<Message>];

/** Returns the message of a key with its placeholders filled in. */
export type Translate<English extends Messages> = <Key extends keyof English>(
  key: Key,
  ...values: Arguments<English[Key]>
) => string;

const rulesOf = memoize((locale: string) => new Intl.PluralRules(locale));
const numbersOf = memoize((locale: string) => new Intl.NumberFormat(locale));

/**
 * Prepares the translation into one language: picks the plural forms and formats numbers.
 *
 * @param locale a language with an optional region, such as `en-GB`
 */
export function prepareTranslate<English extends Messages>(
  locale: string,
  messages: Translated<English>,
): Translate<English> {
  return (key, ...[given]) => {
    const values: Record<string, string | number> = given ?? {};
    const message: string | PluralForms = messages[key];
    const text =
      typeof message === 'string'
        ? message
        : (message[rulesOf(locale).select(Number(values[message.by ?? 'count']))] ?? message.other);
    return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name] ?? '';
      return typeof value === 'number' ? numbersOf(locale).format(value) : value;
    });
  };
}
