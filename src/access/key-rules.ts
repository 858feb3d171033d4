import type { EpochMs } from '../links/link.ts';
import { accept, type Parsed } from '../links/rules/parsed.ts';
import type { ApiKey } from './api-key.ts';
import { SCOPES, type Scope } from './scopes.ts';

/** The name of the author who uses the key of `app.access.initial-key`, so no stored key can have it. */
export const INITIAL_KEY_NAME = 'initial-key';

const MAX_NAME_CHARACTERS = 64;
/** Control, direction and other invisible characters, and every space but U+0020: two names must not look the same. */
const INVISIBLE = /\p{C}|\p{Default_Ignorable_Code_Point}|(?! )\p{Z}/u;

/** Parses the name of a key. The value is in Unicode's composed form. The error says what a name must be. */
export function parseKeyName(text: string): Parsed<string, string> {
  const name = text.normalize('NFC');
  const characters = [...name].length;
  if (characters === 0 || characters > MAX_NAME_CHARACTERS || INVISIBLE.test(name) || name.trim() !== name) {
    return {
      ok: false,
      error: `must be 1 to ${MAX_NAME_CHARACTERS} visible characters, without a space at either end`,
    };
  }
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

/** Returns whether a key can be used. From `expiresAt` on it is expired. */
export function keyStateAt({ revokedAt, expiresAt }: ApiKey, now: EpochMs): KeyState {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && now >= expiresAt ? 'expired' : 'active';
}
