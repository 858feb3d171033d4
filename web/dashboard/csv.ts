/** A table as RFC 4180 has it: a line of names, then the rows. */
export function toCsv(names: string[], rows: (string | number)[][]): string {
  return [names, ...rows].map((row) => `${row.map(quoteWhereNeeded).join(',')}\r\n`).join('');
}

function quoteWhereNeeded(value: string | number): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
