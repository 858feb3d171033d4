import { type BlockedHosts, findBlockingEntry } from './blocked-hosts.ts';
import { hostNameOf } from './host-name.ts';
import { accept, type Parsed, refuse } from './parsed.ts';

/** The administrator's limits on the targets of new links. */
export type TargetPolicy = Readonly<{
  /** The public address of the service. */
  baseUrl: string;
  /** Returns the current list. */
  blockedHosts: () => BlockedHosts;
}>;

const FIELD = 'targetUrl';

/** Refuses a valid target on a blocked host, and one that leads back to the service, which could redirect in a loop. */
export function checkTarget(targetUrl: string, { baseUrl, blockedHosts }: TargetPolicy): Parsed<string> {
  const url = new URL(targetUrl);
  const blocking = findBlockingEntry(blockedHosts(), hostNameOf(url));
  if (blocking !== undefined) {
    const text = `must not lead to ${blocking}, which this service blocks`;
    return refuse(FIELD, 'TARGET_BLOCKED', text, { host: blocking });
  }
  return leadsTo(new URL(baseUrl), url)
    ? refuse(FIELD, 'TARGET_IS_THIS_SERVICE', 'must not lead to this service')
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
  served.pathname = `${decode(url.pathname)}/`.replace(/\/{2,}/g, '/');
  return served.pathname;
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // not valid percent-encoding, so no path of the service
  }
}
