/** Returns whether a text can be a key: PostgreSQL stores no NUL, and a query for one fails. */
export function canBeStored(text: string): boolean {
  return !text.includes('\u0000');
}
