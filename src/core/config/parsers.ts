import type { Buffer } from 'node:buffer';
import { BlockList, isIP } from 'node:net';
import { codeOf } from '../../common/error-details.ts';
import { accept, type Parsed } from '../model/parsed.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../model/time-units.ts';
import { isHttpUrl } from '../rules/target-url.ts';

/**
 * Parses the text of one property and never throws. The error says what the text must be, as the end of a
 * sentence that does not quote the text.
 */
export type Parser<T> = (text: string) => Parsed<T, string>;

export const refuse = (error: string): Parsed<never, string> => ({ ok: false, error });

/**
 * Returns the bytes at a path. With `maxBytes`, it must be a regular file, and of a longer one so many bytes and one more
 * are returned. May throw.
 */
export type ReadFile = (path: string, maxBytes?: number) => Buffer;

/** Returns the value of a text, or what the text must be. Where it is a path, the file is read. */
export type PropertyParser<T> = (text: string, readFile: ReadFile) => Parsed<T, string>;

/** The file that a property names. `content` is a noun with its article, `limit` shows `maxBytes` to people. */
type FileKind<T> = {
  content: string;
  maxBytes: number;
  limit: string;
  parse(bytes: Buffer): Parsed<T, string>;
};

/** Returns the parser of a property whose value is the path of a file. It reads and parses that file. */
export function fileParser<T>({ content, maxBytes, limit, parse }: FileKind<T>): PropertyParser<T> {
  return (path, readFile) => {
    if (!isPath(path)) return refuse(`must be the path of ${content}`);
    let bytes: Buffer;
    try {
      bytes = readFile(path, maxBytes);
    } catch (error) {
      return refuse(`cannot be read${describeCode(error)}; it must be the path of ${content}`);
    }
    if (bytes.length > maxBytes) return refuse(`is too large; it must have at most ${limit}`);
    return parse(bytes);
  };
}

/** Returns a system error's code in parentheses, to append to a sentence; empty where there is none. */
export function describeCode(error: unknown): string {
  const code = codeOf(error);
  return code === undefined ? '' : ` (${String(code)})`;
}

/** Parses `true` or `false`. */
export const parseBoolean: Parser<boolean> = (text) =>
  text === 'true' || text === 'false' ? accept(text === 'true') : refuse('must be one of true, false');

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

