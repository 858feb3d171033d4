import type { IncomingMessage } from 'node:http';
import type { SentAddress } from '../links/forward-address.ts';
import { LINK_CODE, toShortCode } from '../links/short-code.ts';

const ORIGIN = /^https?:\/\/[^/?#]*/i;
const VISIT_PREFIX = '/l/';
const LINK_PREFIX = '/api/links/';
/** Endpoints below /api/links/ have names of lower-case letters. */
const ENDPOINT = /^[a-z]+$/;
const RANDOM_CODE = /^[A-Za-z0-9]{8}$/;

/** Returns a request's path as it was sent: without the query, and without the origin of an absolute URL. */
export function pathOf(request: { url?: string | undefined }): string {
  const url = withoutOrigin(request.url ?? '/');
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

/** Removes the origin of an absolute URL, after which a query may follow without a path (RFC 9112, 3.2.2). */
function withoutOrigin(url: string): string {
  if (url.startsWith('/')) return url;
  const rest = url.replace(ORIGIN, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/**
 * Returns a URL that the framework routes by the path as it was sent. Only the short code may be percent-encoded,
 * or `DELETE /%6c/…` would pass the rule of a proxy for `/l/`. Any other `%` stands for itself, and so does `#`, at
 * which the framework would cut the path.
 */
export function toRoutableUrl(sentUrl: string): string {
  const url = withoutOrigin(sentUrl);
  const path = pathOf({ url });
  if (!path.includes('%') && !path.includes('#')) return url;
  return routablePath(path) + url.slice(path.length);
}

function routablePath(path: string): string {
  if (path.startsWith(VISIT_PREFIX)) {
    const rest = path.slice(VISIT_PREFIX.length);
    return VISIT_PREFIX + (tryToDecode(rest) === undefined ? asSent(rest) : rest.replaceAll('#', '%23'));
  }
  if (!path.startsWith(LINK_PREFIX)) return asSent(path);
  // The code is replaced only by what can be one: another text must not become the name of another endpoint.
  const [sentCode = '', ...rest] = path.slice(LINK_PREFIX.length).split('/');
  const code = toShortCode(tryToDecode(sentCode) ?? sentCode, LINK_CODE);
  const isCode = code !== undefined && (RANDOM_CODE.test(code) || !ENDPOINT.test(code));
  return LINK_PREFIX + [isCode ? encodeURIComponent(code) : asSent(sentCode), ...rest.map(asSent)].join('/');
}

/** Encodes a path so that the framework decodes it to the text as it was sent. */
function asSent(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('#', '%23');
}

/** Returns the short code that a text of a path stands for; the text as it was sent where it cannot be percent-decoded. */
export function toSentCode(text: string): string {
  return text.includes('%') ? (tryToDecode(text)?.normalize('NFC') ?? text) : text;
}

/** Returns a visited address with its query; undefined if it has neither a path nor a query. */
export function toSentAddress({ url = '' }: IncomingMessage, path: string): SentAddress | undefined {
  const end = url.indexOf('?');
  if (end === -1 && !path.includes('/')) return undefined;
  return { path, query: end === -1 ? '' : url.slice(end + 1) };
}

function tryToDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
