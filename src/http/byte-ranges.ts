import type { IncomingMessage } from 'node:http';
import { isLeaseToken } from '../core/model/lease.ts';
import type { ByteRange } from '../core/use-cases/files/resume-download.ts';

/** Digits that are a safe integer. */
const ONE_RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/i;
const FIRST_BYTE = /^bytes=\s*(\d*)-/i;

/**
 * Reads `Range` (RFC 9110, 14.2). Returns null where there is none that is obeyed: of several ranges none is, so that
 * all of the file is sent.
 */
export function rangeOf({ headers }: IncomingMessage): ByteRange | null {
  const [, first = '', last = ''] = ONE_RANGE.exec(headers.range ?? '') ?? [];
  if (first === '') return last === '' ? null : { last: Number(last) };
  if (last === '') return { first: Number(first) };
  return Number(first) <= Number(last) ? { first: Number(first), last: Number(last) } : null;
}

/** Returns the entity tag of the response to an attempt, by which a browser continues its download. */
export const toLeaseTag = (leaseToken: string): string => `"${leaseToken}"`;

/** Each costs a look-up. Browsers send one. */
const MAX_TAGS = 4;

/**
 * Returns the tokens of leases in `If-Match`, which Firefox sends to continue a download at the address of the link, or in
 * `If-Range` with a range, which other browsers send.
 */
export function leaseTokensInTags({ headers }: IncomingMessage): string[] {
  const inRange = headers.range === undefined ? null : readTags(headers['if-range']?.toString());
  const tags = [...(readTags(headers['if-match']) ?? []), ...(inRange ?? [])];
  return tags.filter(isLeaseToken).slice(0, MAX_TAGS);
}

const ENTITY_TAG = /(W\/)?"([^"]*)"/g;

/** Returns whether `If-Match` asks for certain tags. It costs nothing, whereas reading 30 KB of tags takes a millisecond. */
export const namesTags = (ifMatch: string | undefined): ifMatch is string =>
  ifMatch !== undefined && ifMatch.trim() !== '*';

/**
 * Reads the entity tags of `If-Match` without their quotes (RFC 9110, 13.1.1); null for any. A weak tag matches none.
 */
export function readTags(ifMatch: string | undefined): string[] | null {
  if (!namesTags(ifMatch)) return null;
  return [...ifMatch.matchAll(ENTITY_TAG)].flatMap(([, weak, tag = '']) => (weak ? [] : [tag]));
}

/**
 * Returns whether a request asks for a file that it has a tag of, or from another byte than its first on. Of several ranges
 * the first one counts.
 */
export function continuesDownload({ headers }: IncomingMessage): boolean {
  if (namesTags(headers['if-match'])) return true;
  const [, firstByte] = FIRST_BYTE.exec(headers.range ?? '') ?? [];
  return firstByte !== undefined && (firstByte === '' || Number(firstByte) > 0);
}

/**
 * The address of a lease: that of its link, the token, and a name by which programs store the file. Before the name can be the
 * number of one file of a set, or `view` for a file that its page shows. Without a name, it is that of the page which lists the files.
 */
export type LeaseAddress = {
  shortCode: string;
  leaseToken: string;
  fileNumber?: number | undefined;
  isPage?: boolean;
  isShown?: boolean;
};

const FILE_NUMBER = /^[1-9]\d{0,8}$/;

/** Returns the parts of a path below `/l/` that is the address of a lease. */
export function leaseAddressOf(text: string): LeaseAddress | undefined {
  const segments = text.split('/');
  const at = segments.findIndex(isLeaseToken); // the name of the file may look like a token, too
  if (at < 1) return undefined;
  const [leaseToken = '', number, ...names] = segments.slice(at);
  const fileNumber = names.length > 0 && FILE_NUMBER.test(number ?? '') ? Number(number) : undefined;
  const isShown = names.length > 0 && number === 'view';
  const isPage = number === '' && names.length === 0;
  return { shortCode: segments.slice(0, at).join('/'), leaseToken, fileNumber, isPage, isShown };
}

/**
 * Returns the address of a lease relative to the path of its link, so that it holds behind any proxy. Without a name of a
 * file, it is that of its page.
 */
export function toLeaseReference(path: string, leaseToken: string, fileName: string): string {
  const segment = path.slice(path.lastIndexOf('/') + 1);
  return `./${segment}/${leaseToken}/${encodeURIComponent(fileName)}`;
}
