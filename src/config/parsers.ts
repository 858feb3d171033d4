import { BlockList, isIP } from 'node:net';
import { accept, type Parsed } from '../links/rules/parsed.ts';
import { isHttpUrl } from '../links/rules/target-url.ts';
import { containsEveryAddress } from './address-ranges.ts';

/**
 * Parses the text of one property and never throws. The error says what the text must be, as the end of a
 * sentence that does not quote the text.
 */
export type Parser<T> = (text: string) => Parsed<T, string>;

export const refuse = (error: string): Parsed<never, string> => ({ ok: false, error });

/** Accepts one of a few words, written exactly so. */
export function oneOf<const W extends string>(words: readonly W[]): Parser<W> {
  return (text) => {
    const word = words.find((candidate) => candidate === text);
    return word === undefined ? refuse(`must be one of ${words.join(', ')}`) : accept(word);
  };
}

const HOST_LABEL = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
const HOST_NAME = new RegExp(`^(?=.{1,253}$)(${HOST_LABEL}\\.)*${HOST_LABEL}$`, 'i');
/** "256.1.1.1" and "1.2.3" are malformed addresses, although they match the pattern of a host name. */
const LIKE_IPV4 = /(^|\.)[0-9]+$/;

export const isHostName = (text: string): boolean => HOST_NAME.test(text) && !LIKE_IPV4.test(text);

/** Parses an IP address, IPv6 without brackets, or a host name. */
export const parseHost: Parser<string> = (text) =>
  isIP(text) !== 0 || isHostName(text)
    ? accept(text)
    : refuse('must be an IP address (IPv6 without brackets) or a host name, such as 127.0.0.1 or ::');

export const parsePort: Parser<number> = wholeNumber(1, 65_535);

