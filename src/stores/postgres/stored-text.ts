/** PostgreSQL's text holds no NUL: what has one is the key of no row, and to ask for it would be a fault. */
export function canBeStored(text: string): boolean {
  return !text.includes('\u0000');
}
