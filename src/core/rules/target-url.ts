import { hostNameOf, isOfDnsLength, isParsableAuthority } from '../model/host-name.ts';
import { fitsLocation, MAX_LOCATION_BYTES } from '../model/location.ts';
import { accept, type Parsed, refuse } from '../model/parsed.ts';
import { tryToDecode } from '../model/percent-encoding.ts';
import { type BlockedHosts, findBlockingEntry } from './blocked-hosts.ts';

const INVALID = 'must be a valid URL';

/**
 * Matches http or https with a host. An authority with a backslash is refused, because parsers disagree on
 * its end: `http://a\@b` leads to a in a browser, and to b by RFC 3986.
 */
const HTTP_AUTHORITY = /^https?:\/\/([^/?#\\]+)(?:[/?#]|$)/i;

const WHITE_SPACE_OR_CONTROL = /[\s\p{Cc}]/u;

/** Reads "not blank; valid URL with `http://` or `https://`", "kept and returned verbatim". */
export function parseTargetUrl(value: unknown, field: string = 'targetUrl'): Parsed<string> {
  if (value === undefined || value === null) return refuse(field, 'TARGET_URL_MISSING', 'must not be blank');
  if (typeof value !== 'string') return refuse(field, 'INVALID_TARGET_URL', INVALID);
  if (value.trim() === '') return refuse(field, 'TARGET_URL_MISSING', 'must not be blank');
  const isLong = value.length > MAX_LOCATION_BYTES; // without parsing it
  if (!isLong && !isHttpUrl(value)) return refuse(field, 'INVALID_TARGET_URL', INVALID);
  if (!isLong && fitsLocation(value)) return accept(value);
  const text = `${INVALID} of at most ${MAX_LOCATION_BYTES} bytes in percent-encoding`;
  return refuse(field, 'TARGET_URL_TOO_LONG', text, { max: MAX_LOCATION_BYTES });
}

/** Returns whether a text is an http or https URL that all parsers read alike, with a host that DNS could have. */
export function isHttpUrl(text: string): boolean {
  // Checked first: the URL parser silently drops or encodes white space, controls and lone surrogates.
  if (!text.isWellFormed() || WHITE_SPACE_OR_CONTROL.test(text)) return false;
  const [, authority] = HTTP_AUTHORITY.exec(text) ?? [];
  if (authority === undefined || !isParsableAuthority(authority)) return false;
  const url = URL.parse(text);
  return url !== null && isOfDnsLength(url.hostname);
}

/** The host names for links alone, in lower case, with the URLs to which their roots lead; null for none. */
export type LinkHosts = ReadonlyMap<string, string | null>;

/** The administrator's limits on the targets of new links. */
export type TargetPolicy = Readonly<{
  /** The public address of the service. */
  baseUrl: string;
  hosts: LinkHosts;
  /** Returns the current list. */
  blockedHosts: () => BlockedHosts;
}>;

/** Refuses a valid target on a blocked host, and one that leads back to the service, which could redirect in a loop. */
export function checkTarget(
  targetUrl: string,
  { baseUrl, hosts, blockedHosts }: TargetPolicy,
  field: string = 'targetUrl',
): Parsed<string> {
  const url = new URL(targetUrl);
  const blocking = findBlockingEntry(blockedHosts(), hostNameOf(url));
  if (blocking !== undefined) {
    const text = `must not lead to ${blocking}, which this service blocks`;
    return refuse(field, 'TARGET_BLOCKED', text, { host: blocking });
  }
  return leadsTo(new URL(baseUrl), url) || hosts.has(hostNameOf(url))
    ? refuse(field, 'TARGET_IS_THIS_SERVICE', 'must not lead to this service')
    : accept(targetUrl);
}

/**
 * Returns true when a URL is at or below another one. The scheme does not matter: a service on the default port
 * of one scheme is usually behind a redirect from the other's.
 */
function leadsTo(base: URL, url: URL): boolean {
  return (
    hostNameOf(url) === hostNameOf(base) &&
    url.port === base.port &&
    servedPath(url).startsWith(servedPath(base))
  );
}

/** Returns a URL's path as a proxy may read it, decoded and without double slashes. It ends in a slash. */
function servedPath(url: URL): string {
  const served = new URL(url);
  const { pathname } = url;
  served.pathname = `${tryToDecode(pathname) ?? pathname}/`.replace(/\/{2,}/g, '/');
  return served.pathname;
}
