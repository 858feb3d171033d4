import { randomBytes } from 'node:crypto';
import type { EpochMs } from '../../model/link.ts';
import { formatOwner } from '../../model/owner.ts';
import { hashSecret } from '../../model/people/api-key.ts';
import type { SignedIn } from '../../model/people/caller.ts';
import type { Session } from '../../model/people/session.ts';
import { DAY_MS, HOUR_MS } from '../../model/time-units.ts';
import type { PersonStore } from '../../ports/people.ts';

/** A session ends so long after its last use, and so long after its beginning at the latest. */
const LIFETIMES = {
  short: { idleMs: 8 * HOUR_MS, maxMs: 7 * DAY_MS },
  long: { idleMs: 30 * DAY_MS, maxMs: 90 * DAY_MS },
};
/** For how long a browser keeps the cookie of a person who stays signed in. */
export const LONGEST_SESSION_MS = LIFETIMES.long.maxMs;
const RECORD_USE_EACH_MS = 60_000;
const MAX_USER_AGENT_CHARACTERS = 500;
const SECRET_BYTES = 32;
const SECRET = /^[A-Za-z0-9_-]{43}$/;

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
    expiresAt: endOf({ ...given, createdAt: now }, now),
  };
  return { session, secret };
}

/** Returns the end of a session that is used now. */
function endOf({ staysSignedIn, createdAt }: Pick<Session, 'staysSignedIn' | 'createdAt'>, now: EpochMs) {
  const { idleMs, maxMs } = staysSignedIn ? LIFETIMES.long : LIFETIMES.short;
  return Math.min(now + idleMs, createdAt + maxMs);
}

/**
 * Returns the person of a session by the secret of its cookie; undefined for an unknown or ended one. `CHECK_DUE`: the
 * session is refused until the person goes through the provider again, which may refuse the person or change the groups.
 */
export type FindSessionCaller = (secret: string) => Promise<SignedIn | 'CHECK_DUE' | undefined>;

/**
 * Prepares the lookup of sessions. Nothing is cached: a deactivation ends a session at once.
 *
 * @param parts.providerCheckMs how long a sign-in at the provider holds
 * @param onRecordError is called when the use of a session cannot be recorded, which no request waits for
 */
export function prepareFindSessionCaller(
  parts: {
    people: Pick<PersonStore, 'findSession' | 'recordSessionUse'>;
    clock: () => EpochMs;
    providerCheckMs: number;
  },
  onRecordError: (job: 'record_session_use', error: unknown) => void,
): FindSessionCaller {
  const { people, clock, providerCheckMs } = parts;
  return async (secret) => {
    const found = SECRET.test(secret) ? await people.findSession(hashSecret(secret)) : undefined;
    const now = clock();
    if (!found || now >= found.expiresAt) return undefined;
    if (found.isFromProvider && now >= found.createdAt + providerCheckMs) return 'CHECK_DUE';
    const { hash, personId, name, scopes, teams, lastUsedAt } = found;
    const before = now - RECORD_USE_EACH_MS;
    // A use after now is of a clock that was ahead.
    if (lastUsedAt <= before || lastUsedAt > now)
      people
        .recordSessionUse(hash, { at: now, expiresAt: endOf(found, now), before })
        .catch((error: unknown) => onRecordError('record_session_use', error));
    const owner = formatOwner({ kind: 'USER', name });
    return { kind: 'USER', name, scopes, owner, teams, session: { hash, personId } };
  };
}
