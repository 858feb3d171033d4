import { SCOPES, type Scope } from '../../core/model/people/caller.ts';
import { parseScopes } from '../../service/config/read-flags.ts';

/** What each scope allows, for a terminal. */
const SCOPE_TEXTS = {
  create: 'create links',
  read: 'read links, lists and statistics',
  manage: 'change and revoke any link',
  metrics: 'read the metrics',
  admin: 'manage people, teams and the keys of others; with manage also erase, with create too import',
} as const satisfies Record<Scope, string>;

/** The scopes in the help of a command. */
export const SCOPES_HELP = `Scopes:\n${SCOPES.map((scope) => `  ${scope.padEnd(7)}  ${SCOPE_TEXTS[scope]}`).join('\n')}`;

/** Returns the option for the scopes of a person or a key. */
export const scopesOption = (what: 'person' | 'key') =>
  ({
    type: 'string',
    value: 'LIST',
    help: `What the ${what} may do: scopes of the list above, separated by commas`,
    parse: parseScopes,
    missing: `say what the ${what} may do, such as --scopes=create,read; the scopes are ${SCOPES.join(', ')}`,
  }) as const;
