import { hash, randomBytes } from 'node:crypto';
import type { EpochMs } from '../links/link.ts';
import { formatInstant } from '../links/rules/expiry-time.ts';
import { accept, type Parsed } from '../links/rules/parsed.ts';
import { SCOPES, type Scope } from './caller.ts';
import type { AccessSettings } from './decide-access.ts';
import type { PersonStore } from './person.ts';

/** An API key as it is stored. The key itself is shown once and never stored. */
export type ApiKey = {
  /** Unique among all keys, revoked ones included, because histories name authors by it. */
  name: string;
  /** See `hashSecret`. */
  hash: string;
  scopes: Scope[];
  /** The name of the person whose key it is; null for the key of a service. */
  owner: string | null;
  createdAt: EpochMs;
  expiresAt: EpochMs | null;
  lastUsedAt: EpochMs | null;
  revokedAt: EpochMs | null;
};

/** An API key, with what its owner may do now. `owned`: null for a key without an owner, or whose owner was deactivated. */
export type FoundKey = ApiKey & { owned: { scopes: Scope[]; teams: string[] } | null };

/** Returns what a key may do now: never more than its owner. */
export function effectiveScopes({ scopes, owner, owned }: FoundKey): Scope[] {
  return owner === null ? scopes : scopes.filter((scope) => owned?.scopes.includes(scope));
}

const SECRET_BYTES = 32;
/** Lets people and secret scanners recognise a key. */
export const KEY_PREFIX = 'postern_';

/** Returns a new API key: 256 random bits after a prefix. */
export function newApiKey(): string {
  return KEY_PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
}

/**
 * Returns the hash by which a key or a token is stored and found: SHA-256 in base64url, 43 characters. No slow hash is
 * needed, because 256 random bits cannot be guessed.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

/** The name of the author who uses the key of `app.access.initial-key`, so no stored key can have it. */
export const INITIAL_KEY_NAME = 'initial-key';

const MAX_NAME_CHARACTERS = 64;
/** Control, direction and other invisible characters, and every space but single U+0020: two names must not look the same. */
const INVISIBLE = /\p{C}|\p{Default_Ignorable_Code_Point}|(?! )\p{Z}| {2}/u;
/** Clients leave these out of a path, so no request could name them. */
const DOTS = /^\.{1,2}$/;

/** Parses the name of a key. The value is in Unicode's composed form. The error says what a name must be. */
export function parseKeyName(text: string, maxCharacters = MAX_NAME_CHARACTERS): Parsed<string, string> {
  const name = text.normalize('NFC');
  const characters = [...name].length;
  if (characters === 0 || characters > maxCharacters || INVISIBLE.test(name) || name.trim() !== name) {
    return {
      ok: false,
      error: `must be 1 to ${maxCharacters} visible characters, without a space at either end or two in a row`,
    };
  }
  if (DOTS.test(name)) return { ok: false, error: 'must have more than dots' };
  if (name.toLowerCase() === INITIAL_KEY_NAME) {
    return { ok: false, error: 'is reserved for the key of app.access.initial-key; choose another name' };
  }
  return accept(name);
}

/** Parses scopes separated by commas, into the order of `SCOPES`. The error says what the text must be. */
export function parseScopes(text: string): Parsed<Scope[], string> {
  const words = text.split(',').map((word) => word.trim());
  const scopes = SCOPES.filter((scope) => words.includes(scope));
  return words.every((word) => scopes.some((scope) => scope === word))
    ? accept(scopes)
    : { ok: false, error: `must be one or more of ${SCOPES.join(', ')}, separated by commas` };
}

export type KeyState = 'active' | 'expired' | 'revoked';

/** Returns whether a key can be used. From `expiresAt` on it is expired. A deactivated owner revokes it. */
export function keyStateAt({ revokedAt, expiresAt, owner, owned }: FoundKey, now: EpochMs): KeyState {
  if (revokedAt !== null || (owner !== null && owned === null)) return 'revoked';
  return expiresAt !== null && now >= expiresAt ? 'expired' : 'active';
}

/** API keys. A promise resolves only once its change is durable. Every instance of a store sees the same keys. */
export interface KeyStore {
  /** Adds a key, unless there is one of that name, revoked or not. */
  addKey(key: ApiKey): Promise<'added' | 'name-taken'>;
  /** Returns the key with this hash, also an expired or revoked one. */
  findKey(hash: string): Promise<FoundKey | undefined>;
  /** Lists all keys, oldest first. */
  listKeys(): Promise<FoundKey[]>;
  /** Revokes a key for good. Revoking it again changes nothing. */
  revokeKey(name: string, at: EpochMs): Promise<'revoked' | 'already-revoked' | 'not-found'>;
  /** Records the latest use of a key. */
  recordKeyUse(name: string, at: EpochMs): Promise<void>;
}

/** The keys and the people of a store, opened without the rest. `isNew`: the store was created just now. */
export type OpenedKeys = KeyStore & Omit<PersonStore, 'changePerson'> & AsyncDisposable & { isNew: boolean };

/** Returns a warning where no person can sign in and no key is valid, so that only the links that exist can be used. */
export async function findAccessWarnings(
  { mode, initialKey, userHeader }: AccessSettings,
  { keys, people }: { keys: Pick<KeyStore, 'listKeys'>; people: Pick<PersonStore, 'listPeople'> },
  now: EpochMs,
): Promise<string[]> {
  if (mode === 'open' || initialKey !== null || userHeader !== null) return [];
  const stored = await keys.listKeys();
  if (stored.some((key) => keyStateAt(key, now) === 'active')) return [];
  if ((await people.listPeople()).some(({ deactivatedAt }) => deactivatedAt === null)) return [];
  return [
    'app.access is keys, there is no valid API key and no active person: links cannot be created, nor statistics read. Add a person with `postern people add NAME --scopes=create,read,manage,metrics,admin`, or a key with `postern keys create NAME --scopes=create,read,manage,metrics,admin`.',
  ];
}

const HEADINGS = ['name', 'scopes', 'owner', 'created', 'expires', 'last used', 'state'];

/** Returns a table of keys for a terminal, without their hashes. */
export function keyTable(keys: readonly FoundKey[], now: EpochMs): string {
  return textTable([HEADINGS, ...keys.map((key) => cellsOf(key, now))]);
}

/** Returns a table for a terminal, whose first row has the headings. It ends with a newline. */
export function textTable(rows: readonly string[][]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

function cellsOf(key: FoundKey, now: EpochMs): string[] {
  const { name, owner, createdAt, expiresAt, lastUsedAt } = key;
  return [
    name,
    effectiveScopes(key).join(',') || 'none',
    owner ?? 'none',
    formatInstant(createdAt),
    expiresAt === null ? 'never' : formatInstant(expiresAt),
    lastUsedAt === null ? 'never' : formatInstant(lastUsedAt),
    keyStateAt(key, now),
  ];
}
