import type { EpochMs } from '../../model/link.ts';
import { formatOwner } from '../../model/owner.ts';
import type { SignedIn } from '../../model/people/caller.ts';
import { hashSecret } from '../../model/people/hash-secret.ts';
import { endOfSession, SESSION_SECRET } from '../../model/people/session.ts';
import type { PersonStore } from '../../ports/people.ts';

const RECORD_USE_EACH_MS = 60_000;

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
    const found = SESSION_SECRET.test(secret) ? await people.findSession(hashSecret(secret)) : undefined;
    const now = clock();
    if (!found || now >= found.expiresAt) return undefined;
    if (found.isFromProvider && now >= found.createdAt + providerCheckMs) return 'CHECK_DUE';
    const { hash, personId, name, scopes, teams, email, lastUsedAt } = found;
    const before = now - RECORD_USE_EACH_MS;
    // A use after now is of a clock that was ahead.
    if (lastUsedAt <= before || lastUsedAt > now)
      people
        .recordSessionUse(hash, { at: now, expiresAt: endOfSession(found, now), before })
        .catch((error: unknown) => onRecordError('record_session_use', error));
    const owner = formatOwner({ kind: 'USER', name });
    return { kind: 'USER', name, scopes, owner, teams, email, session: { hash, personId } };
  };
}
