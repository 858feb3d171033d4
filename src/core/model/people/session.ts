import { randomBytes } from 'node:crypto';
import type { EpochMs } from '../link.ts';
import { DAY_MS, HOUR_MS } from '../time-units.ts';
import { hashSecret } from './hash-secret.ts';

/** A browser in which a person has signed in. Its secret is in a cookie alone. */
export type Session = {
  /** See `hashSecret`. */
  hash: string;
  personId: string;
  /** True if the person chose to stay signed in. */
  staysSignedIn: boolean;
  /** True if it began with a sign-in at the provider of OpenID Connect. */
  isFromProvider: boolean;
  userAgent: string | null;
  createdAt: EpochMs;
  lastUsedAt: EpochMs;
  expiresAt: EpochMs;
};

/** A session ends so long after its last use, and so long after its beginning at the latest. */
const LIFETIMES = {
  short: { idleMs: 8 * HOUR_MS, maxMs: 7 * DAY_MS },
  long: { idleMs: 30 * DAY_MS, maxMs: 90 * DAY_MS },
};
/** For how long a browser keeps the cookie of a person who stays signed in. */
export const LONGEST_SESSION_MS = LIFETIMES.long.maxMs;
const MAX_USER_AGENT_CHARACTERS = 500;
const SECRET_BYTES = 32;
/** The form of every secret of a session, so that others need no look-up. */
export const SESSION_SECRET = /^[A-Za-z0-9_-]{43}$/;

/** Begins a session with a new secret, which is returned with it. */
export function beginSession(
  given: Pick<Session, 'personId' | 'staysSignedIn' | 'isFromProvider' | 'userAgent'>,
  now: EpochMs,
): { session: Session; secret: string } {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  const times = { createdAt: now, lastUsedAt: now };
  const session = {
    ...{ ...given, hash: hashSecret(secret), ...times },
    userAgent: given.userAgent?.slice(0, MAX_USER_AGENT_CHARACTERS) ?? null,
    expiresAt: endOfSession({ ...given, createdAt: now }, now),
  };
  return { session, secret };
}

/** Returns the end of a session that is used now. */
export function endOfSession(
  { staysSignedIn, createdAt }: Pick<Session, 'staysSignedIn' | 'createdAt'>,
  now: EpochMs,
) {
  const { idleMs, maxMs } = staysSignedIn ? LIFETIMES.long : LIFETIMES.short;
  return Math.min(now + idleMs, createdAt + maxMs);
}
