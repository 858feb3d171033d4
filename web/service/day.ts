/** Returns true for a day that exists, such as `2026-06-15`. A `Date` takes the 31st of February for the 3rd of March. */
export function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/** Returns the beginning of a day of the reader's time zone, or of a later day. */
export function startOfDay(day: string, daysLater: number): string {
  const at = new Date(`${day}T00:00`);
  at.setDate(at.getDate() + daysLater);
  return at.toISOString();
}
