import { randomBytes } from 'node:crypto';
import type { EpochMs } from '../links/link.ts';
import type { LinkChange } from '../links/link-change.ts';
import { formatInstant } from '../links/rules/expiry-time.ts';
import { parsePassword } from '../links/rules/link-password.ts';
import { accept, type Parsed, refuse } from '../links/rules/parsed.ts';
import { isPersonName, toPersonName } from '../links/rules/person-name.ts';
import { DAY_MS } from '../links/time-units.ts';
import { hashSecret, type KeyStore, keyStateAt, parseKeyName, textTable } from './api-key.ts';
import { SCOPES, type Scope } from './caller.ts';
import type { AccessSettings } from './decide-access.ts';
import { type PersonChange, type PersonRefusal, personStateOf } from './decide-person-change.ts';
import type { Session } from './session.ts';

/** A person who signs in. */
export type Person = {
  /** Random, and never changed. */
  id: string;
  /** Unique among all people, deactivated ones included, because histories name authors by it. See `parsePersonName`. */
  name: string;
  email: string | null;
  isEmailVerified: boolean;
  /** What an administrator lets the person do. See `scopesOf`. */
  scopes: Scope[];
  /** The groups that let the person do something, as the provider said at the last sign-in there. */
  groups: { name: string; scopes: Scope[] }[];
  /** True if the person may sign in with a password where `app.oidc.only` lets no other person. */
  isEmergency: boolean;
  /** Null for a person who has not set a password, or signs in elsewhere. */
  passwordHash: string | null;
  /** The identity at a provider of OpenID Connect. */
  identity: Identity | null;
  /** The link with which the person sets a password. */
  link: PasswordLink | null;
  createdAt: EpochMs;
  lastSignInAt: EpochMs | null;
  deactivatedAt: EpochMs | null;
};

/** Returns what a person may do, by an administrator or by groups. */
export function scopesOf({ scopes, groups }: Pick<Person, 'scopes' | 'groups'>): Scope[] {
  return SCOPES.filter((scope) => [{ scopes }, ...groups].some((source) => source.scopes.includes(scope)));
}

/** Why a person has a scope: an administrator gave it, or a group at the provider does. */
export type ScopeSource = { scope: Scope; from: 'ADMINISTRATOR' | 'GROUP'; group: string | null };

export function scopeSourcesOf({ scopes, groups }: Pick<Person, 'scopes' | 'groups'>): ScopeSource[] {
  const given = scopes.map((scope) => ({ scope, from: 'ADMINISTRATOR' as const, group: null }));
  const ofGroups = groups.flatMap(({ name, scopes }) =>
    scopes.map((scope) => ({ scope, from: 'GROUP' as const, group: name })),
  );
  return [...given, ...ofGroups];
}

export type Identity = { issuer: string; subject: string };

/** A link that works once, by the hash of its secret. See `hashSecret`. */
export type PasswordLink = { hash: string; expiresAt: EpochMs };

/** What a provider of OpenID Connect says about a person at each sign-in. */
export type Profile = Pick<Person, 'email' | 'isEmailVerified' | 'groups'> & { identity: Identity };

/**
 * People and their sessions. A promise resolves only once its change is durable. Every instance of a store sees the
 * same ones at once.
 */
export interface PersonStore {
  /**
   * Adds a person, to teams as well. Of any number of calls with one name, or with one identity, one adds it. A name that
   * owns links is taken, unless `ownsLinks` says that they are the person's.
   */
  addPerson(
    person: Person,
    more?: { teams?: readonly string[]; ownsLinks?: boolean },
  ): Promise<'added' | 'name-taken' | 'identity-taken' | 'unknown-team'>;
  /** Returns a person by name, also a deactivated one. */
  findPerson(name: string): Promise<Person | undefined>;
  /** Returns the person with this identity, also a deactivated one. */
  findPersonByIdentity(identity: Identity): Promise<Person | undefined>;
  /** Lists all people, oldest first. */
  listPeople(): Promise<Person[]>;
  /**
   * Changes a person as `decidePersonChange` decides, in one transaction with all that follows: a deactivation ends the
   * sessions and the keys of the person, and passes the links on.
   */
  changePerson(name: string, wanted: PersonChange, change: LinkChange): Promise<'changed' | PersonRefusal>;
  /** Replaces the link with which a person sets a password. Returns false if no active person has the name. */
  setPasswordLink(name: string, link: PasswordLink): Promise<boolean>;
  /** Returns whether an active person has this link, unexpired. */
  hasPasswordLink(linkHash: string, at: EpochMs): Promise<boolean>;
  /**
   * Sets the password of the active person with an unexpired link, and ends all sessions of the person. Of any number of
   * calls with one link, one returns the person.
   */
  usePasswordLink(linkHash: string, passwordHash: string, at: EpochMs): Promise<Person | undefined>;
  /** Replaces a password unless it was replaced meanwhile, and ends all sessions of the person. */
  changePassword(personId: string, from: string, to: string): Promise<boolean>;
  /** Replaces what a provider says about a person, and adds the identity to a person without one. */
  updateProfile(personId: string, profile: Profile): Promise<void>;
  /** Adds a session of a person, records the sign-in, and deletes some expired sessions of anybody. */
  addSession(session: Session): Promise<void>;
  /** Returns the session with this hash of a person who is not deactivated, also an expired one, with what the person may do. */
  findSession(
    hash: string,
  ): Promise<(Session & Pick<Person, 'name' | 'scopes'> & { teams: string[] }) | undefined>;
  /** Lists the names of the teams of the active person with this name. Returns null for a deactivated person. */
  findTeamsOf(name: string): Promise<string[] | null>;
  /** Lists the sessions of a person, also expired ones, from the one used last. */
  listSessions(personId: string): Promise<Session[]>;
  /** Records a use of a session, and its new end, unless one was recorded after `before`. */
  recordSessionUse(hash: string, use: { at: EpochMs; expiresAt: EpochMs; before: EpochMs }): Promise<void>;
  /** Deletes a session of a person. Returns false if there is none. */
  endSession(personId: string, hash: string): Promise<boolean>;
}

