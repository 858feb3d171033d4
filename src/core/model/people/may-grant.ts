import { type Caller, SCOPES, type Scope } from './caller.ts';

/** With these, the links of others are what own ones are. Who gives links, or a place in a team, must have them. */
export const LINK_SCOPES = ['read', 'manage'] as const satisfies Scope[];

/** Returns what comes with the account of a person: who may create links has own ones, and those of teams. */
export function withLinks(scopes: readonly Scope[]): readonly Scope[] {
  return scopes.includes('create') ? [...scopes, ...LINK_SCOPES] : scopes;
}

/**
 * Returns whether a caller may give scopes to a person or to a key, or let a person with these scopes sign in. A person
 * who has signed in as an administrator may give all. A key, and the user of a proxy, give only what they have: else a key
 * of few scopes could make itself one of all.
 */
export function mayGrant(caller: Caller, scopes: readonly Scope[]): boolean {
  if (caller.kind === 'ANONYMOUS') return false;
  const isAdministrator = caller.session !== undefined && caller.scopes.includes('admin');
  const grantable: readonly Scope[] = isAdministrator ? SCOPES : caller.scopes;
  return scopes.every((scope) => grantable.includes(scope));
}
