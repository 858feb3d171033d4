// How spreadsheets write CSV, for the import of links and for the table of many.

/** The line before the header by which spreadsheets name the delimiter. */
export const SEPARATOR = /^"?sep=(.)"?(?:\r\n?|\n)/i;
/** The byte order marks of UTF-16, in which spreadsheets write "Unicode text". */
const UTF_16 = new Map([
  ['255,254', 'utf-16le'],
  ['254,255', 'utf-16be'],
]);

/** Returns the encoding that the first two bytes of a text say: UTF-16, if they are its mark, else UTF-8. */
export function encodingOf(start: Uint8Array): string {
  return UTF_16.get(start.subarray(0, 2).join()) ?? 'utf-8';
}

const DELIMITERS = [',', ';', '\t'];

/** Returns the delimiter that the header has most, outside quotes. */
export function findDelimiter(text: string): string {
  const [header = ''] = text
    .trimStart()
    .replace(/"[^"]*"/g, '')
    .split(/[\r\n]/, 1);
  const count = (delimiter: string) => header.split(delimiter).length;
  return DELIMITERS.toSorted((a, b) => count(b) - count(a))[0] ?? ',';
}
