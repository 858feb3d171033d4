import { hash } from 'node:crypto';
import type { EpochMs, StoredFile } from './link.ts';

/**
 * The right to continue the download of a granted attempt under its view. A client that has the token continues on any
 * instance, until the lease ends or the link is revoked.
 */
export type Lease = {
  /** The attempt whose view it continues. */
  attemptId: string;
  shortCode: string;
  fileId: string;
  /** See `hashLeaseToken`. */
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
const TOKEN = /^lease_[A-Za-z0-9_-]{32}$/;

/**
 * Returns a new lease and its token, which is stored nowhere.
 *
 * @param isSentAtOnce true if the response to the attempt sends the file, which counts as a copy
 */
export function newLease(
  { fileId, sizeBytes, traits }: StoredFile,
  { endsAt, isSentAtOnce }: { endsAt: EpochMs; isSentAtOnce: boolean },
  randomBytes: (size: number) => Buffer,
): { token: string; lease: NewLease } {
  const token = PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
  const allCopies = traits?.viewable ? MAX_SHOWN_COPIES : MAX_COPIES;
  const copies = isSentAtOnce ? allCopies - 1 : allCopies;
  return { token, lease: { fileId, hash: hashLeaseToken(token), endsAt, restBytes: copies * sizeBytes } };
}

/** Returns whether a text can be the token of a lease. */
export const isLeaseToken = (text: string): boolean => TOKEN.test(text);

/** Returns the hash by which a lease is stored and found: 192 random bits cannot be guessed, so it need not be slow. */
export function hashLeaseToken(token: string): string {
  return hash('sha256', token, 'base64url');
}
