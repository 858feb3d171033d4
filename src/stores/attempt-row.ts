import type { Attempt, Prechecks, Purpose } from '../links/attempt.ts';

type LinkPrechecks = Exclude<Prechecks, 'LINK_NOT_FOUND'>;

/**
 * An attempt on its way to the thread that writes: a row of values, which crosses as JSON in half the time that an
 * object with its names takes (measured for both sides together: 0.34 against 0.62 µs an attempt).
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

export function toAttemptRow({
  id,
  at,
  shortCode,
  ipAddress,
  userAgent,
  purpose,
  prechecks,
}: Attempt): AttemptRow {
  return prechecks === 'LINK_NOT_FOUND'
    ? [id, at, shortCode, ipAddress, userAgent, purpose]
    : [
        id,
        at,
        shortCode,
        ipAddress,
        userAgent,
        purpose,
        prechecks.password,
        prechecks.file,
        prechecks.confirmation,
      ];
}

export function fromAttemptRow([
  id,
  at,
  shortCode,
  ipAddress,
  userAgent,
  purpose,
  ...seen
]: AttemptRow): Attempt {
  const [password, file, confirmation] = seen;
  const prechecks =
    password === undefined || file === undefined || confirmation === undefined
      ? 'LINK_NOT_FOUND'
      : { password, file, confirmation };
  return { id, at, shortCode, ipAddress, userAgent, purpose, prechecks };
}
