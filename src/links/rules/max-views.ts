import { accept, type Parsed, refuse } from './parsed.ts';

/** "an integer from 1 to 2,147,483,647", the largest value of every store's integer column. */
const MAX_VIEWS = 2_147_483_647;

const FIELD = 'maxViews';

/**
 * Reads "integer, greater than 0". 3.0 is 3; 1e400, which JSON.parse reads as Infinity, is too large.
 *
 * @param limit the administrator's limit, if there is one
 */
export function parseMaxViews(value: unknown, limit: number | null = null): Parsed<number> {
  // Not Number.isInteger, which rejects the infinities: here they are too large and too small.
  if (typeof value !== 'number' || Math.trunc(value) !== value)
    return refuse(FIELD, 'NOT_AN_INTEGER', 'must be an integer');
  if (value <= 0) return refuse(FIELD, 'MAX_VIEWS_TOO_SMALL', 'must be greater than 0');
  const max = limit ?? MAX_VIEWS;
  return value > max ? tooManyViews(max) : accept(value);
}

/** Refuses more views than the administrator's limit, or an unlimited number. */
export function tooManyViews(max: number): Parsed<never> {
  return refuse(FIELD, 'MAX_VIEWS_TOO_LARGE', `must be at most ${max}`, { max });
}
