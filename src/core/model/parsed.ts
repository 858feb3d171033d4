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
  'INVALID_FILE_NUMBERS',
  'NOT_ENCRYPTED',
  'NOT_VIEWABLE',
  'SCAN_REQUIRED',
  'INVALID_TEXT',
  'SEVERAL_TARGETS',
  'INVALID_DATE_TIME',
  'INVALID_ERASURE',
  'INVALID_IMPORT',
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
  'INVALID_RECIPIENTS',
  'TOO_MANY_RECIPIENTS',
  'RECIPIENTS_UNAVAILABLE',
  'RECIPIENTS_NEED_SIGN_IN',
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
