import { accept, type FieldError, type Parsed, refuse } from '../model/parsed.ts';

/** Reads a text; null for one that was not sent. What is no text stays none: a list of one text is not that text. */
export const textOf =
  (field: string) =>
  (value: unknown): Parsed<string | null> =>
    typeof value === 'string' || value === undefined || value === null
      ? accept(value ?? null)
      : refuse(field, 'NOT_A_TEXT', 'must be a text');

/** Returns the error of a field or a query parameter that was sent more than once. */
export function duplicateField(field: string): FieldError {
  return { field, code: 'DUPLICATE_FIELD', text: 'must be given only once' };
}

/** Returns the number for the text of a form or a query; the text itself if it is no whole decimal number. */
export function toInteger(text: string): number | string {
  return /^[+-]?\d+$/.test(text) ? Number(text) : text;
}

/** Returns the truth value for the text of a form; the text itself if it is none. */
export function toFlag(text: string): boolean | string {
  return text === 'true' || (text === 'false' ? false : text);
}

/** Reads one field. Some rules depend on others that were sent, or on the time. */
export type Rule<Value, Context> = (value: unknown, context: Context) => Parsed<Value>;

/** The rules of fields, in the order in which their errors are reported. */
export type Rules<Context> = Readonly<Record<string, Rule<unknown, Context>>>;

/** The fields of a request, as they were sent. */
export type SentFields = Readonly<Record<string, unknown>>;

/** The values that rules accept, by field. */
type Values<Some> = {
  [Name in keyof Some]: Some[Name] extends (...parameters: never[]) => Parsed<infer Value> ? Value : never;
};

/** Returns the own members of what a creation was sent. "null means absent, and so does an empty text of an optional member." */
export function withoutEmpty(sent: SentFields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== ''));
}

/** Refuses the first member of a merge patch that is an empty text, which could mean to keep a term or to remove it. */
export function refuseEmpty(
  sent: SentFields,
  names: readonly string[],
  isRemovable: (name: string) => boolean,
): Parsed<true> {
  const empty = Object.entries(sent).find(([name, value]) => value === '' && names.includes(name));
  if (!empty) return accept(true);
  const [name] = empty;
  return refuse(name, 'TERM_BLANK', `must not be blank${isRemovable(name) ? '; null removes a term' : ''}`);
}

/** Reads every field that has a rule. Reports the first invalid one in the order of the rules. */
export function readFields<Context, Some extends Rules<Context>>(
  rules: Some,
  sent: SentFields,
  context: Context,
): Parsed<Values<Some>> {
  const values: Record<string, unknown> = {};
  for (const [name, rule] of Object.entries(rules)) {
    const parsed = rule(sent[name], context);
    if (!parsed.ok) return parsed;
    values[name] = parsed.value;
  }
  return accept(values as Values<Some>); // each value is of its rule
}

/** Reads those fields that were sent. */
export function readSentFields<Context, Some extends Rules<Context>>(
  rules: Some,
  sent: SentFields,
  context: Context,
): Parsed<Partial<Values<Some>>> {
  const wanted = Object.entries(rules).filter(([name]) => sent[name] !== undefined);
  return readFields(Object.fromEntries(wanted), sent, context) as Parsed<Partial<Values<Some>>>; // of fewer rules
}
