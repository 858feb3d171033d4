/** Host names that stand for the machine that resolves them. */
const LOOPBACK = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Returns the URL under which a link is shown, copied and shared. While `app.base-url` is unset, the API
 * builds links under `localhost`, which works on the server's machine only. Such a link is shown below the
 * URL of the page's service instead.
 */
export function toShareableUrl(link: { accessUrl: string; shortCode: string }, serviceRoot: string): string {
  const isLocal = LOOPBACK.test(new URL(link.accessUrl).hostname);
  return isLocal ? new URL(`l/${link.shortCode}`, serviceRoot).href : link.accessUrl;
}
