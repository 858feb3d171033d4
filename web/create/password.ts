/** No character that is taken for another one when it is read aloud or copied by hand. */
const CHARACTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const GROUPS = 4;
const GROUP_LENGTH = 5;

/** Draws a password of 20 characters in groups, which is 116 bits: no program will ever guess it. */
export function generatePassword(): string {
  const groups = Array.from({ length: GROUPS }, () =>
    Array.from({ length: GROUP_LENGTH }, () => drawCharacter()).join(''),
  );
  return groups.join('-');
}

/** Draws again what would make the first characters likelier than the last. */
function drawCharacter(): string {
  const byte = new Uint8Array(1);
  const usable = 256 - (256 % CHARACTERS.length);
  do crypto.getRandomValues(byte);
  while ((byte[0] ?? 0) >= usable);
  return CHARACTERS.charAt((byte[0] ?? 0) % CHARACTERS.length);
}

export type Strength = 'WEAK' | 'FAIR' | 'STRONG';

/** Below this, a program that guesses at the link finds it; above the second, also one that has the hash does not. */
const FAIR_BITS = 36;
const STRONG_BITS = 60;

/** What every list of guesses begins with, without digits and signs. */
const WELL_KNOWN =
  /^(password|passwort|passwd|contrasena|senha|motdepasse|secret|geheim|qwerty\w*|qwertz\w*|azerty|asdf\w*|letmein|welcome|hallo|hello|admin|login|master|dragon|monkey|iloveyou|football|test|postern|abc)?$/;

/**
 * How long a password withstands guesses, by a rough estimate that rather says too little: what repeats or goes on
 * in steps counts once, a word from the lists of guesses not at all, letters of a word half.
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
  if (WELL_KNOWN.test(letters)) return surprises(rest) * Math.log2(10);
  const bitsEach = Math.log2(poolOf(password));
  // People write words: four letters of them hold what two drawn ones do.
  const isWords = /^[\p{Ll}\s]+$/u.test(password) || /^\p{Lu}?\p{Ll}+[\d\W]*$/u.test(password);
  return surprises(password) * bitsEach * (isWords ? 0.5 : 1);
}

/** How many characters do not follow from those before: "aaaa", "1234" and "4321" have one or two. */
function surprises(text: string): number {
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0);
  const steps = codes.map((code, index) => code - (codes[index - 1] ?? Number.NaN));
  return steps.filter((step, index) => !(Math.abs(step) <= 1 && step === steps[index - 1]) && step !== 0)
    .length;
}

/** Of how many characters one was chosen, by the kinds that occur. */
function poolOf(password: string): number {
  const kinds: [RegExp, number][] = [
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/\d/, 10],
    [/[^\w\s]|_/, 32],
    [/\s/, 1],
    [/[^\0-\x7f]/, 60],
  ];
  return Math.max(
    2,
    kinds.reduce((sum, [kind, size]) => sum + (kind.test(password) ? size : 0), 0),
  );
}
