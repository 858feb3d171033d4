import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { EpochMs } from './link.ts';

/** The time for which a code is valid, and the wrong codes that it takes. */
export const CODE_LIFETIME_MS = 10 * 60_000;
export const CODE_TRIES = 5;
const DIGITS = 6;
/** The cookie that has the secret of the browser. */
export const BROWSER_COOKIE = 'postern-recipient';

/**
 * A code that was mailed to a recipient of a link, for the browser that asked. Each browser has one code for a link: a new one
 * replaces it. `browserHash`: SHA-256 of the secret of the browser, which is not stored. `codeHash`: see `hashCode`.
 */
export type RecipientCode = {
  browserHash: string;
  shortCode: string;
  address: string;
  codeHash: string;
  triesLeft: number;
  endsAt: EpochMs;
};

/** The proof that an attempt brings: the hash of the code that was typed. */
export type RecipientProof = Pick<RecipientCode, 'browserHash' | 'address' | 'codeHash'>;

/** Returns a code that was drawn from 0 to 999,999. */
export const formatCode = (drawn: number): string => String(drawn).padStart(DIGITS, '0');
export const CODE_COUNT = 10 ** DIGITS;

/** Returns the digits of a code as people type it, with spaces or dashes between them; undefined for another text. */
export function readCode(typed: string): string | undefined {
  const digits = typed.replaceAll(/[\s-]/g, '');
  return digits.length === DIGITS && /^\d+$/.test(digits) ? digits : undefined;
}

/** Returns the hash under which a browser is stored. */
export const hashBrowser = (browser: string): string => hash('sha256', browser);

/**
 * Returns the hash of a code for a link, an address and a browser. Its key is the secret of the browser: the code cannot be found from a
 * database alone, in which a plain hash of a million codes could be looked up.
 */
export function hashCode(
  browser: string,
  { shortCode, address, code }: { shortCode: string; address: string; code: string },
): string {
  return createHmac('sha256', browser)
    .update(JSON.stringify([shortCode, address, code]))
    .digest('hex');
}

/** Decides whether a code proves that an attempt may open its link. Pure: each store runs it inside its transaction. */
export function isProven(
  code: RecipientCode | undefined,
  { address, codeHash }: RecipientProof,
  now: EpochMs,
): boolean {
  if (code === undefined || code.address !== address) return false;
  if (now >= code.endsAt || code.endsAt > now + CODE_LIFETIME_MS || code.triesLeft <= 0) return false;
  const [stored, typed] = [code.codeHash, codeHash].map((text) => Buffer.from(text));
  return stored !== undefined && typed?.length === stored.length && timingSafeEqual(stored, typed);
}
