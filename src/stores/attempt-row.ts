import type { Attempt, Prechecks, Purpose } from '../links/attempt.ts';

type LinkPrechecks = Exclude<Prechecks, 'LINK_NOT_FOUND'>;

/**
 * An attempt on its way to the thread that writes. Without property names it crosses as JSON in half the
 * time (measured for both sides together: 0.34 against 0.62 µs an attempt).
 */
export type AttemptRow = [
  id: string,
  at: number,
  shortCode: string,
  ipAddress: string | null,
  userAgent: string | null,
  purpose: Purpose,
  ...prechecks: [] | [LinkPrechecks['password'], LinkPrechecks['file'], LinkPrechecks['confirmation']],
];

export function toAttemptRow(attempt: Attempt): AttemptRow {
  const { id, at, shortCode, ipAddress, userAgent, purpose, prechecks } = attempt;
  if (prechecks === 'LINK_NOT_FOUND') return [id, at, shortCode, ipAddress, userAgent, purpose];
  const { password, file, confirmation } = prechecks;
  return [id, at, shortCode, ipAddress, userAgent, purpose, password, file, confirmation];
}

export function fromAttemptRow(row: AttemptRow): Attempt {
  const [id, at, shortCode, ipAddress, userAgent, purpose, ...checked] = row;
  const [password, file, confirmation] = checked;
  const prechecks = password && file && confirmation ? { password, file, confirmation } : 'LINK_NOT_FOUND';
  return { id, at, shortCode, ipAddress, userAgent, purpose, prechecks };
}
