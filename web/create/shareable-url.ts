/** Host names that mean "this machine" to every machine. */
const LOOPBACK = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Returns the URL under which a link is shown, copied and shared. While `app.base-url` is unset, the API builds links
 * under `localhost`, which works on the server's machine only. Such a link is shown under the page's own URL.
 */
export function shareableUrl(
  { accessUrl, shortCode }: { accessUrl: string; shortCode: string },
  pageUrl = document.baseURI,
): string {
  const isLocal = LOOPBACK.test(new URL(accessUrl).hostname);
  return isLocal ? new URL(`l/${shortCode}`, pageUrl).href : accessUrl;
}
