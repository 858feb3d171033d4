import type { Attempt, AttemptOutcome } from '../model/attempt.ts';
import type { Author } from '../model/author.ts';
import type { ChangeResult, RequestedChange, RevocationResult } from '../model/decide-change.ts';
import type { CodeResult, RequestedCode } from '../model/decide-code-change.ts';
import type { CreationResult, FirstRequest, IdempotentCreation } from '../model/decide-creations.ts';
import type { ResumeRequest, ResumeResult } from '../model/decide-resume.ts';
import type { Download, HistoryItem } from '../model/history.ts';
import type { EpochMs, FilePartInfo, Link, LinkDefinition, NewLink, NotifiedLinks } from '../model/link.ts';
import type { LinkChange } from '../model/link-change.ts';
import type { Problem } from '../model/problem.ts';
import type { HistoryQuery } from '../model/ranges.ts';
import type {
  AddedBytes,
  NewUpload,
  ResumableUpload,
  UploadFiles,
  UploadLock,
} from '../model/resumable-upload.ts';
import type { QuotaRefusal, SpaceUse, WantedSpace } from '../model/storage-quota.ts';

/** The ways in which work notices that the connection of its client closes. */
export type ClientState = {
  /** Returns true when the connection has closed, so that no response can reach the client. Checked before the commit. */
  isAborted?: () => boolean;
  /** Returns a signal that is aborted when the connection closes. Called only where work may have to wait. */
  abortSignal?: () => AbortSignal;
};

/** Receives the result of work, or its error, once. Neither function throws. */
export type Receiver<Result> = { resolve: (result: Result) => void; reject: (error: unknown) => void };

/**
 * Links and the record of every attempt to open them.
 *
 * A promise resolves only once its change is durable: it survives a crash at any later moment. Of a rejected one, nothing
 * was committed, unless the connection to the database broke during the commit.
 */
export interface LinkStore extends CodeStore, SubmissionStore {
  /**
   * Commits a new link and the record of its creation, if `decideCreations` creates it. Of any number of calls
   * with one short code, at any time and in any process, one resolves to 'created'. A DOWNLOAD link takes over
   * the upload that began under its file's id. Rejects with `ClientClosedError` when `isAborted` returns true while the
   * creation waits for the one before. With `idempotency`, the response is committed too. Of any number of calls with
   * one item of one request, one resolves to 'created', and those of another request with its id to 'repeated'.
   */
  create(
    link: NewLink,
    change: LinkChange,
    options?: { isAborted?: (() => boolean) | undefined; idempotency?: IdempotentCreation | undefined },
  ): Promise<CreationResult>;

  /**
   * Returns the definition of a link, or undefined where there is none with exactly this short code. A cached one may be
   * older than the last change: see `attempt`. One of the `outdatedVersion` is looked up again.
   */
  find(shortCode: string, outdatedVersion?: number): Promise<LinkDefinition | undefined>;

  /** Returns the current state of a link, or undefined as `find` does. It is not an attempt. */
  read(shortCode: string): Promise<Link | undefined>;

  /** Returns the link of a file; undefined for a file that is none, or was replaced. */
  readByFile(fileId: string): Promise<Link | undefined>;

  /** Returns the files of a set, in the order of their bytes; undefined for a file that is none, or was replaced. */
  readParts(fileId: string): Promise<FilePartInfo[] | undefined>;

  /**
   * Decides an attempt with `decide` on the link's current state, and commits the effects together with
   * exactly one audit record. However many attempts run at once, in however many processes, at most
   * `maxViews` of them succeed. An attempt whose definition is outdated is not decided: its verdict is CHANGED.
   * It is implemented in `stores/sql/commit-attempts.ts`, behind a `Batcher`.
   * Rejects with `ClientClosedError` when `isAborted` returns true while the attempt waits for its batch: nothing is
   * committed.
   */
  attempt(attempt: Attempt, isAborted?: () => boolean): Promise<AttemptOutcome>;

  /**
   * Finds cached links, and attempts to open them as `attempt` does, without promises, which would cost more than the
   * rest of it. Undefined where each operation is traced.
   */
  direct?:
    | {
        find(shortCode: string): LinkDefinition | undefined;
        attempt(
          attempt: Attempt,
          isAborted: (() => boolean) | undefined,
          receiver: Receiver<AttemptOutcome>,
        ): void;
      }
    | undefined;

