/** The reason to refuse a field. The client gets `<field>: <text>` (DECISIONS, Creation). */
export type FieldError = { field: string; text: string };

/** Represents a parsed value, or the error for which it is refused. */
export type Parsed<T, E = FieldError> = { ok: true; value: T } | { ok: false; error: E };

export function accept<T>(value: T): Parsed<T, never> {
  return { ok: true, value };
}

export function refuse(field: string, text: string): Parsed<never> {
  return { ok: false, error: { field, text } };
}

/** The text for a field or a query parameter that was sent more than once. */
export const DUPLICATE_FIELD = 'must be given only once';

/** How a whole number is written where a client can only send text: in a form's field or in a query. */
export const INTEGER_TEXT = /^[+-]?\d+$/;
