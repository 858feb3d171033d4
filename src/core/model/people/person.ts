import { randomBytes } from 'node:crypto';
import type { EpochMs } from '../link.ts';
import { DAY_MS } from '../time-units.ts';
import { SCOPES, type Scope } from './caller.ts';
import { hashSecret } from './hash-secret.ts';

/** A person who signs in. */
export type Person = {
  /** Random, and never changed. */
  id: string;
  /** Unique among all people, deactivated ones included, because histories name authors by it. See `parsePersonName`. */
  name: string;
  /** The name as pages and mails show it. No other person has one that is compared as equal. See `toDisplayName`. */
  displayName: string;
  email: string | null;
  isEmailVerified: boolean;
  /** The scopes that an administrator gave the person. See `scopesOf`. */
  scopes: Scope[];
  /** The groups that let the person do something, as the provider said at the last sign-in there. */
  groups: { name: string; scopes: Scope[] }[];
  /** True if the person may sign in with a password where `app.oidc.only` lets no other person. */
  isEmergency: boolean;
  /** Null for a person who has not set a password. */
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

/** The origin of a scope of a person: an administrator, or a group at the provider. */
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

/** The claims of a provider of OpenID Connect about a person at each sign-in. */
export type Profile = Pick<Person, 'email' | 'isEmailVerified' | 'groups'> & { identity: Identity };

/** The time in which a link sets a password. */
export const PASSWORD_LINK_MS = DAY_MS;
const SECRET_BYTES = 32;
/** Lets people and secret scanners recognise the secret. */
const LINK_PREFIX = 'setup_';

/** Returns a new person without a password, whose display name is another spelling of the name. */
export function newPerson(given: Pick<Person, 'name' | 'scopes' | 'createdAt'> & Partial<Person>): Person {
  return {
    id: randomBytes(16).toString('base64url'),
    displayName: given.name,
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
  return {
    hash: hashSecret(secret),
    expiresAt: now + PASSWORD_LINK_MS,
    url: passwordPageOf(baseUrl, secret),
  };
}

/** Returns the address of a password link. Browsers send no fragment, so neither proxies nor logs have the secret. */
export const passwordPageOf = (baseUrl: string, secret: string): string => `${baseUrl}/sign-in#${secret}`;
