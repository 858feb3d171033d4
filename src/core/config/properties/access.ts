import { accept } from '../../model/parsed.ts';
import { SCOPES, type Scope } from '../../model/people/caller.ts';
import {
  isHostName,
  isLoopback,
  oneOf,
  type Parser,
  parseBaseUrl,
  parseBoolean,
  parseCheckInterval,
  parseList,
  punycodeHint,
  refuse,
} from '../parsers.ts';
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
    `must be none, or host names without a port, separated by commas, such as links.example, or *.example for all names below it${punycodeHint(text)}`,
  );

/** Parses the issuer of a provider, which is compared with what the provider calls itself: its slash at the end counts. */
const parseIssuer: Parser<string> = (text) => {
  const url = parseBaseUrl(text).ok ? URL.parse(text) : null;
  return url && (url.protocol === 'https:' || isLoopback(url.hostname))
    ? accept(text)
    : refuse(
        'must be the https address that the provider calls its issuer, such as https://login.example/realms/main',
      );
};

const parseAscii: Parser<string> = (text) =>
  /^[!-~]+(?: [!-~]+)*$/.test(text) ? accept(text) : refuse('must be visible ASCII characters');

/** Parses groups with their scopes: `staff=create;admins=create,read,manage`. `*` stands for everybody. */
const parseGroupScopes: Parser<ReadonlyMap<string, Scope[]>> = (text) => {
  const groups = text.split(';').map((pair) => {
    const end = Math.max(0, pair.lastIndexOf('=')); // a group may be a name of LDAP, with more of them
    return { group: pair.slice(0, end).trim(), scopes: parseScopes(pair.slice(end + 1)) };
  });
  const read = groups.flatMap(({ group, scopes }) =>
    group && scopes.ok ? [[group, scopes.value] as const] : [],
  );
  return read.length === groups.length
    ? accept(new Map(read))
    : refuse(`must be groups with scopes, such as staff=create;admins=${SCOPES.join(',')}`);
};

/** The rights of clients. */
export const ACCESS_PROPERTIES = {
  access: {
    mode: define({
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
      meaning: 'what a user of app.access.user-header may do: create, read, manage, metrics, admin, or none',
    }),
  },
  secret: unset({
    name: 'app.secret',
    parse: parseSecret,
    meaning: 'secret of all instances, at least 32 characters, with which repeated creations are compared',
    secret: true,
  }),
  signIn: {
    provider: {
      issuer: unset({
        name: 'app.oidc.issuer',
        parse: parseIssuer,
        meaning: 'issuer of OpenID Connect at which people sign in',
      }),
      clientId: unset(
        {
          name: 'app.oidc.client-id',
          parse: parseAscii,
          meaning: 'the name by which the issuer knows this service',
        },
        '',
      ),
      clientSecret: unset({
        name: 'app.oidc.client-secret',
        parse: parseAscii,
        meaning: 'the secret of this service at the issuer; unset for a public client',
        secret: true,
      }),
      scopes: define({
        name: 'app.oidc.scopes',
        byDefault: 'openid profile email',
        parse: parseAscii,
        meaning: 'what the service asks the issuer for; some send groups only if asked for groups',
      }),
      groupsClaim: define({
        name: 'app.oidc.groups-claim',
        byDefault: 'groups',
        parse: parseAscii,
        meaning: 'claim with the groups of a person, of the ID token or of userinfo',
      }),
      groupScopes: unset({
        name: 'app.oidc.group-scopes',
        parse: parseGroupScopes,
        meaning:
          'scopes of the members of groups, read at each sign-in, such as staff=create;admins=create,read,manage,metrics,admin; * stands for everybody who signs in there',
      }),
      trustsEmail: define({
        name: 'app.oidc.trust-email',
        byDefault: 'false',
        parse: parseBoolean,
        meaning:
          'true: addresses of the issuer count as verified without email_verified; only for an issuer whose people cannot choose their own',
      }),
    },
    checkMs: define({
      name: 'app.oidc.check-interval',
      byDefault: 'PT8H',
      parse: parseCheckInterval,
      meaning:
        'time after which a person signs in at the issuer again, at least 5 minutes; the pages do so by themselves',
    }),
    isEmergencyOnly: define({
      name: 'app.oidc.only',
      byDefault: 'false',
      parse: parseBoolean,
      meaning: 'true: only emergency accounts sign in with a password',
    }),
  },
  allowedHosts: define({
    name: 'app.allowed-hosts',
    byDefault: 'none',
    parse: parseAllowedHosts,
    meaning:
      'further host names of the service, separated by commas; *.example allows every name below example',
  }),
};
