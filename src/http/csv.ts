/**
 * The positions where a spreadsheet would begin to compute (OWASP, CSV injection): at the start of a cell, and after a
 * semicolon, tab or line end, which some take for the end of a cell, also within quotes.
 */
const FORMULA = /(?<=^|[;\t\r\n])(?="*[=+\-@])|^(?=[\t\r])/g;
const NEEDS_QUOTES = /[",\r\n]/;

/** Returns one line of CSV with its end (RFC 4180). A text that a spreadsheet would compute gets a quote in front. */
export function toCsvLine(cells: readonly (string | number | boolean | null)[]): string {
  return `${cells.map(toCell).join(',')}\r\n`;
}

function toCell(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const text = value.replace(FORMULA, "'");
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
