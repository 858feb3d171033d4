const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 8;

/** Letters of every script with their marks, and digits. */
const LETTER_OR_DIGIT = '\\p{L}\\p{M}\\p{Nd}';
/** An address with a path is compared with the codes that it can begin with: one for each segment. */
export const MAX_SEGMENTS = 5;

function codePattern(segment: string, length: string): RegExp {
  return new RegExp(`^(?=.{${length}}$)${segment}(?:/${segment}){0,${MAX_SEGMENTS - 1}}$`, 'u');
}

/**
 * A short code that a client may choose, with one to five segments. Chat programs leave punctuation at the end out of a
 * link, and punctuation at the start looks like an option of a command.
 */
export const CUSTOM_CODE = codePattern(
  `[\\p{L}\\p{Nd}](?:[${LETTER_OR_DIGIT}._~-]*[${LETTER_OR_DIGIT}])?`,
  '3,20',
);
/** The short code of any link: imported ones are longer and have more punctuation. No file that a system hides begins so. */
export const LINK_CODE = codePattern(`[${LETTER_OR_DIGIT}_~-][${LETTER_OR_DIGIT}._~-]*`, '1,100');
/** Variants of characters, such as ligatures; and those above the surrogates, which JavaScript orders unlike databases. */
const hasVariants = (code: string): boolean =>
  code !== code.normalize('NFKC') || /[\uE000-\uFFFF]/.test(code);

/** Returns the short code that a text stands for: letters with accents have one spelling. Undefined for no code. */
export function toShortCode(text: string, pattern: RegExp): string | undefined {
  const code = text.normalize('NFC');
  return pattern.test(code) && !hasVariants(code) ? code : undefined;
}

/** A character around an address in a text, or a space without a width, which some programs take for its end. */
const TRAILING_CHARACTER = /[/.,)>\s\p{Cf}]/u;
/** No more than this is cut off, so that a long text takes no time. */
const MAX_CUT = 20;

/** Removes the trailing characters of a text that are probably not part of its short code. */
export function withoutTrailingCharacters(text: string): string {
  const shortest = text.length - MAX_CUT;
  let end = text.length;
  while (end > shortest && TRAILING_CHARACTER.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
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
