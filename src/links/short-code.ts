import { accept, type Parsed, refuse } from './rules/parsed.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 8;

/**
 * A short code that a client may choose. Chat programs leave a sign at the end out of a link, and a sign at the start
 * looks like an option of a command.
 */
export const CUSTOM_CODE = /^[A-Za-z0-9][A-Za-z0-9_-]{2,18}[A-Za-z0-9]$/;

/** A uniformly distributed integer in [0, max). The service uses `crypto.randomInt`, which has no bias. */
export type RandomInt = (max: number) => number;

/** Returns "8 alphanumeric characters, case-sensitive": one of 62^8 = 2.2 · 10^14, each as likely as any other. */
export function newShortCode(randomInt: RandomInt): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

const FIELD = 'customCode';

/** Words that are paths of the API or of pages, or that pretend to speak for the service. Compared in lower case. */
const RESERVED: ReadonlySet<string> = new Set(
  (
    'admin administrator actuator api assets audit bulk dashboard docs favicon health help history index links live ' +
    'login logout null password postern revoke root robots security settings sign-in sign-out static stats status ' +
    'support system undefined upload well-known'
  ).split(' '),
);

/** Returns whether a short code is a word that no client may choose. */
export function isReservedCode(code: string): boolean {
  return RESERVED.has(code.toLowerCase());
}

/**
 * Reads the short code that a client chooses for its link.
 *
 * @param isAllowed whether the administrator allows such codes
 */
export function parseCustomCode(value: unknown, isAllowed: boolean): Parsed<string> {
  if (!isAllowed) return refuse(FIELD, 'CUSTOM_CODES_OFF', 'is not allowed by this service; leave it out');
  if (typeof value !== 'string' || !CUSTOM_CODE.test(value))
    return refuse(
      FIELD,
      'INVALID_CUSTOM_CODE',
      'must be 4 to 20 letters, digits, - or _, of which the first and the last are a letter or a digit',
    );
  if (isReservedCode(value))
    return refuse(FIELD, 'CUSTOM_CODE_RESERVED', 'must not be a reserved word; choose another');
  return accept(value);
}
