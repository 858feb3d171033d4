const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 8;

/**
 * A short code that a client may choose. Chat programs leave a sign at the end out of a link, and a sign at the start
 * looks like an option of a command.
 */
export const CUSTOM_CODE = /^[A-Za-z0-9][A-Za-z0-9_-]{2,18}[A-Za-z0-9]$/;

/** A uniformly distributed integer in [0, max). The service uses `crypto.randomInt`, which has no bias. */
export type RandomInt = (max: number) => number;

/** "8 alphanumeric characters, case-sensitive": one of 62^8 = 2.2 · 10^14, each as likely as any other. */
export function newShortCode(randomInt: RandomInt): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
