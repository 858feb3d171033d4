/** Excludes characters that are easily confused when read aloud or copied by hand. */
const CHARACTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Returns a random password of 20 characters in groups, which has 116 bits of entropy. */
export function generatePassword(): string {
  // Of 32 random bits, the remainder favours the first characters by less than one in 76 million.
  const numbers = crypto.getRandomValues(new Uint32Array(20));
  const characters = Array.from(numbers, (number) => CHARACTERS.charAt(number % CHARACTERS.length));
  return characters.join('').replaceAll(/.{5}(?=.)/g, '$&-');
}

export type Strength = 'WEAK' | 'FAIR' | 'STRONG';

/** Below FAIR_BITS, guesses at the link may succeed. From STRONG_BITS on, even guesses at the hash fail. */
const FAIR_BITS = 36;
const STRONG_BITS = 60;

/** Words with which guesses begin, without digits and punctuation. */
const COMMON_WORDS =
  /^(password|passwort|passwd|contrasena|senha|motdepasse|secret|geheim|qwerty\w*|qwertz\w*|azerty|asdf\w*|letmein|welcome|hallo|hello|admin|login|master|dragon|monkey|iloveyou|football|test|postern|abc)?$/;

/**
 * Estimates how well a password withstands guessing. The estimate is low rather than high. A run
 * counts as one character, a sequence as two, a common word as none, and words alone as half.
 */
export function estimateStrength(password: string): Strength {
  const bits = estimateBits(password);
  if (bits >= STRONG_BITS) return 'STRONG';
  return bits >= FAIR_BITS ? 'FAIR' : 'WEAK';
}

function estimateBits(password: string): number {
  const letters = password
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[^a-z]/g, '');
  const rest = password.replaceAll(/\p{L}/gu, '');
  if (COMMON_WORDS.test(letters)) return countUnpredictable(rest) * Math.log2(10);
  const bitsPerCharacter = Math.log2(alphabetSize(password));
  // Four letters of a word hold as much as two random ones.
  const isWords = /^[\p{Ll}\s]+$/u.test(password) || /^\p{Lu}?\p{Ll}+[^\p{L}_]*$/u.test(password);
  return countUnpredictable(password) * bitsPerCharacter * (isWords ? 0.5 : 1);
}

/** Counts the characters that do not follow from those before: "aaaa" and "1234" have one or two. */
function countUnpredictable(text: string): number {
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0);
  const steps = codes.map((code, index) => code - (codes[index - 1] ?? Number.NaN));
  return steps.filter((step, index) => !(Math.abs(step) <= 1 && step === steps[index - 1]) && step !== 0)
    .length;
}

/** Returns the number of characters in all the kinds that occur in the password. */
function alphabetSize(password: string): number {
  const kinds: [RegExp, number][] = [
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/\d/, 10],
    [/[^\w\s]|_/, 32],
    [/\s/, 1],
    [/[^\0-\x7f]/, 60],
  ];
  const size = kinds.reduce((sum, [kind, size]) => sum + (kind.test(password) ? size : 0), 0);
  return Math.max(2, size);
}