/** Returns the end of the error of host names: how one outside ASCII is written. */
export function punycodeHint(text: string): string {
  const name = text.split(/[\s,=:/*]+\.?/).find((part) => /[^\0-\x7f]/.test(part));
  const ascii = name && URL.parse(`http://${name}`)?.hostname;
  return ascii ? `; write ${name} as ${ascii}` : '';
}

/** Parses an IP address, IPv6 without brackets, or a host name. */
export const parseHost: Parser<string> = (text) =>
  isIP(text) !== 0 || isHostName(text)
    ? accept(text)
    : refuse(
        `must be an IP address (IPv6 without brackets) or a host name, such as 127.0.0.1 or ::${punycodeHint(text)}`,
      );

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

/** Parses the path of a file that the service makes, so that its directory must exist. */
export const parseNewFile: Parser<string> = (text) =>
  isPath(text) && !/[/\\]$/.test(text)
    ? accept(text)
    : refuse('must be the path of a file, such as /var/lib/postern/evidence-key');

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

/** Parses an ISO 8601 duration of at least a day: what is stored is erased a whole day at a time. */
export const parseRetention: Parser<Temporal.Duration> = (text) => {
  const parsed = parseDuration(text);
  return parsed.ok && durationMs(parsed.value) >= DAY_MS
    ? parsed
    : refuse('must be an ISO 8601 duration from P1D to P100Y, such as P90D');
};

/** Accepts an ISO 8601 duration within bounds, as milliseconds. */
function millisecondsWithin(minMs: number, maxMs: number, error: string): Parser<number> {
  return (text) => {
    const parsed = parseDuration(text);
    const ms = parsed.ok ? durationMs(parsed.value) : Number.NaN;
    return ms >= minMs && ms <= maxMs ? accept(ms) : refuse(error);
  };
}

export const parseCheckInterval = millisecondsWithin(
  5 * MINUTE_MS,
  CENTURY_MS,
  'must be an ISO 8601 duration of at least 5 minutes, such as PT8H',
);
export const parseTimeout = millisecondsWithin(
  100,
  HOUR_MS,
  'must be an ISO 8601 duration from PT0.1S to PT1H, such as PT5S',
);
export const parseLease = millisecondsWithin(
  MINUTE_MS,
  30 * DAY_MS,
  'must be an ISO 8601 duration from PT1M to P30D, such as PT24H',
);

const RATE = /^([1-9][0-9]{0,8})\/(P.+)$/;
const parseWindow = millisecondsWithin(1_000, DAY_MS, '');

/** Parses a number of events in a period, such as `10/PT15M`; `none` is no limit. */
export const parseRate: Parser<{ events: number; windowMs: number } | null> = (text) => {
  if (text.trim() === 'none') return accept(null);
  const [, events, period = ''] = RATE.exec(text) ?? [];
  const window = parseWindow(period);
  return window.ok
    ? accept({ events: Number(events), windowMs: window.value })
    : refuse('must be none, or a number and an ISO 8601 duration from PT1S to PT24H, such as 10/PT15M');
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

const MIN_CHUNK_BYTES = 5 * 1024 ** 2;

/** Parses a size of at least 5 MB, below which a large file would take too many requests. */
export const parseChunkSize: Parser<number> = (text) => {
  const parsed = parseSize(text);
  return parsed.ok && parsed.value < MIN_CHUNK_BYTES ? refuse('must be at least 5MB') : parsed;
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

/** An origin of a page, or of an extension of a browser, such as chrome-extension or moz-extension. */
const ORIGIN = /^(?:https?|([a-z]+-)+extension):\/\/[^/?#@\\\s*]+$/i;

/** Parses `none`, `*` alone, or origins, which are normalised as browsers send them. */
export const parseOrigins: Parser<string[]> = (text) =>
  text.trim() === '*'
    ? accept(['*'])
    : parseList(
        text,
        (item) => (ORIGIN.test(item) ? toOrigin(item.toLowerCase()) : undefined),
        'must be none, * alone, or origins without a path (https, http, or of an extension of a browser), separated by commas, such as https://app.example or chrome-extension://ID',
      );

/** `URL` knows no origin of an extension. */
const toOrigin = (text: string): string | undefined =>
  text.startsWith('http') ? URL.parse(text)?.origin : text;

/** IPv4 within IPv6 is here: a range would be one of all IPv4. */
const LOW_IPV6 = new BlockList();
LOW_IPV6.addSubnet('::', 7, 'ipv6');

/**
 * Parses `none`, or IP addresses and CIDRs, in the one form that no library reads differently. A range that is larger than
 * any network is refused: it would let any client pretend to be a proxy.
 */
export const parseNetworks: Parser<string[]> = (text) =>
  parseList(
    text,
    (item) => (isNetwork(item) ? item : undefined),
    'must be none, or IP addresses and CIDRs separated by commas, such as 10.1.2.0/24,fd00::/8, with at least /8 for IPv4 and /7 for IPv6',
  );

function isNetwork(item: string): boolean {
  const [address = '', prefix, ...rest] = item.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return false;
  if (prefix === undefined) return true;
  const bits = version === 4 ? 32 : 128;
  const minPrefix = version === 4 ? 8 : LOW_IPV6.check(address, 'ipv6') ? bits : 7;
  return /^[1-9][0-9]{0,2}$/.test(prefix) && Number(prefix) >= minPrefix && Number(prefix) <= bits;
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
