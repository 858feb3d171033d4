import type { Caller } from './contract.ts';

/** The links that are shown: those that the caller owns, or all. */
export type Whose = 'mine' | 'all';

/** Returns whose links the user sees first: people their own, as do those who may not see all, and a key of a program all. */
export function whoseFirst(caller: Caller | null): Whose {
  const isPerson = caller?.owner.kind === 'USER';
  return isPerson || !seesAll(caller) ? 'mine' : 'all';
}

/** Returns whether the user may see the links of all, as far as that is known. */
export function seesAll(caller: Caller | null): boolean {
  return caller?.scopes.includes('read') ?? true;
}
