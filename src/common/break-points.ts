/**
 * A place within a word, after punctuation of an address: not within "//", and not after the point of a number. A browser that
 * has no other place breaks a long word anywhere.
 */
const BREAK_POINT = /(?<=\S[@#?&=_]|[^\s/]\/|[^\s\d]\.)(?=[^\s/])/;

/** Splits a text at the places where a line should break within an address. */
export function splitAtBreakPoints(text: string): string[] {
  return text.split(BREAK_POINT);
}
