import { encodeUnsafe } from './percent-encoding.ts';

/** "The encoded text may have 8,192 bytes", so that proxies and clients take the header. */
export const MAX_LOCATION_BYTES = 8192;

export const fitsLocation = (url: string): boolean => toLocation(url).length <= MAX_LOCATION_BYTES;

const VISIBLE_ASCII = /^[\x21-\x7e]*$/;

const UNTIL_PORT = /^(https?:\/\/(?:[^/?#\\]*@)?)([^/?#\\:]*)/i;

/**
 * Returns a `Location`. "A target outside ASCII is encoded in `Location` alone: its host in Punycode, the rest in
 * percent-encoding." Any text becomes a legal header value.
 */
export function toLocation(targetUrl: string): string {
  if (VISIBLE_ASCII.test(targetUrl)) return targetUrl;
  const [start = '', beforeHost = '', host = ''] = UNTIL_PORT.exec(targetUrl) ?? [];
  const ascii = VISIBLE_ASCII.test(host) ? host : (URL.parse(targetUrl)?.hostname ?? host);
  return encodeUnsafe(beforeHost + ascii + targetUrl.slice(start.length));
}
