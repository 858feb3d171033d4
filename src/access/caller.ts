import type { Scope } from './scopes.ts';

/** A client that has proved who it is: with an API key, or through the sign-in of a reverse proxy. */
export type SignedIn = { kind: 'KEY' | 'USER'; name: string; scopes: readonly Scope[] };

/** Who sends a request. */
export type Caller = { kind: 'ANONYMOUS' } | SignedIn;

export const ANONYMOUS: Caller = { kind: 'ANONYMOUS' };
