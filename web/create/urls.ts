/** Matches a host name with at least one dot, at the beginning of a URL whose scheme was left out. */
const HOST =
  /^(?:[\p{L}\p{N}_](?:[\p{L}\p{N}_-]*[\p{L}\p{N}_])?\.)+(?:\p{L}{2,}|xn--[a-z\d-]+)(?::\d+)?(?=[/?#]|$)/iu;

/** Adds `https://` to a URL that was typed without a scheme, such as `example.com`. Other texts stay as typed. */
export function completeTargetUrl(text: string): string {
  const trimmed = text.trim();
  const completed = `https://${trimmed}`;
  return HOST.test(trimmed) && URL.canParse(completed) ? completed : trimmed;
}

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
