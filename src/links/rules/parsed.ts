/** The reason to refuse a field. The client gets `<field>: <text>` (DECISIONS, Creation). */
export type FieldError = { field: string; text: string };

/** The parsed value of a client's input, or the reason to refuse it. */
export type Parsed<T> = { ok: true; value: T } | { ok: false; error: FieldError };

export function accept<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

export function refuse(field: string, text: string): Parsed<never> {
  return { ok: false, error: { field, text } };
}

/** The text for a field or a query parameter that was sent more than once. */
export const DUPLICATE_FIELD = 'must be given only once';

/** How a whole number is written where a client can only send text: in a form's field or in a query. */
export const INTEGER_TEXT = /^[+-]?\d+$/;