/** Stricter than the URL parser, which silently corrects white space, backslashes and an empty user name. */
const BASE_URL = /^https?:\/\/[^/?#@\\\s]+(\/[^?#\\\s]*)?$/i;

/** Parses an http or https URL, optionally with a path. The normalised value does not end in a slash. */
export const parseBaseUrl: Parser<string> = (text) => {
  const url = BASE_URL.test(text) && isHttpUrl(text) ? URL.parse(text) : null;
  return url
    ? accept(url.href.replace(/(?<!\/)\/+$/, ''))
    : refuse(
        'must be an http or https URL without credentials, query or fragment, such as https://links.example',
      );
};

export const parseDirectory: Parser<string> = (text) =>
  isPath(text) ? accept(text) : refuse('must be the path of a directory, such as /var/lib/postern/uploads');

/** Returns whether a text can be the path of a file. */
export const isPath = (text: string): boolean => text.trim() !== '' && !text.includes('\u0000');

/** Years and months have no fixed length; measured from here, a century has its 36,525 days. */
const CENTURY_START = Temporal.PlainDate.from('2000-01-01');
const CENTURY_MS = durationMs(Temporal.Duration.from('P100Y'));

function durationMs(duration: Temporal.Duration): number {
  return duration.total({ unit: 'milliseconds', relativeTo: CENTURY_START });
}

/** Parses an ISO 8601 duration from a millisecond, the resolution of an expiry, to 100 years. */
export const parseDuration: Parser<Temporal.Duration> = (text) => {
  try {
    const duration = Temporal.Duration.from(text);
    const ms = durationMs(duration);
    if (ms >= 1 && ms <= CENTURY_MS) return accept(duration);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return refuse(
    'must be an ISO 8601 duration, such as PT24H or P7D, of at least a millisecond and at most 100 years',
  );
};

const RATE = /^([1-9][0-9]{0,8})\/(P.+)$/;
const MAX_WINDOW_MS = 24 * 3_600_000;

/** Parses a number of events in a period, such as `10/PT15M`; `none` is no limit. */
export const parseRate: Parser<{ events: number; windowMs: number } | null> = (text) => {
  if (text.trim() === 'none') return accept(null);
  const [, events, period = ''] = RATE.exec(text) ?? [];
  const parsed = parseDuration(period);
  const windowMs = parsed.ok ? durationMs(parsed.value) : 0;
  return windowMs >= 1_000 && windowMs <= MAX_WINDOW_MS
    ? accept({ events: Number(events), windowMs })
    : refuse('must be none, or a number and an ISO 8601 duration from PT1S to PT24H, such as 10/PT15M');
};

const MIN_TIMEOUT_MS = 100;
const MAX_TIMEOUT_MS = 3_600_000;

/** Parses an ISO 8601 duration from a tenth of a second to an hour, in milliseconds. */
export const parseTimeout: Parser<number> = (text) => {
  const parsed = parseDuration(text);
  const ms = parsed.ok ? durationMs(parsed.value) : 0;
  return ms >= MIN_TIMEOUT_MS && ms <= MAX_TIMEOUT_MS
    ? accept(ms)
    : refuse('must be an ISO 8601 duration from PT0.1S to PT1H, such as PT5S');
};

/** Accepts a whole number within bounds. */
export function wholeNumber(min: number, max: number): Parser<number> {
  return (text) => {
    const value = /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max
      ? accept(value)
      : refuse(`must be a whole number from ${min} to ${max}`);
  };
}

const SIZE = /^([0-9]+)(B|KB|MB|GB)?$/i;
const UNIT_BYTES = new Map([
  ['B', 1],
  ['KB', 1024],
  ['MB', 1024 ** 2],
  ['GB', 1024 ** 3],
]);

/** Parses a size in bytes: `50MB` or a bare number of bytes. Units are powers of 1024, in either case. */
export const parseSize: Parser<number> = (text) => {
  const [, digits, unit = 'B'] = SIZE.exec(text) ?? [];
  const bytes = Number(digits) * (UNIT_BYTES.get(unit.toUpperCase()) ?? Number.NaN);
  return bytes >= 1 && bytes <= Number.MAX_SAFE_INTEGER
    ? accept(bytes)
    : refuse(
        `must be a number with the unit B, KB, MB or GB, or a bare number of bytes, such as 50MB, from 1 to ${Number.MAX_SAFE_INTEGER} bytes`,
      );
};

/** Parses a size in bytes like `parseSize`, or 0. */
export const parseSizeOrZero: Parser<number> = (text) => {
  if (/^0+(B|KB|MB|GB)?$/i.test(text)) return accept(0);
  const parsed = parseSize(text);
  return parsed.ok ? parsed : refuse(`${parsed.error}, or 0`);
};

/** Parses a size for each second; `0` and `none` are 0. */
export const parseByteRate: Parser<number> = (text) => {
  if (text === 'none' || text === '0') return accept(0);
  const parsed = parseSize(text);
  return parsed.ok
    ? parsed
    : refuse('must be none, or a number of bytes with the unit B, KB, MB or GB, such as 1KB');
};

const ORIGIN = /^https?:\/\/[^/?#@\\\s*]+$/i;

/** Parses `none`, `*` alone, or origins, which are normalised as browsers send them. */
export const parseOrigins: Parser<string[]> = (text) =>
  text.trim() === '*'
    ? accept(['*'])
    : parseList(
        text,
        (item) => (ORIGIN.test(item) ? URL.parse(item)?.origin : undefined),
        'must be none, * alone, or http and https origins without a path, separated by commas, such as https://app.example',
      );

/** Parses `none`, or IP addresses and CIDRs in the one form that no library reads differently. */
export const parseTrustedProxies: Parser<string[]> = (text) => {
  const parsed = parseList(
    text,
    (item) => (isAddressRange(item) ? item : undefined),
    'must be none, or IP addresses and CIDRs separated by commas, such as 10.0.0.0/8,::1 (a prefix of /0 would let any client forge its address)',
  );
  if (!parsed.ok || !containsEveryAddress(parsed.value)) return parsed;
  return refuse(
    'must not contain all of IPv4 or of IPv6, which would let any client forge its address; name only your proxies',
  );
};

/** Returns whether a text is an IP address or a CIDR, in the one form that no library reads differently. */
export function isAddressRange(item: string): boolean {
  const [address = '', prefix, ...rest] = item.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^[1-9][0-9]{0,2}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128);
}

/** Parses items separated by commas and optional white space; `none` is an empty list. */
export function parseList<T>(
  text: string,
  parseItem: (item: string) => T | undefined,
  error: string,
): Parsed<T[], string> {
  if (text.trim() === 'none') return accept([]);
  const values: T[] = [];
  for (const [index, item] of text.split(',').entries()) {
    const value = parseItem(item.trim());
    if (value === undefined) return refuse(`${error}; see entry ${index + 1}`);
    values.push(value);
  }
  return accept(values);
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Returns whether a host, as `parseHost` accepts it, can be reached from its own machine only. */
export function isLoopback(host: string): boolean {
  const version = isIP(host);
  if (version === 0) return host.toLowerCase() === 'localhost';
  return LOOPBACK.check(host, version === 4 ? 'ipv4' : 'ipv6');
}
