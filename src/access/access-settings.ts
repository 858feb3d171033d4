import type { Scope } from './scopes.ts';

/** `open` lets anyone do everything, as the specification has it; `keys` asks strangers for credentials. */
export type AccessMode = 'open' | 'keys';

/** How clients prove who they are. */
export type AccessSettings = Readonly<{
  mode: AccessMode;
  /** A key with all scopes that is in no store. */
  initialKey: string | null;
  /** The header in which a trusted proxy names its user, in lower case. */
  userHeader: string | null;
  userScopes: readonly Scope[];
}>;
