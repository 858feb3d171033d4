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
