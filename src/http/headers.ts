import { Buffer, isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import Negotiator from 'negotiator';

/**
 * Returns a `Content-Disposition`: "Sent as `attachment; filename="…"`, and with `filename*=UTF-8''…` beside
 * it where it is not plain ASCII" (RFC 6266, RFC 8187). Any name becomes a legal header value.
 */
export function contentDisposition(fileName: string): string {
  const ascii = fileName.replace(/[^\x20-\x7e]/gu, '_');
  const quoted = ascii.replace(/["\\]/g, '\\$&');
  const attachment = `attachment; filename="${quoted}"`;
  return ascii === fileName ? attachment : `${attachment}; filename*=UTF-8''${encodeExtended(fileName)}`;
}

/** Percent-encodes for RFC 8187, which allows fewer characters than encodeURIComponent leaves unencoded. */
function encodeExtended(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed());
  return encoded.replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Returns a `Repr-Digest` (RFC 9530) from a SHA-256 in hexadecimal digits. */
export function toDigestField(sha256: string): string {
  return `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`;
}

const VISIBLE_ASCII = /^[\x21-\x7e]*$/;

/**
 * Returns a `Location`: "A target outside ASCII is percent-encoded in `Location` alone." Any text
 * becomes a legal header value: spaces and controls, which no accepted target has, are encoded too.
 */
export function toLocationHeader(targetUrl: string): string {
  if (VISIBLE_ASCII.test(targetUrl)) return targetUrl;
  return targetUrl.toWellFormed().replace(/[^\x21-\x7e]+/g, (run) => encodeURIComponent(run));
}

/**
 * Decodes `X-Link-Password`: "as UTF-8 where they are valid UTF-8, else as Latin-1". Returns null for a
 * missing or blank header.
 *
 * Nothing is trimmed: the last byte of `à` is A0, which as a character of its own is white space.
 */
export function decodePasswordHeader(value: string | undefined): string | null {
  if (value === undefined) return null;
  const password = decodeHeaderText(value);
  return password.trim() === '' ? null : password;
}

export const BEYOND_ASCII = /[\x80-\xff]/;

/**
 * Decodes a header's value, of which Node makes one character for each byte: as UTF-8 where valid, else as
 * Latin-1.
 */
export function decodeHeaderText(value: string): string {
  if (!BEYOND_ASCII.test(value)) return value;
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : value;
}

/** Returns true for a request with a body that is not empty. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Returns true for a request with several lines of a header, of which Node keeps the first and a proxy may read the
 * last. @param wanted the name in lower case
 */
export function hasSeveral({ rawHeaders }: IncomingMessage, wanted: 'host' | 'authorization'): boolean {
  let lines = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === wanted.length && name.toLowerCase() === wanted) lines += 1;
  }
  return lines > 1;
}

type Accept = IncomingHttpHeaders['accept'];

/** Clients send far less. Parsing all of 32 KB takes 5 ms. */
const MAX_PARSED_CHARACTERS = 1_000;

/** Returns true when a failure gets a page: `Accept` names `text/html` and not `application/json`. */
export function wantsPage(accept: Accept): boolean {
  return namesType(accept, 'text/html') && !wantsJson(accept);
}

/** "`Accept` selects JSON when it names `application/json` (any case) with a quality above 0." */
export function wantsJson(accept: Accept): boolean {
  return namesType(accept, 'application/json');
}

/** Returns true when a header names a type with a quality above 0. A wildcard names none. */
function namesType(accept: Accept, type: string): boolean {
  // Every visit comes here: most headers are decided without parsing them.
  if (accept === undefined || accept === '*/*') return false;
  const lowerCase = accept.toLowerCase();
  if (lowerCase === type) return true;
  if (!lowerCase.includes(type)) return false;
  return new Negotiator({ headers: { accept: boundForParsing(lowerCase, type) } })
    .mediaTypes()
    .includes(type);
}

/** Returns the header, or of a long one only the entries that name the type, up to the bound. */
function boundForParsing(accept: string, type: string): string {
  if (accept.length <= MAX_PARSED_CHARACTERS) return accept;
  const entries = accept.split(',').filter((entry) => entry.includes(type));
  return entries.join(',').slice(0, MAX_PARSED_CHARACTERS);
}

/** Returns the first of these media types that the client prefers; the first of all where it names none. */
export function preferredType<Type extends string>(accept: Accept, types: readonly [Type, ...Type[]]): Type {
  const [first] = types;
  if (accept === undefined) return first;
  const headers = { accept: accept.toLowerCase().slice(0, MAX_PARSED_CHARACTERS) };
  const preferred = new Negotiator({ headers }).mediaType([...types]);
  return types.find((type) => type === preferred) ?? first;
}
