import { createHmac, hash } from 'node:crypto';
import type { EpochMs, StoredFile } from './link.ts';

/**
 * The right to continue the download of a granted attempt under its view. A client that has the token continues on any
 * instance, see `decideResume`. That of a recipient is bound to the browser that proved the address.
 */
export type Lease = {
  /** The attempt whose view it continues. */
  attemptId: string;
  shortCode: string;
  fileId: string;
  /** See `hashLease`. */
  hash: string;
  endsAt: EpochMs;
  /** The bytes that it may still send. */
  restBytes: number;
};

/** A lease that an attempt begins if it is granted. */
export type NewLease = Pick<Lease, 'fileId' | 'hash' | 'endsAt' | 'restBytes'>;

/**
 * A lease sends at most so many times the size of its file. Connections that break have been sent more than arrived, and
 * a killed service gives back nothing of what it was about to send. More copies would stand in for views.
 */
const MAX_COPIES = 3;
/** A page that shows a file loads it again when it is reloaded, and parts of it when its visitor seeks. */
const MAX_SHOWN_COPIES = 10;

const SECRET_BYTES = 24;
const PREFIX = 'lease_';
const BOUND_PREFIX = 'lease_bound_';
const TOKEN = /^lease_(?:bound_)?[A-Za-z0-9_-]{32}$/;
const BOUND_TOKEN = /^lease_bound_[A-Za-z0-9_-]{32}$/;

/**
 * Returns a new lease and its token, which is stored nowhere.
 *
 * @param isSentAtOnce true if the response to the attempt sends the file, which counts as a copy
 * @param browser the secret of the browser to which the lease is bound, if it is
 */
export function newLease(
  { fileId, sizeBytes, traits }: StoredFile,
  { endsAt, isSentAtOnce, browser }: { endsAt: EpochMs; isSentAtOnce: boolean; browser?: string | undefined },
  randomBytes: (size: number) => Buffer,
): { token: string; lease: NewLease } {
  const prefix = browser === undefined ? PREFIX : BOUND_PREFIX;
  const token = prefix + randomBytes(SECRET_BYTES).toString('base64url');
  const allCopies = traits?.viewable ? MAX_SHOWN_COPIES : MAX_COPIES;
  const copies = isSentAtOnce ? allCopies - 1 : allCopies;
  return { token, lease: { fileId, hash: hashLease(token, browser), endsAt, restBytes: copies * sizeBytes } };
}

/** Returns whether a text can be the token of a lease. */
export const isLeaseToken = (text: string): boolean => TOKEN.test(text);

/** Returns whether a token is of a lease that is bound to a browser, as the token itself says. */
export const isBoundLease = (token: string): boolean => BOUND_TOKEN.test(token);

/**
 * Returns the hash by which a lease is stored and found: 192 random bits cannot be guessed, so it need not be slow. That of a
 * bound one has the secret of its browser as its key, so that the token alone finds nothing.
 */
export function hashLease(token: string, browser = ''): string {
  return isBoundLease(token)
    ? createHmac('sha256', browser).update(token).digest('base64url')
    : hash('sha256', token, 'base64url');
}
