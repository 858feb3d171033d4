import { SCOPES, type Scope } from '../access/scopes.ts';
import { accept } from '../links/rules/parsed.ts';
import { isHostName, type Parser, parseList, refuse } from './parsers.ts';

const MIN_SECRET_CHARACTERS = 32;
const MAX_SECRET_CHARACTERS = 512;
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/** Parses a key or secret that the administrator chooses, which must be as hard to guess as a generated one. */
export const parseSecret: Parser<string> = (text) =>
  VISIBLE_ASCII.test(text) && text.length >= MIN_SECRET_CHARACTERS && text.length <= MAX_SECRET_CHARACTERS
    ? accept(text)
    : refuse(
        `must be ${MIN_SECRET_CHARACTERS} to ${MAX_SECRET_CHARACTERS} visible ASCII characters without spaces; generate it, for example with openssl rand -hex 32`,
      );

const FIELD_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;
/** Headers with a meaning of their own, which clients send themselves. */
const OTHER_HEADERS = [
  ...['authorization', 'connection', 'content-length', 'content-type', 'cookie', 'forwarded', 'host'],
  ...['origin', 'user-agent', 'x-correlation-id', 'x-link-password', 'x-link-token'],
];

/** Parses the name of the header in which a reverse proxy names its user; header names have no case. */
export const parseUserHeader: Parser<string> = (text) => {
  const name = text.toLowerCase();
  return FIELD_NAME.test(name) && !OTHER_HEADERS.includes(name) && !name.startsWith('x-forwarded-for')
    ? accept(name)
    : refuse('must be the name of a header that only the reverse proxy sets, such as Remote-User');
};

/** Parses scopes separated by commas, or `none`. */
export const parseScopes: Parser<Scope[]> = (text) =>
  parseList(
    text,
    (item) => SCOPES.find((scope) => scope === item),
    `must be none, or scopes separated by commas: ${SCOPES.join(', ')}`,
  );

/** Parses `none`, or names separated by commas: `links.example` is one host, `*.example` all below it. */
export const parseAllowedHosts: Parser<string[]> = (text) =>
  parseList(
    text,
    (item) => (isHostName(item.replace(/^\*\./, '')) ? item.toLowerCase() : undefined),
    'must be none, or host names without a port, separated by commas, such as links.example, or *.example for all names below it',
  );
