import type { Scope } from '../../access/scopes.ts';
import { parseAllowedHosts, parseScopes, parseSecret, parseUserHeader } from '../access-parsers.ts';
import { oneOf } from '../parsers.ts';
import { define } from '../property.ts';

/** Who may do what. */
export const ACCESS_PROPERTIES = {
  access: define<'open' | 'keys'>({
    name: 'app.access',
    fallback: 'open',
    parse: oneOf(['open', 'keys']),
    meaning:
      'open: anyone may create, describe and revoke links and read statistics; keys: that takes an API key, a signed-in user, or the token of the link',
  }),
  initialKey: define<string | null>({
    name: 'app.access.initial-key',
    fallback: null,
    shown: '(unset)',
    parse: parseSecret,
    meaning: 'API key with all scopes that is valid as long as it is set, at least 32 characters',
    optional: true,
    secret: true,
  }),
  secret: define<string | null>({
    name: 'app.secret',
    fallback: null,
    shown: '(unset)',
    parse: parseSecret,
    meaning:
      'secret of all instances, at least 32 characters, which encrypts the tokens of links in stored responses; unset: with SQLite, the service creates one in a file next to the database; with PostgreSQL, no tokens are stored',
    optional: true,
    secret: true,
  }),
  userHeader: define<string | null>({
    name: 'app.access.user-header',
    fallback: null,
    shown: '(unset)',
    parse: parseUserHeader,
    meaning:
      'header in which a reverse proxy names its signed-in user, such as Remote-User; believed only from app.trusted-proxies, which must be set',
    optional: true,
  }),
  userScopes: define<Scope[]>({
    name: 'app.access.user-scopes',
    fallback: ['create', 'read', 'manage'],
    shown: 'create,read,manage',
    parse: parseScopes,
    meaning: 'what a user of app.access.user-header may do: create, read, manage, metrics, or none',
  }),
  allowedHosts: define<string[]>({
    name: 'app.allowed-hosts',
    fallback: [],
    shown: 'none',
    parse: parseAllowedHosts,
    meaning:
      'further host names of the service, separated by commas; *.example allows every name below example. IP addresses, localhost, names without a dot, *.local and the host of app.base-url are always allowed. Links, health and metrics open under any name',
  }),
};
