import fc from 'fast-check';

/** Any character, also half of a pair. The unit `binary` of fast-check is the same, and takes a second to prepare. */
export const character = fc
  .integer({ min: 0, max: 0x10_ff_ff })
  .map((codePoint) => String.fromCodePoint(codePoint), toCodePoint);

/** Returns the code point of a character, by which fast-check includes texts that are dangerous in JavaScript. */
function toCodePoint(text: unknown): number {
  if (typeof text !== 'string' || [...text].length !== 1) throw new TypeError('not one character');
  return text.codePointAt(0) ?? 0;
}

export const anyString = (constraints: { minLength?: number } = {}) =>
  fc.string({ unit: character, ...constraints });