  /**
   * Changes the terms of a link as `decideChange` decides, and records the change. Attempts that are decided later
   * obey the new terms, in all processes. What changes nothing is not recorded.
   */
  change(shortCode: string, requested: RequestedChange, change: LinkChange): Promise<ChangeResult>;

  /**
   * Revokes a link for good and records the change, if `decideRevocation` revokes it. Revoking it again changes
   * and records nothing.
   */
  revoke(shortCode: string, change: LinkChange): Promise<RevocationResult>;

  /**
   * Gives all links of an owner another one, also revoked ones, and records each change, with ids and salts of their own:
   * all in one transaction. Returns how many. See `formatOwner`.
   */
  transferLinks(owners: { from: string; to: string }, change: LinkChange): Promise<number>;

  /**
   * Appends how the download of a granted attempt, or a part of it, ended to the history of its link. Nothing is recorded
   * if there is no such link. The lease of the attempt may send again what was not sent.
   */
  recordDownload(download: EndedDownload): Promise<DownloadResult>;

  /**
   * Lets a lease send more of its file, if `decideResume` grants it. However many requests run at once, in however many
   * processes, a lease never sends more than its bytes.
   */
  resume(request: ResumeRequest): Promise<ResumeResult>;

  /** Deletes at most `limit` leases that ended before `now`; returns how many. */
  deleteEndedLeases(now: EpochMs, limit: number): Promise<number>;

  /** Deletes at most `limit` codes of recipients that ended before `now`; returns how many. */
  deleteEndedCodes(now: EpochMs, limit: number): Promise<number>;

  /**
   * Marks at most `limit` active links whose `expiresAt` is before `now` as expired; returns how many. Commits events
   * of the `notifiedLinks` among them; of none if absent.
   */
  expireDue(now: EpochMs, limit: number, notifiedLinks?: NotifiedLinks): Promise<number>;
}

/** The responses to requests with an Idempotency-Key. `create` commits them with their links. */
export interface IdempotencyStore {
  /** Returns the request with this id, or undefined if no link of it was committed, or it was deleted. */
  findRequest(id: string): Promise<FirstRequest | undefined>;
  /**
   * Deletes the oldest requests that were created before `before`, with about `maxResponses` responses. Returns how
   * many requests it deleted; 0 when there are no more.
   */
  deleteRequestsBefore(before: EpochMs, maxResponses: number): Promise<number>;
}

/**
 * The uploads that have started and have no link yet. An upload is entered before the first byte of its file is
 * written. So after a crash every file without a link is known by name, and no other file is touched.
 */
export interface UploadLedger {
  /**
   * Enters an upload, unless its quota has no room for it, and returns that limit then. All files of links, all other uploads
   * and all files that are being removed count, of any number of calls in any process. One with `resumable` can be found,
   * locked and extended.
   */
  begin(
    fileId: string,
    at: EpochMs,
    resumable?: NewUpload,
    space?: WantedSpace,
  ): Promise<QuotaRefusal | null>;
  /**
   * Lets an upload without a link take the space of another owner from now on, unless the quota of that owner has no room for
   * it, and returns that limit then. All files together take no more than before. It counts with `begin`.
   */
  charge(fileId: string, space: WantedSpace): Promise<QuotaRefusal | null>;
  /** Returns the space that the files of an owner take, or with null all files, by owner and team. */
  readSpace(owner: string | null): Promise<SpaceUse[]>;
  /**
   * Locks an upload of an owner, and returns it. While another token has the lock, returns 'locked', and that lock is not
   * renewed any more; 'gone' where the owner has no such upload. Of any number of calls, in any process, one at a time has
   * the lock.
   */
  lock(lock: UploadLock, owner: string): Promise<ResumableUpload | 'locked' | 'gone'>;
  /** Returns the lists of files of an upload, which may have more than 1 MB. */
  readUploadFiles(fileId: string): Promise<UploadFiles>;
  /** Renews a lock. Returns false where the token has it no more, or bytes are missing and another request waits. */
  renewLock(lock: UploadLock): Promise<boolean>;
  /** Commits added bytes, and may end the lock, unless the token has lost it. Returns whether it did. */
  saveUpload(added: AddedBytes): Promise<boolean>;
  /** Ends a lock, unless the token has lost it. */
  unlock(lock: UploadLock): Promise<void>;
  /** Withdraws an upload from `create`. Returns false if its link was committed, it is unknown, or another token has the lock. */
  abandon(fileId: string, token?: string): Promise<boolean>;
  /**
   * Withdraws at most `limit` uploads from `create` that got no byte since `activeBefore`, and whose locks
   * have ended by `now`: those with the first file ids after `after`. Returns these ids in their order, with those claimed
   * earlier and not yet deleted.
   */
  claimStale(activeBefore: EpochMs, limit: number, after?: string, now?: EpochMs): Promise<string[]>;
  /**
   * Withdraws uploads of an owner that were idle since `idleBefore`, the longest first. `claimStale` returns them from now
   * on. Returns how many.
   */
  withdraw(owner: string, idleBefore: EpochMs, limit: number): Promise<number>;
  /** Returns the owners of uploads that begin with a prefix. */
  readOwners(prefix: string): Promise<string[]>;
  /** Returns how many bytes of the other uploads of an owner have arrived. */
  sumOthers(fileId: string, owner: string): Promise<number>;
  /** Deletes the entry of an upload, once nothing of its file is left. */
  delete(fileId: string): Promise<void>;
}

