/** Returns a table in Markdown. Ends with a newline. */
export function toTable(headings: string[], rows: string[][]): string {
  return [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

export const toCode = (text: string): string => `\`${text}\``;
