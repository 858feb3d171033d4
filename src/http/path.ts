import type { IncomingMessage } from 'node:http';

const ORIGIN = /^https?:\/\/[^/]*/i;

/** Returns a request's path as it was sent: without the query, and without the origin of an absolute URL. */
export function pathOf(request: { url?: string | undefined }): string {
  const url = request.url ?? '/';
  const query = url.indexOf('?');
  const path = query === -1 ? url : url.slice(0, query);
  return path.startsWith('/') ? path : path.replace(ORIGIN, '') || '/';
}

/**
 * Returns a URL that the framework can route. Each `%` of a path that cannot be percent-decoded stands for
 * itself: a mistyped path gets the same 404 as any other.
 */
export function toRoutableUrl(sentUrl: string): string {
  const url = sentUrl.replace(ORIGIN, '');
  if (!url.includes('%')) return url;
  const path = pathOf({ url });
  return tryToDecode(path) === undefined ? url.replace(path, () => path.replaceAll('%', '%25')) : url;
}

/** The short code follows. The `l` may be percent-encoded (RFC 3986, 6.2.2.2). */
const VISIT_PATH = /^\/(?:l|%6[cC])\//;

/** Returns true for an attempt to open a link: GET, HEAD or POST below `/l/`. */
export function isVisit(request: IncomingMessage): boolean {
  const { method } = request;
  return (method === 'GET' || method === 'HEAD' || method === 'POST') && VISIT_PATH.test(pathOf(request));
}

/** Returns the text in place of the short code; as it was sent where it cannot be percent-decoded. */
export function shortCodeOf(request: IncomingMessage): string {
  const path = pathOf(request);
  const text = path.slice(path.indexOf('/', 1) + 1);
  return text.includes('%') ? (tryToDecode(text) ?? text) : text;
}

function tryToDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
