import type { EpochMs } from '../../model/link.ts';
import { formatOwner, parseOwner } from '../../model/owner.ts';
import { accept, refuse } from '../../model/parsed.ts';
import { type ApiKey, type FoundKey, newApiKey } from '../../model/people/api-key.ts';
import type { Caller, Scope } from '../../model/people/caller.ts';
import { hasScope } from '../../model/people/decide-access.ts';
import { hashSecret } from '../../model/people/hash-secret.ts';
import { mayGrant, withLinks } from '../../model/people/may-grant.ts';
import { scopesOf } from '../../model/people/person.ts';
import { type Outcome, refused } from '../../model/refusal.ts';
import type { KeyStore, PersonStore } from '../../ports/people.ts';

/** A key to create. `owner`: null for that of a service, undefined for that of its creator. */
type Given = { name: string; scopes: Scope[]; owner: string | null | undefined; expiresAt: EpochMs | null };

type Parts = { keys: KeyStore; people: Pick<PersonStore, 'findPerson'>; clock: () => EpochMs };

/** Prepares what people do with their keys, and administrators with all. */
export function prepareManageKeys({ keys, people, clock }: Parts) {
  /** Returns what the owner of a new key may do; an error if the key would do more, or its creator may not give so much. */
  async function checkOwner(
    name: string,
    scopes: readonly Scope[],
    caller: Caller,
  ): Promise<Outcome<Scope[]>> {
    const person = await people.findPerson(name);
    if (person?.deactivatedAt !== null) return UNKNOWN_OWNER;
    const allowed = scopesOf(person);
    const beyond = scopes.filter((scope) => !allowed.includes(scope));
    if (beyond.length > 0)
      return refuse('scopes', 'SCOPES_BEYOND_OWNER', `the owner of the key lacks ${beyond.join(', ')}`);
    return isOwn(caller, name) || mayGrant(caller, withLinks(allowed))
      ? accept(allowed)
      : refused('cannot-grant');
  }

  return {
    /** Returns the keys of a caller; all with the scope admin. */
    listKeys: async (caller: Caller): Promise<FoundKey[]> =>
      (await keys.listKeys()).filter((key) => mayRevoke(caller, key)),
    /** Creates a key. `secret`: the key itself, which is not stored. */
    async createKey(
      { owner: wanted, ...given }: Given,
      caller: Caller,
    ): Promise<Outcome<{ secret: string; key: FoundKey }>> {
      const owner = wanted === undefined ? personOf(caller) : wanted;
      const isOfOthers = owner === null || !isOwn(caller, owner) || caller.kind === 'KEY';
      if (isOfOthers && !hasScope(caller, 'admin')) return refused('needs-admin');
      const owned = owner === null ? accept(null) : await checkOwner(owner, given.scopes, caller);
      if (!owned.ok) return owned;
      if (!mayGrant(caller, given.scopes)) return refused('cannot-grant');
      const secret = newApiKey();
      const times = { createdAt: clock(), lastUsedAt: null, revokedAt: null };
      const key: ApiKey = { ...given, hash: hashSecret(secret), owner, ...times };
      if ((await keys.addKey(key)) === 'name-taken') return refused('name-taken');
      return accept({ secret, key: { ...key, owned: owned.value && { scopes: owned.value, teams: [] } } });
    },
    /** Revokes a key for good. Resolves to false if it was revoked before. */
    async revokeKey(name: string, caller: Caller): Promise<Outcome<boolean>> {
      const key = (await keys.listKeys()).find((each) => each.name === name);
      if (!key || !mayRevoke(caller, key)) return refused('key-not-found');
      return accept((await keys.revokeKey(name, clock())) === 'revoked');
    },
  };
}

/** Returns the name of the person who sends a request, or whose key it sends; null for any other caller. */
function personOf(caller: Caller): string | null {
  const { kind, name } = parseOwner(caller.kind === 'ANONYMOUS' ? 'ANONYMOUS' : caller.owner);
  return kind === 'USER' ? name : null;
}

const isOwn = (caller: Caller, owner: string): boolean =>
  caller.kind !== 'ANONYMOUS' && caller.owner === formatOwner({ kind: 'USER', name: owner });

/** Returns whether a key belongs to a caller, or the caller manages all. The key of a service belongs to itself. */
function mayRevoke(caller: Caller, { name, owner }: FoundKey): boolean {
  if (caller.kind === 'ANONYMOUS') return false;
  const holder = owner === null ? { kind: 'KEY' as const, name } : { kind: 'USER' as const, name: owner };
  return hasScope(caller, 'admin') || caller.owner === formatOwner(holder);
}

const UNKNOWN_OWNER = refuse('owner', 'UNKNOWN_PERSON', 'must be the name of an active person');
