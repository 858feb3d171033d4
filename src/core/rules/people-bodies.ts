import type { EpochMs } from '../model/link.ts';
import { accept, type FieldErrorCode, type Parsed, refuse } from '../model/parsed.ts';
import { SCOPES, type Scope } from '../model/people/caller.ts';
import { isPersonName, toDisplayName, toPersonName } from '../model/people/person-name.ts';
import { parseExpiresAt } from './expiry-time.ts';
import { parseKeyName } from './key-name.ts';
import { isMailAddress } from './notify-email.ts';
import { parsePassword } from './parse-password.ts';
import type { Rules, SentFields } from './read-fields.ts';
import { parseFlag } from './term-rules.ts';

// The members of requests about people, teams and keys. A member of `readFields` that is absent is refused, unless it has a
// default here.

/** Reads the name of something new. */
const nameOf =
  (parse: (text: string) => Parsed<string, string>) =>
  (value: unknown): Parsed<string> => {
    const parsed = parse(typeof value === 'string' ? value : '');
    return parsed.ok ? parsed : refuse('name', 'INVALID_NAME', parsed.error);
  };

/** Reads scopes, in the order of `SCOPES`. */
function parseScopeList(value: unknown): Parsed<Scope[]> {
  const sent: unknown[] = Array.isArray(value) ? value : [undefined];
  const scopes = SCOPES.filter((scope) => sent.includes(scope));
  return new Set(sent).size === scopes.length
    ? accept(scopes)
    : refuse('scopes', 'INVALID_SCOPES', `must be an array of ${SCOPES.join(', ')}`);
}

/** Reads the scopes of a key, which has at least one. */
function parseKeyScopes(value: unknown): Parsed<Scope[]> {
  const parsed = parseScopeList(value);
  return parsed.ok && parsed.value.length === 0
    ? refuse('scopes', 'INVALID_SCOPES', `must have at least one of ${SCOPES.join(', ')}`)
    : parsed;
}

/** Reads a mail address, in lower case. */
export function parseEmail(value: unknown): Parsed<string | null> {
  if (value === undefined || value === null) return accept(null);
  return typeof value === 'string' && isMailAddress(value.trim())
    ? accept(value.trim().toLowerCase())
    : refuse('email', 'INVALID_EMAIL', 'must be a mail address, such as ada@example.com');
}

/** Reads the names of existing people or teams. */
const namesOf =
  (field: string, code: FieldErrorCode, toName = (name: string) => name) =>
  (value: unknown = []): Parsed<string[]> => {
    const sent: unknown[] = Array.isArray(value) ? value : [undefined];
    const names = sent.filter((name) => typeof name === 'string');
    return names.length === sent.length
      ? accept([...new Set(names.map((name) => toName(name.normalize('NFC'))))])
      : refuse(field, code, 'must be an array of names');
  };

/** Reads the name of an existing person. */
const personOf =
  (field: string) =>
  (value: unknown): Parsed<string> =>
    typeof value === 'string'
      ? accept(toPersonName(value))
      : refuse(field, 'UNKNOWN_PERSON', 'must be the name of an active person');

const PERSON_RULES = {
  scopes: parseScopeList,
  email: parseEmail,
  teams: namesOf('teams', 'UNKNOWN_TEAM'),
  isEmergency: (value: unknown = false) => parseFlag('isEmergency', value),
} satisfies Rules<unknown>;

/** Reads the name of a person as it is shown, which is spelled as a name may be. */
export function parseDisplayName(value: unknown): Parsed<string> {
  const name = toDisplayName(typeof value === 'string' ? value : '');
  const parsed = parsePersonName(name);
  return parsed.ok ? accept(name) : refuse('displayName', 'INVALID_NAME', parsed.error);
}

export const NEW_PERSON_RULES = {
  name: nameOf((text) => parsePersonName(toDisplayName(text))),
  displayName: parseDisplayName,
  ...PERSON_RULES,
  ownsLinks: (value: unknown = false) => parseFlag('ownsLinks', value),
} satisfies Rules<unknown>;

/** Returns the fields of a new person, who is shown by the name as it was sent. */
export const withDisplayName = (sent: SentFields): SentFields => ({ ...sent, displayName: sent['name'] });

export const PERSON_CHANGE_RULES = {
  displayName: parseDisplayName,
  ...PERSON_RULES,
  isActive: (value: unknown) => parseFlag('isActive', value),
  linksTo: personOf('linksTo'),
} satisfies Rules<unknown>;

export const TEAM_RULES = {
  name: nameOf((text) => parseKeyName(text.trim())),
  members: namesOf('members', 'UNKNOWN_PERSON', toPersonName),
} satisfies Rules<unknown>;

export const KEY_RULES = {
  name: nameOf(parseKeyName),
  scopes: parseKeyScopes,
  /** The person whose key it is; null for that of a service, undefined for the sender's. */
  owner: (value: unknown): Parsed<string | null | undefined> =>
    value === undefined || value === null ? accept(value) : personOf('owner')(value),
  expiresAt: (value: unknown, now: EpochMs): Parsed<EpochMs | null> =>
    value === undefined || value === null ? accept(null) : parseExpiresAt(value, now),
} satisfies Rules<EpochMs>;

/** `/api/people/names` lists names, so no request could change a person who is called so. */
const ENDPOINT = 'names';
const MAX_NAME_CHARACTERS = 128;

/**
 * Parses the name of a person, of every source: administrators, the provider of OpenID Connect, and the reverse proxy. The
 * value is as names are compared.
 */
export function parsePersonName(text: string): Parsed<string, string> {
  const parsed = parseKeyName(toPersonName(text), MAX_NAME_CHARACTERS);
  if (!parsed.ok) return parsed;
  if (parsed.value === ENDPOINT) return { ok: false, error: 'is reserved; choose another name' };
  return isPersonName(parsed.value)
    ? parsed
    : {
        ok: false,
        error: 'must have only letters of one script, digits, ASCII punctuation and single spaces',
      };
}

const MIN_PASSWORD_CHARACTERS = 12;

/** Parses the password that a person sets: long enough, and otherwise as the passwords of links. */
export function parseNewPassword(field: string, value: unknown): Parsed<string> {
  const parsed = parsePassword(value);
  if (!parsed.ok) return { ok: false, error: { ...parsed.error, field } };
  const password = parsed.value ?? '';
  return [...password].length >= MIN_PASSWORD_CHARACTERS
    ? accept(password)
    : refuse(field, 'PASSWORD_TOO_SHORT', `must be at least ${MIN_PASSWORD_CHARACTERS} characters`, {
        min: MIN_PASSWORD_CHARACTERS,
      });
}
