const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 8;

/** A uniformly distributed integer in [0, max). The service uses `crypto.randomInt`, which has no bias. */
export type RandomInt = (max: number) => number;

/** "8 alphanumeric characters, case-sensitive": one of 62^8 = 2.2 · 10^14, each as likely as any other. */
export function newShortCode(randomInt: RandomInt): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
