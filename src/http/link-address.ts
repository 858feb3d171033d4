import type { IncomingMessage } from 'node:http';
import type { LinkHosts } from '../links/rules/target-url.ts';
import { LINK_CODE, toShortCode } from '../links/short-code.ts';
import { pathOf, toSentCode } from './path.ts';

/** Where every service opens links. */
const CONTRACT_PATH = '/l/';
/** Most codes: the whole rule takes 0.5 µs. */
const PLAIN = /^[\w-]{1,100}$/;

/** The addresses under which links are shown and opened. */
export type LinkAddresses = {
  /** Returns the address of a link. `host`: of its own; absent or unknown for that of `app.base-url`. */
  urlOf(link: { shortCode: string; host?: string | undefined }): string;
  /** Returns where in a path the address of a link begins; 0 for another path. */
  startOf(path: string): number;
  /** Returns true for an attempt to open a link: GET, HEAD or POST of such an address. */
  isVisit(request: IncomingMessage): boolean;
  /** Keeps the paths of a route from being addresses of links. */
  reserve(route: string): void;
};

type Settings = { baseUrl: string; shortPath: string; hosts: LinkHosts };

export function createLinkAddresses({ baseUrl, shortPath, hosts }: Settings): LinkAddresses {
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
    if (path.startsWith(CONTRACT_PATH)) return CONTRACT_PATH.length;
    if (shortPath === CONTRACT_PATH || !path.startsWith(shortPath)) return 0;
    return shortPath !== '/' || canFollowRoot(path.slice(1)) ? shortPath.length : 0;
  }

  return {
    urlOf({ shortCode, host }) {
      const isOwn = host !== undefined && hosts.has(host);
      const base = isOwn ? `${protocol}//${host}${port && `:${port}`}` : baseUrl;
      const code = encodeCode(shortCode);
      return base + (shortPath === '/' && !canFollowRoot(code) ? CONTRACT_PATH : shortPath) + code;
    },
    startOf,
    isVisit: (request) => isVisitMethod(request) && startOf(pathOf(request)) > 0,
    reserve(route) {
      const [, first = ''] = route.split('/', 2);
      reserved.add(first);
      if (shortPath === `/${first}/` && shortPath !== CONTRACT_PATH)
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
