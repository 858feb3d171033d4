/** The start of a value that is read further. */
const BEGINNINGS: Record<string, string> = {
  accept: 'text/html, ',
  authorization: 'Bearer ',
  'content-type': 'multipart/form-data; boundary=',
  'if-match': '"1", ',
  'if-none-match': '"1", ',
  origin: 'https://',
  range: 'bytes=',
  'sec-purpose': 'prefetch; ',
};
/** Leaves room for the other headers below the limit of 32 KiB. */
const FILLED_BYTES = 31_000;
const fill = (text: string): string => text.repeat(FILLED_BYTES / text.length);
/** The ways to fill a header: with one character between two letters, or with the entries of a list. */
const FILLINGS = [...[' ', ',', '"', ';', '\\'].map((filling) => `a${fill(filling)}b`), fill('::1,')];

/** Returns the longest values of a header, on which a parser may take long. @param name in lower case */
export function filledValues(name: string): string[] {
  return FILLINGS.map((filling) => `${BEGINNINGS[name] ?? ''}${filling}`);
}