/** The time in which a link sets a password. */
export const PASSWORD_LINK_MS = DAY_MS;
const SECRET_BYTES = 32;
/** Lets people and secret scanners recognise the secret. */
const LINK_PREFIX = 'setup_';

/** Returns a new person without a password. */
export function newPerson(given: Pick<Person, 'name' | 'scopes' | 'createdAt'> & Partial<Person>): Person {
  return {
    id: randomBytes(16).toString('base64url'),
    email: null,
    isEmailVerified: false,
    groups: [],
    isEmergency: false,
    passwordHash: null,
    identity: null,
    link: null,
    lastSignInAt: null,
    deactivatedAt: null,
    ...given,
  };
}

/** Returns a new link that sets a password, with the address of the page that it opens. */
export function newPasswordLink(baseUrl: string, now: EpochMs): PasswordLink & { url: string } {
  const secret = LINK_PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
  // Browsers send no fragment, so neither proxies nor logs have the secret.
  return { hash: hashSecret(secret), expiresAt: now + PASSWORD_LINK_MS, url: `${baseUrl}/sign-in#${secret}` };
}

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

const ADMINISTRATOR = 'admin';
/** Of instances that start together, one makes the link. */
const RENEW_AFTER_MS = 10_000;

/**
 * Returns the address of a page that sets the password of the first administrator, with all scopes, where the service asks
 * for credentials and there are none; else null. A later start replaces a link that was not used.
 */
export async function inviteAdministrator(
  { mode, initialKey, userHeader }: AccessSettings,
  { keys, people }: { keys: Pick<KeyStore, 'listKeys'>; people: Omit<PersonStore, 'changePerson'> },
  { baseUrl, now }: { baseUrl: string; now: EpochMs },
): Promise<string | null> {
  if (mode === 'open' || initialKey !== null || userHeader !== null) return null;
  if ((await keys.listKeys()).some((key) => keyStateAt(key, now) === 'active')) return null;
  const known = await people.listPeople();
  const admin = known.find(({ name }) => name === ADMINISTRATOR);
  const { url, ...link } = newPasswordLink(baseUrl, now);
  if (known.length === 0) {
    const person = newPerson({
      name: ADMINISTRATOR,
      scopes: [...SCOPES],
      isEmergency: true,
      createdAt: now,
      link,
    });
    return (await people.addPerson(person)) === 'added' ? url : null;
  }
  const isUnused = known.length === 1 && admin?.passwordHash === null && admin.identity === null;
  const madeAt = (admin?.link?.expiresAt ?? 0) - PASSWORD_LINK_MS;
  if (!isUnused || (now >= madeAt && now < madeAt + RENEW_AFTER_MS)) return null;
  return (await people.setPasswordLink(ADMINISTRATOR, link)) ? url : null;
}

const HEADINGS = ['name', 'scopes', 'created', 'last sign-in', 'signs in with', 'state'];

/** Returns a table of people for a terminal, without their hashes. */
export function peopleTable(people: readonly Person[]): string {
  const rows = people.map((person) => [
    person.name,
    scopesOf(person).join(',') || 'none',
    formatInstant(person.createdAt),
    person.lastSignInAt === null ? 'never' : formatInstant(person.lastSignInAt),
    [person.passwordHash && 'password', person.identity && 'OpenID Connect'].filter(Boolean).join(', ') ||
      'nothing yet',
    personStateOf(person).toLowerCase(),
  ]);
  return textTable([HEADINGS, ...rows]);
}
