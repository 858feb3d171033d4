import { serviceUrl } from '../service/requests.ts';

/** Host names that stand for the machine that resolves them. */
const LOOPBACK = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Returns the URL under which a link is shown, copied and shared. While `app.base-url` is unset, the API
 * builds links under `localhost`, which works on the server's machine only. Such a link is shown below the
 * URL of the page's service instead.
 */
export function toShareableUrl({ accessUrl }: { accessUrl: string }, serviceRoot: string): string {
  const { hostname, pathname } = new URL(accessUrl);
  if (!LOOPBACK.test(hostname)) return accessUrl;
  const root = new URL('.', serviceRoot);
  return new URL(pathname.startsWith(root.pathname) ? pathname : pathname.slice(1), root).href;
}

/** Returns the URL under which the pages of this service share a link. */
export function sharedUrlOf(link: { accessUrl: string }): string {
  return toShareableUrl(link, serviceUrl('').href);
}

/** Returns a link's URL as people read it: with the letters of its code, of which an address has the bytes. */
export function toReadableUrl(url: string): string {
  return decodeURI(url);
}

/** Returns a link's URL as people read it, without `https://`. */
export function toShortUrl(url: string): string {
  return toReadableUrl(url).replace(/^https?:\/\//, '');
}