/** Items, newest first. `next` is null at the end of the history. */
export type HistoryPage = { items: HistoryItem[]; next: string | null };

/** Reads the entries of one link, or of all. */
export interface HistoryStore {
  /**
   * Returns the next entries, newest first: those of a link in the order of their numbers, from its `head` on; those of
   * all links in the order of the log. A call examines at most `MAX_PAGE_ITEMS` entries, so
   * a page may have fewer items than `limit`, or none, before the end. Pages that follow each other never repeat an
   * entry, and contain each one that was committed before the first of them.
   */
  readPage(query: HistoryQuery): Promise<HistoryPage>;
}

/** The end of a download. `unsentBytes`: those of its part that were not sent. */
export type EndedDownload = Download & { unsentBytes: number };

/** The result of recording the end of a download. */
export type DownloadResult = 'recorded' | 'not-found';

/** The events of one key in its current window of time, which began with the first of them. */
export type WindowCount = { count: number; endsAt: EpochMs };

/** Events of a key; below zero to take some back. The window begins `now` unless the key has one. */
export type CountChange = { key: string; amount: number; now: EpochMs; windowMs: number };

/** Counts of events that all instances on a store share. They need not survive a crash. */
export interface SharedCounts {
  /** Adds to the count of a key, which never falls below zero, and returns it. */
  add(change: CountChange): Promise<WindowCount>;
  /** Deletes the counts of windows that have ended. */
  deleteEnded(now: EpochMs): Promise<void>;
}

/** Corrects stored times by which work waits. */
export interface TimeCorrection {
  /**
   * Corrects the times that a clock ahead of `now` has set, so that work waits from `now` for as long as it would have
   * waited by that clock.
   */
  correctTimes(now: EpochMs): Promise<void>;
}

/** Reports whether the store works. */
export interface StoreProbe {
  /** Resolves to the result of a trivial query: 1. */
  probe(): Promise<number>;
  /** Finds what is wrong with a store although it may still respond. */
  findProblems(): Promise<readonly Problem[]>;
  /** Returns the details of a problem that was found, for health and the log; undefined where there are none. */
  explainProblem?(problem: Problem): string | undefined;
  /** Measures the free space of the disk of the database, where it can be measured. */
  measureFreeBytes?(): Promise<number | undefined>;
  /** Measures how far statistics and lists are after the log. */
  measureProjector(now: EpochMs): Promise<ProjectorStatus>;
  /** Returns when the last complete backup was begun; null where none is recorded. */
  readLastBackup(): Promise<EpochMs | null>;
  /** Records that a backup is complete. `at`: when it was begun. */
  recordBackup(at: EpochMs): Promise<void>;
  /** Measures the pools of connections; undefined for a store that has none. */
  measurePools?(): Promise<ConnectionPool[]>;
  /** Reports each batch of operations from now on, when it was committed or failed. */
  observeBatches(onBatch: OnBatch): void;
  /** Returns how many operations wait for a batch. */
  waitingOperations(): number;
}

/** `operation`: what the clients of the batch do, such as `attempts`. */
export type OnBatch = (operation: string, batch: { size: number; seconds: number }) => void;

/** The connections of a pool by state. `waiting`: how much work waits for one. */
export type ConnectionPool = {
  pool: 'operations' | 'statistics';
  busy: number;
  idle: number;
  waiting: number;
};

/**
 * `waitingEntries`: entries of the log that statistics and lists lack; PostgreSQL counts up to 100,000. `failures`: of
 * rounds, since the start. `roundSeconds`: how long the last round took.
 */
