import { SCOPES, type Scope } from '../../access/caller.ts';
import { accept } from '../../links/rules/parsed.ts';
import { isHostName, oneOf, type Parser, parseList, refuse } from '../parsers.ts';
import { define, unset } from '../property.ts';

const MIN_SECRET_CHARACTERS = 32;
const MAX_SECRET_CHARACTERS = 512;
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/** Parses a key or secret that the administrator chooses, which must be as hard to guess as a generated one. */
const parseSecret: Parser<string> = (text) =>
  VISIBLE_ASCII.test(text) && text.length >= MIN_SECRET_CHARACTERS && text.length <= MAX_SECRET_CHARACTERS
    ? accept(text)
    : refuse(
        `must be ${MIN_SECRET_CHARACTERS} to ${MAX_SECRET_CHARACTERS} visible ASCII characters without spaces; generate it, for example with openssl rand -hex 32`,
      );

const FIELD_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;
/** Headers with a meaning of their own, which clients send themselves. */
const OTHER_HEADERS = [
  ...['authorization', 'connection', 'content-length', 'content-type', 'cookie', 'forwarded', 'host'],
  ...['origin', 'traceparent', 'user-agent', 'x-correlation-id', 'x-link-password', 'x-link-token'],
  'x-request-id',
];

/** Parses the name of the header in which a reverse proxy names its user; header names have no case. */
const parseUserHeader: Parser<string> = (text) => {
  const name = text.toLowerCase();
  return FIELD_NAME.test(name) && !OTHER_HEADERS.includes(name) && !name.startsWith('x-forwarded-for')
    ? accept(name)
    : refuse('must be the name of a header that only the reverse proxy sets, such as Remote-User');
};

/** Parses scopes separated by commas, or `none`. */
const parseScopes: Parser<Scope[]> = (text) =>
  parseList(
    text,
    (item) => SCOPES.find((scope) => scope === item),
    `must be none, or scopes separated by commas: ${SCOPES.join(', ')}`,
  );

/** Parses `none`, or names separated by commas: `links.example` is one host, `*.example` all below it. */
const parseAllowedHosts: Parser<string[]> = (text) =>
  parseList(
    text,
    (item) => (isHostName(item.replace(/^\*\./, '')) ? item.toLowerCase() : undefined),
    'must be none, or host names without a port, separated by commas, such as links.example, or *.example for all names below it',
  );

/** The rights of clients. */
export const ACCESS_PROPERTIES = {
  access: define({
    name: 'app.access',
    byDefault: 'open',
    parse: oneOf(['open', 'keys']),
    meaning:
      'open: anyone may create, describe and revoke links and read statistics; keys: that takes an API key, a signed-in user, or the token of the link',
  }),
  initialKey: unset({
    name: 'app.access.initial-key',
    parse: parseSecret,
    meaning: 'API key with all scopes that is valid as long as it is set, at least 32 characters',
    secret: true,
  }),
  secret: unset({
    name: 'app.secret',
    parse: parseSecret,
    meaning:
      'secret of all instances, at least 32 characters, which encrypts the tokens of links in stored responses; unset: with SQLite, the service creates one in a file next to the database; with PostgreSQL, no tokens are stored',
    secret: true,
  }),
  userHeader: unset({
    name: 'app.access.user-header',
    parse: parseUserHeader,
    meaning:
      'header in which a reverse proxy names its signed-in user, such as Remote-User; believed only from app.trusted-proxies, which must be set',
  }),
  userScopes: define({
    name: 'app.access.user-scopes',
    byDefault: 'create,read,manage',
    parse: parseScopes,
    meaning: 'what a user of app.access.user-header may do: create, read, manage, metrics, or none',
  }),
  allowedHosts: define({
    name: 'app.allowed-hosts',
    byDefault: 'none',
    parse: parseAllowedHosts,
    meaning:
      'further host names of the service, separated by commas; *.example allows every name below example. IP addresses, localhost, names without a dot, *.local and the host of app.base-url are always allowed. Links, health and metrics open under any name',
  }),
};
