import { dropOldest } from '../../../common/drop-oldest.ts';
import type { EpochMs } from '../../model/link.ts';
import { formatOwner } from '../../model/owner.ts';
import {
  type ApiKey,
  effectiveScopes,
  INITIAL_KEY_NAME,
  KEY_PREFIX,
  keyStateAt,
} from '../../model/people/api-key.ts';
import { SCOPES, type Scope, type SignedIn } from '../../model/people/caller.ts';
import { hashSecret } from '../../model/people/hash-secret.ts';
import { DatabaseUnavailableError } from '../../model/unavailable.ts';
import type { KeyStore } from '../../ports/people.ts';
import type { Clock, StartTimer } from '../../ports/ports.ts';

/** A revoked key works for this long at most, and for that of a slow lookup, unless the database cannot be used. */
const CACHED_MS = 2_000;
const MAX_CACHED = 1_000;
/** The use of a key is recorded about this often, over all instances. */
const RECORD_USE_EACH_MS = 60_000;

const STORED_KEY = new RegExp(`^${KEY_PREFIX}[A-Za-z0-9_-]{43}$`);

/** Finds who a key belongs to. */
export type KeyCallers = {
  /** Returns whether a text claims to be a key of this service; another may be that of a proxy's own sign-in. */
  looksLikeKey(text: string): boolean;
  /** Returns the owner of a key; undefined for an unknown, expired or revoked one. */
  find(key: string): Promise<SignedIn | undefined>;
};

/**
 * Prepares the lookup of API keys.
 *
 * @param parts.onRecordError is called when the latest use of a key cannot be recorded, which no request waits for
 */
export function prepareKeyCallers(parts: {
  keys: Pick<KeyStore, 'findKey' | 'recordKeyUse'>;
  initialKey: string | null;
  clock: Clock;
  startTimer: StartTimer;
  onRecordError: (error: unknown) => void;
}): KeyCallers {
  const { keys, initialKey, clock } = parts;
  // Hashes are compared, so that response times say nothing about the key.
  const initialHash = initialKey === null ? null : hashSecret(initialKey);
  const findStored = cacheBriefly(keys.findKey, parts);
  const recordUse = prepareRecordUse(keys, parts.onRecordError);

  return {
    looksLikeKey: (text) => text.startsWith(KEY_PREFIX) || hashSecret(text) === initialHash,
    async find(text) {
      const hash = hashSecret(text);
      if (hash === initialHash) return serviceKey(INITIAL_KEY_NAME, SCOPES);
      const key = STORED_KEY.test(text) ? await findStored(hash) : undefined;
      const now = clock();
      if (!key || keyStateAt(key, now) !== 'active') return undefined;
      recordUse(key, now);
      if (key.owner === null) return serviceKey(key.name, key.scopes);
      const owner = formatOwner({ kind: 'USER', name: key.owner });
      return {
        kind: 'KEY',
        name: key.name,
        scopes: effectiveScopes(key),
        owner,
        teams: key.owned?.teams ?? [],
      };
    },
  };
}

function serviceKey(name: string, scopes: readonly Scope[]): SignedIn {
  return { kind: 'KEY', name, scopes, owner: formatOwner({ kind: 'KEY', name }), teams: [] };
}

type FindKey = KeyStore['findKey'];

/** A scrape must end in time also while the database is frozen. */
const MAX_LOOKUP_MS = 1_000;

/** Caches keys. In an outage of the database the last result applies: metrics need a key, and must show the outage. */
function cacheBriefly(
  findKey: FindKey,
  { clock, startTimer }: { clock: Clock; startTimer: StartTimer },
): FindKey {
  const cached = new Map<string, { found: ReturnType<FindKey>; at: EpochMs }>();
  return (hash) => {
    const now = clock();
    const known = cached.get(hash);
    if (known && now >= known.at && now - known.at < CACHED_MS) return known.found;
    const lookup = findKey(hash).catch((error: unknown) => {
      if (known && error instanceof DatabaseUnavailableError) return known.found;
      throw error;
    });
    const found = known ? waitBriefly(lookup, known.found, startTimer) : lookup;
    cached.delete(hash); // the newest entry is the last one
    cached.set(hash, { found, at: now });
    dropOldest(cached, MAX_CACHED);
    found.catch(() => cached.delete(hash)); // the caller gets the error, and the next one tries again
    lookup.then(
      () => cached.get(hash)?.found === found && cached.set(hash, { found: lookup, at: now }),
      () => {}, // the caller gets it
    );
    return found;
  };
}

/** Returns what a lookup finds, or the last result if the lookup takes too long. */
function waitBriefly<T>(lookup: Promise<T>, last: Promise<T>, startTimer: StartTimer): Promise<T> {
  const { promise: late, resolve } = Promise.withResolvers<T>();
  const cancel = startTimer(() => resolve(last), MAX_LOOKUP_MS);
  return Promise.race([lookup, late]).finally(cancel);
}

function prepareRecordUse(
  { recordKeyUse }: Pick<KeyStore, 'recordKeyUse'>,
  onError: (error: unknown) => void,
) {
  const recordedAt = new Map<string, EpochMs>();
  return ({ name, lastUsedAt }: ApiKey, now: EpochMs): void => {
    const isRecent = (at: EpochMs | null = null) => at !== null && now >= at && now < at + RECORD_USE_EACH_MS; // not one of a clock that was ahead
    if (isRecent(lastUsedAt) || isRecent(recordedAt.get(name))) return;
    recordedAt.set(name, now);
    recordKeyUse(name, now).catch(onError);
  };
}
