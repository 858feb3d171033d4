import type { IncomingMessage } from 'node:http';
import type { Config } from '../core/config/config.ts';
import type { SentAddress } from '../core/model/forward-address.ts';
import { tryToDecode } from '../core/model/percent-encoding.ts';
import { LINK_CODE, toShortCode, withoutTrailingCharacters } from '../core/model/short-code.ts';

const ORIGIN = /^https?:\/\/[^/?#]*/i;
/** The path below which every service opens links. */
const VISIT_PREFIX = '/l/';
const LINK_PREFIX = '/api/links/';
/** The paths that a name follows: of a person, a key or a team. */
const NAME_PREFIX = /^\/api\/(?:people|keys|teams)\//;
/** Endpoints below these paths have names of lower-case letters. */
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
 * Returns a URL that the framework routes by the path as it was sent. Only a short code or a name may be percent-encoded,
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
  const [namePrefix] = NAME_PREFIX.exec(path) ?? [];
  if (namePrefix !== undefined) return namePrefix + withSentName(path.slice(namePrefix.length));
  if (!path.startsWith(LINK_PREFIX)) return asSent(path);
  // The code is replaced only by what can be one: another text must not become the name of another endpoint.
  const [sentCode = '', ...rest] = path.slice(LINK_PREFIX.length).split('/');
  const code = toShortCode(tryToDecode(sentCode) ?? sentCode, LINK_CODE);
  const isCode = code !== undefined && (RANDOM_CODE.test(code) || !ENDPOINT.test(code));
  return LINK_PREFIX + [isCode ? encodeURIComponent(code) : asSent(sentCode), ...rest.map(asSent)].join('/');
}

/** Keeps the encoding of a name, unless it could hide the name of an endpoint. */
function withSentName(path: string): string {
  const [sent = '', ...rest] = path.split('/');
  const name = tryToDecode(sent);
  const isName = name !== undefined && !ENDPOINT.test(name);
  return [isName ? encodeURIComponent(name) : asSent(sent), ...rest.map(asSent)].join('/');
}

/** Encodes a path so that the framework decodes it to the text as it was sent. */
function asSent(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('#', '%23');
}

/** Returns the short code that a text of a path stands for; the text as it was sent where it cannot be percent-decoded. */
export function toSentCode(text: string): string {
  return text.includes('%') ? (tryToDecode(text)?.normalize('NFC') ?? text) : text;
}

/** Returns the reference that leads from a visited address to the same one without trailing characters. */
export function referenceWithoutTrailingCharacters({ url = '' }: { url?: string | undefined }): string {
  const sent = pathOf({ url });
  const wanted = withoutTrailingCharacters(toSentCode(sent));
  let end = sent.length;
  while (end > 0 && toSentCode(sent.slice(0, end)) !== wanted) end -= 1;
  const path = sent.slice(0, end);
  const upwards = '../'.repeat(sent.slice(end).split('/').length - 1) || './';
  const query = url.indexOf('?');
  return upwards + path.slice(path.lastIndexOf('/') + 1) + (query === -1 ? '' : url.slice(query));
}

/** Returns a visited address with its query; undefined if it has neither a path nor a query. */
export function toSentAddress({ url = '' }: IncomingMessage, path: string): SentAddress | undefined {
  const end = url.indexOf('?');
  if (end === -1 && !path.includes('/')) return undefined;
  return { path, query: end === -1 ? '' : url.slice(end + 1) };
}

/** Most codes: the whole rule takes 0.5 µs. */
const PLAIN = /^[\w-]{1,100}$/;

/** The addresses under which links are shown and opened. */
export type LinkAddresses = {
  /** Returns the address of a link. `host`: of its own; null or unknown for that of `app.base-url`. */
  urlOf(link: { shortCode: string; terms: { host: string | null } }): string;
  /** Returns where in a path the address of a link begins; 0 for another path. */
  startOf(path: string): number;
  /** Returns true for an attempt to open a link: GET, HEAD or POST of such an address. */
  isVisit(request: IncomingMessage): boolean;
  /** Keeps the paths of a route from being addresses of links. */
  reserve(route: string): void;
};

export function createLinkAddresses({
  baseUrl,
  shortPath,
  hosts,
}: Pick<Config, 'baseUrl' | 'shortPath' | 'hosts'>): LinkAddresses {
  const { protocol, port } = new URL(baseUrl);
  const reserved = new Set<string>();

  /** Returns whether a code can follow the root: it is no path of the service, and no file that programs ask for. */
  function canFollowRoot(address: string): boolean {
    const end = address.indexOf('/');
    const code = toSentCode(end === -1 ? address : address.slice(0, end));
    if (reserved.has(code)) return false;
    return PLAIN.test(code) || (!code.includes('.') && toShortCode(code, LINK_CODE) !== undefined);
  }

  function startOf(path: string): number {
    if (path.startsWith(VISIT_PREFIX)) return VISIT_PREFIX.length;
    if (shortPath === VISIT_PREFIX || !path.startsWith(shortPath)) return 0;
    return shortPath !== '/' || canFollowRoot(path.slice(1)) ? shortPath.length : 0;
  }

  return {
    urlOf({ shortCode, terms: { host } }) {
      const isOwn = host !== null && hosts.has(host);
      const base = isOwn ? `${protocol}//${host}${port && `:${port}`}` : baseUrl;
      const code = encodeCode(shortCode);
      return base + (shortPath === '/' && !canFollowRoot(code) ? VISIT_PREFIX : shortPath) + code;
    },
    startOf,
    isVisit: (request) => isVisitMethod(request) && startOf(pathOf(request)) > 0,
    reserve(route) {
      const [, first = ''] = route.split('/', 2);
      reserved.add(first);
      if (shortPath === `/${first}/` && shortPath !== VISIT_PREFIX)
        throw new Error(
          `app.short-path: ${shortPath} has paths of the service; choose another, such as /go/`,
        );
    },
  };
}

/** Returns true for the methods that open links. */
export function isVisitMethod({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'POST';
}

/** Returns a short code as it is written in an address. */
export function encodeCode(shortCode: string): string {
  return shortCode.split('/').map(encodeURIComponent).join('/');
}
