import { accept, type Parsed, refuse } from './rules/parsed.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 8;

/** Letters of every script with their marks, and digits. */
const SIGN = '\\p{L}\\p{M}\\p{Nd}';
/** An address with a path is compared with the codes that it can begin with: one for each segment. */
export const MAX_SEGMENTS = 5;

function codePattern(segment: string, length: string): RegExp {
  return new RegExp(`^(?=.{${length}}$)${segment}(?:/${segment}){0,${MAX_SEGMENTS - 1}}$`, 'u');
}

/**
 * A short code that a client may choose, with one to five segments. Chat programs leave a sign at the end out of a link,
 * and a sign at the start looks like an option of a command.
 */
export const CUSTOM_CODE = codePattern(`[\\p{L}\\p{Nd}](?:[${SIGN}._~-]*[${SIGN}])?`, '3,20');
/** The short code of any link: imported ones are longer and have more signs. No file that a system hides begins so. */
export const LINK_CODE = codePattern(`[${SIGN}_~-][${SIGN}._~-]*`, '1,100');
/** Variants of characters, such as ligatures; and those above the surrogates, which JavaScript orders unlike databases. */
const hasVariants = (code: string): boolean =>
  code !== code.normalize('NFKC') || /[\uE000-\uFFFF]/.test(code);

/** Returns the short code that a text stands for: letters with accents have one spelling. Undefined for no code. */
export function toShortCode(text: string, pattern: RegExp): string | undefined {
  const code = text.normalize('NFC');
  return pattern.test(code) && !hasVariants(code) ? code : undefined;
}

/** A uniformly distributed integer in [0, max). The service uses `crypto.randomInt`, which has no bias. */
export type RandomInt = (max: number) => number;

/** Returns "8 alphanumeric characters, case-sensitive": one of 62^8 = 2.2 · 10^14, each as likely as any other. */
export function newShortCode(randomInt: RandomInt): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** Only a broken source of randomness needs more: with 10^9 links one try in 200,000 collides. */
const MAX_TRIES = 10;

/** Returns the result of the first random short code that is free: of another one, `tryCode` returns undefined. */
export async function withFreeCode<Result>(
  randomInt: RandomInt,
  tryCode: (shortCode: string) => Promise<Result | undefined>,
): Promise<Result> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const result = await tryCode(newShortCode(randomInt));
    if (result !== undefined) return result;
  }
  throw new Error(`No free short code in ${MAX_TRIES} tries: the source of randomness is broken`);
}

const FIELD = 'customCode';

/** Words that are paths of the API or of pages, or that pretend to speak for the service. Compared in lower case. */
const RESERVED: ReadonlySet<string> = new Set(
  (
    'account actuator admin administrator api assets audit bulk dashboard docs favicon health help history index ' +
    'keys links live login logout notifications null password people postern revoke robots root security sessions ' +
    'settings sign-in sign-out static stats status support system teams undefined upload verify well-known'
  ).split(' '),
);

/** Returns whether a short code is a word that no client may choose. */
export function isReservedCode(code: string): boolean {
  return RESERVED.has(code.toLowerCase()) || OF_UPLOADS.test(code);
}

/** The addresses of uploads for a file request are below its own. */
const OF_UPLOADS = /(?:^|\/)uploads(?:\/|$)/i;

/**
 * Reads the short code that a client chooses for its link.
 *
 * @param isAllowed whether the administrator allows such codes
 */
export function parseCustomCode(value: unknown, isAllowed: boolean): Parsed<string> {
  if (!isAllowed) return refuse(FIELD, 'CUSTOM_CODES_OFF', 'is not allowed by this service; leave it out');
  const code = typeof value === 'string' ? toShortCode(value, CUSTOM_CODE) : undefined;
  if (code === undefined)
    return refuse(
      FIELD,
      'INVALID_CUSTOM_CODE',
      'must be 3 to 20 letters, digits, -, _, ~ or . in up to 5 segments separated by /, each of which begins and ends with a letter or a digit',
    );
  if (isReservedCode(code))
    return refuse(FIELD, 'CUSTOM_CODE_RESERVED', 'must not be a reserved word; choose another');
  return accept(code);
}
