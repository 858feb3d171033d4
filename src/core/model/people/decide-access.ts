import type { Holder, Relation } from '../owner.ts';
import type { Caller, Scope } from './caller.ts';

/**
 * The credentials that a route needs where strangers may not do everything. `nothing` ignores credentials. `optional` checks them
 * and works without. `sign-in` needs any key or user, and a scope needs a key or user that has it.
 */
export type AccessNeed = 'nothing' | 'optional' | 'sign-in' | Scope;

/** The proof that a request sends: who it comes from, how that is related to the link, and how the token of a link compares. */
export type Proof = {
  caller: Caller | 'INVALID_KEY';
  relation: Relation;
  linkToken: 'NONE' | 'MATCHES' | 'FOREIGN';
};

/** The decision on a request: it may go on, or its credentials are not enough, with the reason. */
export type AccessDecision =
  | 'ALLOWED'
  | 'INVALID_KEY'
  | 'FOREIGN_TOKEN'
  | 'SIGN_IN_REQUIRED'
  | 'INSUFFICIENT_SCOPE';

/**
 * Decides whether a request may do what its route does. Credentials that are sent and wrong are refused even where
 * none are needed, because the client relies on them.
 */
export function decideAccess(mode: AccessMode, need: AccessNeed, proof: Proof): AccessDecision {
  const { caller, relation, linkToken } = proof;
  if (need === 'nothing') return 'ALLOWED';
  if (caller === 'INVALID_KEY') return 'INVALID_KEY';
  if (linkToken === 'FOREIGN') return 'FOREIGN_TOKEN';
  const isOfLink = relation !== 'NONE' || linkToken === 'MATCHES';
  if (mode === 'open' || need === 'optional' || isOfLink) return 'ALLOWED';
  if (caller.kind === 'ANONYMOUS') return 'SIGN_IN_REQUIRED';
  return hasScope(caller, need) ? 'ALLOWED' : 'INSUFFICIENT_SCOPE';
}

/** Returns whether a caller has signed in, and has a scope. */
export function hasScope(caller: Caller, need: 'sign-in' | Scope): boolean {
  return caller.kind !== 'ANONYMOUS' && (need === 'sign-in' || caller.scopes.includes(need));
}

const NO_HOLDER: Holder = { owner: null, teams: [] };

/** Returns what links know of a caller. Who may not create links does not manage own ones, nor those of teams. */
export function holderOf(caller: Caller): Holder {
  return caller.kind !== 'ANONYMOUS' && hasScope(caller, 'create') ? caller : NO_HOLDER;
}

/** `open` lets anyone do everything, as the specification has it; `keys` asks strangers for credentials. */
export type AccessMode = 'open' | 'keys';

/** The ways in which clients prove who they are. */
export type AccessSettings = Readonly<{
  mode: AccessMode;
  /** A key with all scopes that is in no store. */
  initialKey: string | null;
  /** The header in which a trusted proxy names its user, in lower case. */
  userHeader: string | null;
  userScopes: readonly Scope[];
}>;
