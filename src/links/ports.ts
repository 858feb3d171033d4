import type { Attempt, AttemptOutcome } from './attempt.ts';
import type { EpochMs, Link, LinkDefinition, LinkStatus, NewLink } from './link.ts';
import type { AuditResult } from './verdict.ts';

/**
 * Links and the record of every attempt to open them.
 *
 * Each promise is kept only once what it tells is durable: after a crash at any later moment it still holds.
 * A rejected promise means that nothing of its call was committed.
 */
export interface LinkStore {
  /**
   * Commits a new link. Of calls with one short code, whenever and wherever made, one is told 'created'.
   * A DOWNLOAD link takes over the upload that began under its file's id; without one, it is a fault.
   */
  create(link: NewLink): Promise<'created' | 'short-code-taken'>;

  /** The unchanging facts of a link, or undefined where there is none with exactly this short code. */
  find(shortCode: string): Promise<LinkDefinition | undefined>;

  /** A link as it stands, or undefined where there is none with exactly this short code. It is no attempt. */
  read(shortCode: string): Promise<Link | undefined>;

  /**
   * Decides an attempt with `decide` on the link as it then stands, and commits what follows together with
   * exactly one audit record. However many attempts run at once, in whatever number of processes, no more
   * than `maxViews` of them succeed.
   */
  attempt(attempt: Attempt): Promise<AttemptOutcome>;

  /** Revokes a link for good; revoking it again changes nothing. */
  revoke(shortCode: string): Promise<'revoked' | 'already-revoked' | 'not-found'>;

  /** Marks at most `limit` active links whose `expiresAt` is earlier than `now` as expired; tells how many. */
  expireDue(now: EpochMs, limit: number): Promise<number>;
}

/**
 * The uploads that have begun and have no link yet. A file is entered here before its first byte is written,
 * so that after a crash whatever lies in the storage for no link is known by name, and nothing else is touched.
 */
export interface UploadLedger {
  begin(fileId: string, at: EpochMs): Promise<void>;
  /** Takes one upload out of the reach of `create`; false when its link was committed, or it is not known. */
  abandon(fileId: string): Promise<boolean>;
  /**
   * Takes at most `limit` uploads that began before `startedBefore` out of the reach of `create`, and tells
   * their file ids; those already taken and not yet forgotten are told again.
   */
  claimStale(startedBefore: EpochMs, limit: number): Promise<string[]>;
  /** Strikes an upload out, once nothing of its file is left. */
  forget(fileId: string): Promise<void>;
}

/** A span of time, `start` included and `end` excluded; null leaves that side open. */
export type TimeRange = { start: EpochMs | null; end: EpochMs | null };

/** Aggregates of the audit. Previews count nowhere but in `countsByResult`. */
export interface StatisticsStore {
  /** Counts of attempts by result, and of distinct client addresses, from one consistent view of the audit. */
  accessTotals(range: TimeRange): Promise<AccessTotals>;
  /** Attempts by hour of the day in UTC, ascending, only hours that have any. */
  hourly(range: TimeRange): Promise<{ hour: number; count: number }[]>;
  /** Attempts by UTC date (`YYYY-MM-DD`), ascending, only dates that have any. */
  daily(range: TimeRange): Promise<{ date: string; count: number }[]>;
  /** Attempts by hour or UTC day, ascending, only those that have any and begin within the range: each is whole. */
  overTime(unit: PeriodUnit, range: TimeRange): Promise<Period[]>;
  linkCounts(): Promise<Record<LinkStatus, number>>;
  /** Links by SUCCESS attempts, most first, ties by short code; only links that have any. */
  topLinks(limit: number): Promise<LinkCount[]>;
  /** Links by INVALID_PASSWORD attempts, most first, ties by short code; only links that have any. */
  securityExceptions(limit: number): Promise<LinkCount[]>;
}
export type AccessTotals = { countsByResult: Partial<Record<AuditResult, number>>; uniqueOrigins: number };
/** The periods of time that attempts are counted by. */
export type PeriodUnit = 'hour' | 'day';
export type Period = { startsAt: EpochMs; total: number; success: number };
export type LinkCount = { shortCode: string; count: number };

/** The most links that `topLinks` and `securityExceptions` can be asked for. */
export const MAX_RANKED_LINKS = 1000;

/** Answers whether the store can do its work: resolves to what a trivial query returned (1 when well). */
export interface StoreProbe {
  probe(): Promise<number>;
}

/**
 * The bytes of uploaded files, by ids that the service makes and no client chooses: UUIDs in lower case, random
 * from their first digit (version 4). Any other id is a fault.
 */
export interface FileStore {
  /**
   * Writes a file from its bytes; when the promise is kept, the file is whole and durable. When `bytes` fails
   * or the storage does, nothing of the file is left and the promise is rejected with that error. `bytes` may
   * fail at any moment after the call. A file that is stored already is never replaced: that is a fault.
   */
  save(fileId: string, bytes: AsyncIterable<Uint8Array>): Promise<{ sizeBytes: number }>;
  /** Opens a file for one reading, or undefined where there is none. Whoever opens it sends or closes it. */
  open(fileId: string): Promise<OpenFile | undefined>;
  /** Removes a file for good, also a half-written one; removing what is not there is no error. */
  remove(fileId: string): Promise<void>;
  /** Every whole file, in no particular order. */
  list(): AsyncIterable<{ fileId: string; sizeBytes: number }>;
  /** Resolves when files can be written; rejects with the reason when not. */
  checkWritable(): Promise<void>;
}

/** A file held open: it can be read to its end even if it is removed meanwhile. */
export interface OpenFile {
  readonly sizeBytes: number;
  /**
   * Writes the bytes from the first to the last, ends `out`, and resolves once all are through; closes the file.
   * When either side fails, or `out` closes before its end, `out` is destroyed and the promise rejected.
   * Chunks are overwritten once `out` has called back for them: it must be a sink, and no transform that keeps them.
   */
  sendTo(out: import('node:stream').Writable): Promise<void>;
  /** Closes the file, and breaks off its sending; may be called again. */
  close(): Promise<void>;
}

/**
 * One-way hashes of passwords, computed off the event loop, a bounded number at a time. A password is not empty
 * and well-formed; anything else, or a hash that cannot be read, is a fault.
 */
export interface PasswordHasher {
  /** A self-describing hash with a fresh salt; of any password, of whatever length, every byte counts. */
  hash(password: string): Promise<string>;
  /** Whether `password` is the one that `hash` was made from; takes the same time either way. */
  verify(password: string, hash: string): Promise<boolean>;
}

/** Time, passed in so that no test sleeps. */
export type Clock = () => EpochMs;
