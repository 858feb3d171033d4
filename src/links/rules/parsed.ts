/** The codes of errors that a field or a parameter causes. */
export const FIELD_ERROR_CODES = [
  'DUPLICATE_FIELD',
  'UNKNOWN_FIELD',
  'FILE_INSTEAD_OF_TEXT',
  'TARGET_URL_MISSING',
  'INVALID_TARGET_URL',
  'TARGET_URL_TOO_LONG',
  'TARGET_BLOCKED',
  'TARGET_IS_THIS_SERVICE',
  'FILE_MISSING',
  'FILE_EMPTY',
  'INVALID_DIGEST',
  'NOT_A_PICTURE',
  'NOT_ENCRYPTED',
  'INVALID_TEXT',
  'SEVERAL_TARGETS',
  'INVALID_DATE_TIME',
  'NOT_A_FUTURE_DATE',
  'EXPIRY_TOO_LATE',
  'NOT_AN_INTEGER',
  'MAX_VIEWS_TOO_SMALL',
  'MAX_VIEWS_TOO_LARGE',
  'PASSWORD_MISSING',
  'PASSWORD_NOT_A_STRING',
  'PASSWORD_BLANK',
  'PASSWORD_NOT_WELL_FORMED',
  'PASSWORD_HAS_CONTROL_CHARACTERS',
  'PASSWORD_HAS_OUTER_WHITE_SPACE',
  'PASSWORD_TOO_LONG',
  'PASSWORD_TOO_SHORT',
  'NOT_TRUE_OR_FALSE',
  'INVALID_NOTIFY_URL',
  'NOTIFY_URL_UNAVAILABLE',
  'NOTIFY_URL_NEEDS_SIGN_IN',
  'NOTIFY_URL_NOT_ALLOWED',
  'INVALID_NOTIFY_EMAIL',
  'NOTIFY_EMAIL_UNAVAILABLE',
  'NOTIFY_EMAIL_NEEDS_SIGN_IN',
  'NOTIFY_EMAIL_NOT_ALLOWED',
  'STARTS_AFTER_EXPIRY',
  'TERM_CANNOT_BE_CHANGED',
  'TERM_BLANK',
  'UNKNOWN_TEAM',
  'UNKNOWN_PERSON',
  'CUSTOM_CODES_OFF',
  'INVALID_CUSTOM_CODE',
  'UNKNOWN_LINK_HOST',
  'CUSTOM_CODE_RESERVED',
  'NOT_A_TEXT',
  'TEXT_TOO_LONG',
  'TEXT_HAS_CONTROL_CHARACTERS',
  'INVALID_TAGS',
  'INVALID_FILE_REQUEST',
  'MESSAGE_MISSING',
  'INVALID_RECIPIENT_KEY',
  'TOO_MANY_TAGS',
  'TAG_TOO_LONG',
  'END_BEFORE_START',
  'LIMIT_OUT_OF_RANGE',
  'INVALID_UNIT',
  'INVALID_TIME_ZONE',
  'INVALID_FORMAT',
  'INVALID_RESULT',
  'INVALID_ADDRESS',
  'INVALID_CURSOR',
  'INVALID_LIST',
  'INVALID_STATE',
  'INVALID_TYPE',
  'INVALID_OWNER_KIND',
  'INVALID_SORT',
  'INVALID_ORDER',
  'INVALID_NAME',
  'INVALID_SCOPES',
  'INVALID_EMAIL',
  'SCOPES_BEYOND_OWNER',
  'LINKS_NEED_OWNER',
] as const;
export type FieldErrorCode = (typeof FIELD_ERROR_CODES)[number];

/**
 * The reason to refuse a field. The client gets `<field>: <text>` (DECISIONS, Creation), and the code, by which pages
 * translate it. `params` has the values that a translation needs, such as a maximum.
 */
export type FieldError = {
  field: string;
  code: FieldErrorCode;
  text: string;
  params?: Readonly<Record<string, string | number>>;
};

/** A parsed value, or the error for which it is refused. */
export type Parsed<T, E = FieldError> = { ok: true; value: T } | { ok: false; error: E };

export function accept<T>(value: T): Parsed<T, never> {
  return { ok: true, value };
}

/** Returns an accepted value as `map` returns it, or the error. */
export function mapParsed<T, Mapped>(parsed: Parsed<T>, map: (value: T) => Mapped): Parsed<Mapped> {
  return parsed.ok ? accept(map(parsed.value)) : parsed;
}

export function refuse(
  field: string,
  code: FieldErrorCode,
  text: string,
  params?: FieldError['params'],
): Parsed<never> {
  return { ok: false, error: { field, code, text, ...(params && { params }) } };
}

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

/** Reads every field that has a rule. Reports the first invalid one in the order of the specification's table. */
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
