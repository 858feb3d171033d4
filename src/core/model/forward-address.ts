import type { LinkDefinition } from './link.ts';
import { fitsLocation, MAX_LOCATION_BYTES } from './location.ts';
import { decodeLeniently, encodeUnsafe, tryToDecode } from './percent-encoding.ts';
import { MAX_SEGMENTS } from './short-code.ts';

/** The address that was sent in place of a short code, if it has a path or a query. `query` has no `?`. */
export type SentAddress = { path: string; query: string };

/** Returns the codes that an address with a path can begin with, the longest first, each with the path after it. */
export function beginningsOf(address: string): { shortCode: string; path: string }[] {
  const beginnings: { shortCode: string; path: string }[] = [];
  for (let end = address.indexOf('/'); end > 0 && beginnings.length < MAX_SEGMENTS; ) {
    const sent = address.slice(0, end);
    beginnings.unshift({ shortCode: (tryToDecode(sent) ?? sent).normalize('NFC'), path: address.slice(end) });
    end = address.indexOf('/', end + 1);
  }
  return beginnings;
}

/** The characters of a path by RFC 3986, and brackets, which browsers send as they are. */
const PATH = /^(?:[\w.~!$&'()*+,;=:@/[\]-]|%[\dA-F]{2})+$/i;
/** A target may decode a path more than once, or cut parameters off a segment, before it reads the dots. */
const UNSAFE_SEGMENT = /[/\\\p{Cc}]|^\s*\.{1,2}\s*(?:;|$)/u;
/** UTF-8 for an ASCII character with more bytes than it needs, which a lenient target may read as that character. */
const OVERLONG = /%(?:C[01]%[89AB]|E0%[89]|F0%8)/i;
const ENCODED = /%[\dA-F]{2}/i;
const MAX_DECODINGS = 4;

/**
 * Returns the link that a visited address leads to: its target has what the link passes on of the address. Returns
 * undefined for an address that leads to no link: with a path that the link does not pass on, or that could leave the
 * path of the target. Parameters of the target stay: of two with one name, programs read different ones. A query is left
 * out where the URL would be too long.
 */
export function forwardAddress(
  link: LinkDefinition,
  { path, query }: SentAddress,
): LinkDefinition | undefined {
  const { target } = link;
  if (path !== '' && !link.terms.forwardPath) return undefined;
  if (target.type !== 'REDIRECT') return path === '' ? link : undefined;
  const below = path === '' ? target.url : appendPath(target.url, path);
  if (path !== '' && (!isSafePath(path) || !fitsLocation(below))) return undefined;
  const joined =
    link.terms.forwardQuery && query.length <= MAX_LOCATION_BYTES ? addQuery(below, query) : below;
  const url = fitsLocation(joined) ? joined : below;
  return url === target.url ? link : { ...link, target: { type: 'REDIRECT', url } };
}

/** Returns whether no reader of a path finds a segment in it that leads upwards or to another host. */
function isSafePath(path: string): boolean {
  if (!PATH.test(path)) return false;
  const segments = path.slice(1).split('/');
  return segments.every(
    (segment, index) => isSafeSegment(segment) && (segment !== '' || index === segments.length - 1),
  );
}

function isSafeSegment(segment: string): boolean {
  let text = segment;
  for (let decodings = 0; decodings < MAX_DECODINGS; decodings++) {
    if (UNSAFE_SEGMENT.test(text) || OVERLONG.test(text)) return false;
    if (text.includes('\ufffd') && ENCODED.test(text)) return false; // the bytes of one character, some encoded twice
    const decoded = decodeLeniently(text);
    if (decoded === text) return true;
    text = decoded;
  }
  return false;
}

/** The parts of a URL around its query. */
function split(url: string): { base: string; query: string; fragment: string } {
  const {
    base = '',
    query = '',
    fragment = '',
  } = /^(?<base>[^?#]*)(?<query>\?[^#]*)?(?<fragment>#.*)?$/s.exec(url)?.groups ?? {};
  return { base, query, fragment };
}

function appendPath(url: string, path: string): string {
  const { base, query, fragment } = split(url);
  return base.replace(/\/$/, '') + path + query + fragment;
}

/** Adds the parameters that the target does not have, as they were sent: a visitor cannot replace those of its creator. */
function addQuery(url: string, sent: string): string {
  const { base, query, fragment } = split(url);
  const own = new Set(new URLSearchParams(query).keys());
  const names = new URLSearchParams(`?${sent}`).keys(); // of the pieces that are not empty
  const added = sent.split('&').filter((piece) => piece === '' || !own.has(names.next().value ?? ''));
  if (added.every((piece) => piece === '')) return url;
  const appended = encodeUnsafe(added.join('&')).replaceAll('#', '%23');
  return `${base}${query === '' ? '?' : `${query}&`}${appended}${fragment}`;
}
