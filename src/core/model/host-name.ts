import { toPlainAddress } from './ip-address.ts';
import { tryToDecode } from './percent-encoding.ts';

/** DNS has no longer names, without the root's dot, and no longer labels. */
const MAX_NAME_CHARACTERS = 253;
const MAX_LABEL_CHARACTERS = 63;
/** The dot of Chinese and Japanese is one for the URL parser, too (Unicode Technical Standard 46). */
const DOT = /[.\u3002]/;

/** Returns whether a host name is not too long for DNS. */
export function isOfDnsLength(name: string): boolean {
  const absolute = name.replace(/\.$/, '');
  return (
    absolute.length <= MAX_NAME_CHARACTERS &&
    absolute.split(DOT).every((label) => label.length <= MAX_LABEL_CHARACTERS)
  );
}

/**
 * Returns whether the URL parser may get an authority, `user:password@host:port`. It takes 30 ms for a label of 2,700
 * different Chinese characters, and four times as long for twice as many.
 */
export function isParsableAuthority(authority: string): boolean {
  const host = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '');
  const name = tryToDecode(host);
  if (name === undefined || name.length > 2 * MAX_NAME_CHARACTERS) return false;
  return isOfDnsLength(name.normalize('NFKC')); // as the parser does it, which takes long for many accents, too
}

/**
 * Returns the host of a URL in one spelling: ASCII in lower case without the root's dot, IPv4 as four decimal
 * numbers, IPv6 in brackets. The URL parser normalises the rest (Unicode, percent-encoding, `0x7f.1`).
 */
export function hostNameOf({ hostname }: URL): string {
  if (hostname.startsWith('[')) {
    const address = toPlainAddress(hostname.slice(1, -1));
    return address === null || address.includes(':') ? hostname : address;
  }
  let end = hostname.length;
  while (hostname[end - 1] === '.') end -= 1; // a regular expression would take quadratic time
  return end === 0 ? hostname : hostname.slice(0, end); // `http://.` leads to the root alone
}

/** Returns the name's parent domains, beginning with the shortest, then the name itself. */
export function* suffixesOf(hostName: string): Generator<string> {
  let start = hostName.length;
  while (start > 0) {
    start = hostName.lastIndexOf('.', start - 1);
    yield hostName.slice(start + 1);
  }
}
