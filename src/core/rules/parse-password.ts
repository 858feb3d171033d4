import { Buffer } from 'node:buffer';
import { toOpaqueString } from '../model/opaque-string.ts';
import { accept, type Parsed, refuse } from '../model/parsed.ts';

/** "more than 8 KiB in UTF-8" is refused: a quarter of the server's limit for all headers. */
const MAX_BYTES = 8192;

const FIELD = 'password';

/**
 * Returns null for no protection: "empty or missing means no protection; white space alone is refused". "A
 * password that no header can carry is refused with a 400 that says so. No other length rule." The value is as it is compared.
 */
export function parsePassword(value: unknown): Parsed<string | null> {
  if (value === undefined || value === null || value === '') return accept(null);
  if (typeof value !== 'string') return refuse(FIELD, 'PASSWORD_NOT_A_STRING', 'must be a string');
  if (value.trim() === '') return refuse(FIELD, 'PASSWORD_BLANK', 'must not be blank');
  if (!value.isWellFormed())
    return refuse(FIELD, 'PASSWORD_NOT_WELL_FORMED', 'must be well-formed Unicode text');
  if (/\p{Cc}/u.test(value))
    return refuse(FIELD, 'PASSWORD_HAS_CONTROL_CHARACTERS', 'must not contain control characters');
  if (value !== value.trim())
    return refuse(FIELD, 'PASSWORD_HAS_OUTER_WHITE_SPACE', 'must not start or end with white space');
  const password = toOpaqueString(value);
  if (isTooLongForPassword(password))
    return refuse(FIELD, 'PASSWORD_TOO_LONG', `must be at most ${MAX_BYTES} bytes in UTF-8`, {
      max: MAX_BYTES,
    });
  return accept(password);
}

/** Returns true for a text that no link can have as its password. */
export function isTooLongForPassword(text: string): boolean {
  return Buffer.byteLength(toOpaqueString(text)) > MAX_BYTES;
}

/**
 * Reads the password of a visitor's form. White space around it is removed, as HTTP does around a header's
 * value: no password has any, and a visitor may have pasted it. Returns null for a missing or blank password.
 */
export function decodePasswordText(text: string | undefined): string | null {
  const password = (text ?? '').trim();
  return password === '' ? null : password;
}
