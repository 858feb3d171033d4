/** Matches a host name with at least one dot, at the beginning of a URL whose scheme was left out. */
const HOST =
  /^(?:[\p{L}\p{N}_](?:[\p{L}\p{N}_-]*[\p{L}\p{N}_])?\.)+(?:\p{L}{2,}|xn--[a-z\d-]+)(?::\d+)?(?=[/?#]|$)/iu;

/** Adds `https://` to a URL that was typed without a scheme, such as `example.com`. Other texts stay as typed. */
export function completeTargetUrl(text: string): string {
  const trimmed = text.trim();
  const completed = `https://${trimmed}`;
  return HOST.test(trimmed) && URL.canParse(completed) ? completed : trimmed;
}