export type ProjectorStatus = {
  waitingEntries: number;
  oldestAgeSeconds: number;
  roundSeconds: number;
  failures: number;
};

/**
 * One-way hashes of passwords as `toOpaqueString` returns them, computed off the event loop. Its callers bound how many at a time, with a
 * `WorkQueue`. A password that is empty or not well-formed is an error, and so is a hash that cannot be read.
 */
export interface PasswordHasher {
  /** Returns a self-describing hash with a fresh salt, of every byte of a password of any length. */
  hash(password: string): Promise<string>;
  /** Returns true when `hash` belongs to `password`; takes the same time either way. */
  verify(password: string, hash: string): Promise<boolean>;
}

/**
 * The client that work is done for, by its address, and the link that any client may ask it for. `signal` is aborted
 * when the client's connection closes.
 */
export type Requester = { address: string | null; link?: string; signal?: AbortSignal };

/** Bounds costly work: how much of it runs at once, and how much waits. */
export interface WorkQueue {
  /**
   * Runs work when it is the turn of its client or link. Rejects with `OverloadedError` if too much work is waiting, and
   * with `ClientClosedError` if the client leaves before the work begins.
   */
  run<T>(requester: Requester, work: () => Promise<T>): Promise<T>;
}

/** One try of a client to guess the password of a link. */
export type Guess = { shortCode: string; address: string | null };

/** The result of a guess. LIMITED: the password was not checked, and may be tried again after `retryAfterMs`. */
export type GuessResult = { kind: 'CHECKED'; isRight: boolean } | { kind: 'LIMITED'; retryAfterMs: number };

/** The limits of guesses at passwords of links, or of people. A time of 0 ms means that the client may go on. */
export interface GuessLimits {
  /** Returns for how long the client may not guess the password of the link. Reads memory only. */
  guessesBlockedMs(guess: Guess): number;
  /** Waits before a guess, longer after many wrong ones of any clients. Rejects with `ClientClosedError`. */
  delayGuess(guess: Guess, signal?: AbortSignal): Promise<void>;
  /**
   * Runs `isRight`, the check of a password, unless the client has used up its guesses. A guess counts from the
   * start of its check; a right one is taken back. Rejects with `ClientClosedError` when the client leaves before its
   * check begins.
   */
  guess(guess: Guess, isRight: () => Promise<boolean>, signal?: AbortSignal): Promise<GuessResult>;
}

/** The limits of what one client may try with links. A time of 0 ms means that the client may go on. */
export interface VisitLimits extends GuessLimits {
  /** Returns for how long every visit of a client, or request with its credentials, is refused. Reads memory only. */
  visitsBlockedMs(client: Author): number;
  /** Counts a request for an unknown short code. Returns for how long this one and later ones are refused. */
  countUnknownCode(client: Author): Promise<number>;
}

/** Time, passed in so that no test sleeps. */
export type Clock = () => EpochMs;
/** Calls `onDue` after a time, unless the returned function cancels it. */
export type StartTimer = (onDue: () => void, delayMs: number) => () => void;

/** The part of a store of links that changes short codes. */
export interface CodeStore {
  /**
   * Changes the short code of a link, if `decideCodeChange` does: in one transaction, it revokes the link, and creates the
   * one that continues it. However many attempts on both run at once, at most `maxViews` of the former link succeed.
   */
  changeCode(
    shortCode: string,
    requested: RequestedCode,
    records: { revocation: LinkChange; creation: LinkChange },
  ): Promise<CodeResult>;
}

/**
 * A submission as a store commits it: the attempt on the file request, and the link that the files get if it is granted.
 * `requestVersion`: the version of the request from which that link follows.
 */
export type SubmittedFiles = { attempt: Attempt; link: NewLink; change: LinkChange; requestVersion: number };

/** 'upload-gone': the file was abandoned before, and is removed. Then, as with a taken short code, nothing is committed. */
export type SubmissionResult = AttemptOutcome | { result: 'short-code-taken' | 'upload-gone' };

/** The part of a store of links that takes submissions. */
export interface SubmissionStore {
  /**
   * Decides the attempt with `decide` on the file request, and records it. If it is granted, the same transaction creates
   * the link of the files, whose creation names the attempt. Of any number of submissions at once, in any number of
   * processes, at most `maxViews` of the request get a link. A request that was changed meanwhile makes the verdict CHANGED.
   */
  submit(submitted: SubmittedFiles): Promise<SubmissionResult>;
}
