import { accept, type FieldError, type Parsed } from '../model/parsed.ts';

/** The largest text that is shown to visitors. */
export const MAX_TEXT_BYTES = 1024 * 1024;

export const INVALID_TEXT: FieldError = {
  field: 'text',
  code: 'INVALID_TEXT',
  text: 'must be a text of at most 1 MB in UTF-8, not empty and without NUL characters',
};

/** Reads a text that is shown to visitors. No error repeats it. */
export function parseSharedText(value: unknown): Parsed<string> {
  const isText = typeof value === 'string' && value !== '' && value.isWellFormed() && !value.includes('\0');
  if (!isText || Buffer.byteLength(value) > MAX_TEXT_BYTES) return { ok: false, error: INVALID_TEXT };
  return accept(value);
}
