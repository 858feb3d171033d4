/** The reason to refuse a field. The client gets `<field>: <text>` (DECISIONS, Creation). */
export type FieldError = { field: string; text: string };

/** A parsed value, or the error for which it is refused. */
export type Parsed<T, E = FieldError> = { ok: true; value: T } | { ok: false; error: E };

export function accept<T>(value: T): Parsed<T, never> {
  return { ok: true, value };
}

export function refuse(field: string, text: string): Parsed<never> {
  return { ok: false, error: { field, text } };
}

/** The text for a field or a query parameter that was sent more than once. */
export const DUPLICATE_FIELD = 'must be given only once';

/** Returns the number for the text of a form or a query; the text itself if it is no whole decimal number. */
export function toInteger(text: string): number | string {
  return /^[+-]?\d+$/.test(text) ? Number(text) : text;
}
