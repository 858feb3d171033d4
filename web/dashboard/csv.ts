/** Formats a table as CSV (RFC 4180), with a header line. */
export function toCsv(names: string[], rows: (string | number)[][]): string {
  return [names, ...rows].map((row) => `${row.map(quoteIfNeeded).join(',')}\r\n`).join('');
}

function quoteIfNeeded(value: string | number): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
