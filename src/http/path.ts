import type { IncomingMessage } from 'node:http';

/** The path of a request as it was sent, without its query, and without the scheme and host of the absolute form. */
export function pathOf(request: { url?: string | undefined }): string {
  const url = request.url ?? '/';
  const query = url.indexOf('?');
  const path = query === -1 ? url : url.slice(0, query);
  return path.startsWith('/') ? path : path.replace(ORIGIN, '') || '/';
}

const ORIGIN = /^https?:\/\/[^/]*/i;

/**
 * A URL whose path cannot be percent-decoded is routed as if each `%` in it stood for itself: a short code may
 * be any text, and a stranger's typing error is no reason for another answer than "not found".
 */
export function toRoutableUrl(sentUrl: string): string {
  const url = sentUrl.replace(ORIGIN, '');
  if (!url.includes('%')) return url;
  const path = pathOf({ url });
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return url.replace(path, () => path.replaceAll('%', '%25'));
  }
}

/** Whatever follows stands in the place of the short code, also with slashes in it. */
export const VISITED_PATHS = '/l/';

/** Whether a request is an attempt to open a link: GET, HEAD or POST below `/l/`. */
export function isVisit(request: IncomingMessage): boolean {
  const { method } = request;
  return (
    (method === 'GET' || method === 'HEAD' || method === 'POST') && pathOf(request).startsWith(VISITED_PATHS)
  );
}
