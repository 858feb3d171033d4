/** Returns the beginning of a day of the reader's time zone, or of a later day. */
export function startOfDay(day: string, daysLater: number): string {
  const at = new Date(`${day}T00:00`);
  at.setDate(at.getDate() + daysLater);
  return at.toISOString();
}
