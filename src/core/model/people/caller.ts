import { type Author, anonymous } from '../author.ts';
import type { Session } from './session.ts';

/**
 * A client that has proved who it is: with an API key, with a session, or through the sign-in of a reverse proxy. A COMMAND is
 * one of the administrator's, on the machine of the service.
 */
export type SignedIn = {
  kind: 'KEY' | 'USER' | 'COMMAND';
  name: string;
  scopes: readonly Scope[];
  /** The owner of what the caller creates: `USER ada` for a person and for the person's keys, `KEY ci` for a service key. */
  owner: string;
  /** The names of the teams of the person; empty for the key of a service. */
  teams: readonly string[];
  /** The session of a person who has signed in on the pages. */
  session?: Pick<Session, 'hash' | 'personId'>;
  /** The verified address of that person, if there is one. */
  email?: string | null;
};

/** The sender of a request. */
export type Caller = { kind: 'ANONYMOUS' } | SignedIn;

export const ANONYMOUS: Caller = { kind: 'ANONYMOUS' };

/**
 * The rights of a key, or of a signed-in user. `read` includes lists and statistics, `manage` changes of any link, and
 * `admin` people, teams and the keys of others; with `manage` also erasures, and with `create` as well imports.
 */
export const SCOPES = ['create', 'read', 'manage', 'metrics', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** Returns the author of a change. A name is worth more to a history than the token of the link. */
export function authorOf(caller: Caller, hasLinkToken: boolean, ipAddress: string | null): Author {
  if (caller.kind !== 'ANONYMOUS') return { kind: caller.kind, name: caller.name, ipAddress };
  return hasLinkToken ? { kind: 'LINK_TOKEN', name: null, ipAddress } : anonymous(ipAddress);
}

/** The sender of a request: its rights, and its name in histories. */
export type Actor = { caller: Caller; author: Author };

/** Returns who owns what a caller creates; undefined: its author. */
export function newOwnerOf(caller: Caller): string | undefined {
  return caller.kind === 'ANONYMOUS' ? undefined : caller.owner;
}
