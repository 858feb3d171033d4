import type { Attempt, AuditRecord } from './attempt.ts';
import type { Author } from './author.ts';
import type { EpochMs } from './link.ts';
import type { LinkChangeKind } from './link-change.ts';

/**
 * The position of an entry. `seq`: in the log of the store, in which later entries of a link have greater ones;
 * `number`: in the chain of its link, from 1; `prev`: the `seq` of the entry before it there. An attempt without a link has the number
 * 0 and no fingerprint.
 */
export type EntryPosition = { seq: number; number: number; prev: number | null; fingerprint: string | null };

/** The value of a fact about a change. */
export type DetailValue = string | number | boolean | null;

/** The values of a term before and after a change. */
export type ChangedTerm = Readonly<{ new: DetailValue; old: DetailValue }>;

/**
 * Facts about a change: the terms of a new link, or the changed terms of one that was changed. Their members are sorted
 * by name, because the fingerprint covers the text.
 */
export type ChangeDetails = Readonly<Record<string, DetailValue | ChangedTerm>>;

/**
 * The salt of the personal fields of an entry: 32 hexadecimal digits; null where no fingerprint covers them. If they were
 * erased, it is null as well, and `personalSha256` is what remains of both.
 */
export type Personal = { salt: string | null; personalSha256?: string };

type AttemptFacts = Pick<
  AuditRecord,
  'result' | 'count' | 'ipAddress' | 'userAgent' | 'referrer' | 'recipientAddress'
> &
  Personal;

/** An entry of a link's history, without its position in the chain. `id` is a UUIDv7 of `at`. */
export type HistoryEntry = { id: string; at: EpochMs; shortCode: string } & (
  | ({ kind: 'ATTEMPT' } & AttemptFacts)
  | ({ kind: 'DOWNLOAD' } & Omit<Download, 'id' | 'at' | 'shortCode'>)
  | ({ kind: LinkChangeKind; author: Author; details: ChangeDetails } & Personal)
);

/** An entry in the log, with its position. */
export type LogEntry = HistoryEntry & EntryPosition;

/** An entry that can cause events. */
export type EventEntry = Exclude<HistoryEntry, { kind: 'DOWNLOAD' }>;

/** The end of the download of a granted attempt, or of a part of it: a lease continues one that broke off. */
export type Download = {
  id: string;
  at: EpochMs;
  shortCode: string;
  attemptId: Attempt['id'];
  /** The first byte of the file that was to be sent, from 0. */
  firstByte: number;
  /** Bytes that the service sent to the connection. Some of the last may not have reached the client, or its proxy. */
  bytesSent: number;
  /**
   * True when the service sent all bytes from the first to the end of the file, to the client or its proxy: no proof that
   * the client received them.
   */
  isSentCompletely: boolean;
};

/** An entry that records a change of a link. */
export type ChangeEntry = Extract<HistoryEntry, { kind: LinkChangeKind }>;

/** An entry as it is read. The ends of downloads belong to their attempts. */
export type HistoryItem = {
  /** The number of the format of its text. */
  format: number;
  id: string;
  at: EpochMs;
  shortCode: string;
  /** The position in the chain, from 1; 0 for an attempt without a link. */
  number: number;
} & (
  | ({ kind: 'ATTEMPT'; downloads: DownloadEnd[] } & AttemptFacts)
  | Pick<ChangeEntry, 'kind' | 'author' | 'details' | keyof Personal>
);

/** The end of a download of an attempt, or of a part, with its position in the chain. */
export type DownloadEnd = Omit<Download, 'shortCode' | 'attemptId'> & { format: number; number: number };

type Part = Pick<Download, 'firstByte' | 'bytesSent' | 'isSentCompletely'>;

/** The bytes that were sent to the client of an attempt. `resumed`: how many parts continued one that broke off. */
export type Delivery = { bytesSent: number; isComplete: boolean; resumed: number };

/** A file of a set of which something was sent. */
export type SentFile<File> = { file: File; sentBytes: number };

/** Returns the files of a set of which something was sent, in their order. Empty ones are not among them. */
export function findSentFiles<File extends { sizeBytes: number }>(
  files: readonly File[],
  parts: readonly Pick<Download, 'firstByte' | 'bytesSent'>[],
): SentFile<File>[] {
  const ascending = parts.toSorted((a, b) => a.firstByte - b.firstByte);
  let start = 0;
  return files.flatMap((file) => {
    const end = start + file.sizeBytes;
    let covered = start;
    let sentBytes = 0;
    for (const { firstByte, bytesSent } of ascending) {
      const [from, to] = [Math.max(firstByte, covered), Math.min(firstByte + bytesSent, end)];
      sentBytes += Math.max(to - from, 0);
      covered = Math.max(covered, to);
    }
    start = end;
    return sentBytes > 0 ? [{ file, sentBytes }] : [];
  });
}

/**
 * Returns the parts by downloads: a part continues one before it that broke off, if it begins after the first byte of that
 * one and at most right after the last, of which the client may have received fewer. At the start of a file of a set,
 * another download begins.
 */
export function groupDownloads<Sent extends Part>(
  parts: readonly Sent[],
  files: readonly { sizeBytes: number }[] = [],
): Sent[][] {
  let end = 0;
  const starts = new Set([0, ...files.map(({ sizeBytes }) => (end += sizeBytes))]);
  const groups: Sent[][] = [];
  for (const part of parts) {
    const { firstByte } = part;
    const former = groups.find((group) =>
      group.some(
        (each) =>
          !each.isSentCompletely &&
          firstByte > each.firstByte &&
          firstByte <= each.firstByte + each.bytesSent,
      ),
    );
    if (former && !starts.has(firstByte)) former.push(part);
    else groups.push([part]);
  }
  return groups;
}

/** Sums up the parts of a download; undefined without any. It is complete once they cover the file from its first byte. */
export function sumUpDownloads(
  parts: readonly Part[],
  files: readonly { sizeBytes: number }[] = [],
): Delivery | undefined {
  if (parts.length === 0) return undefined;
  let covered = 0;
  let isComplete = false;
  for (const { firstByte, bytesSent, isSentCompletely } of parts.toSorted(
    (a, b) => a.firstByte - b.firstByte,
  )) {
    if (firstByte > covered) break;
    covered = Math.max(covered, firstByte + bytesSent);
    isComplete ||= isSentCompletely;
  }
  const bytesSent = parts.reduce((sum, part) => sum + part.bytesSent, 0);
  return { bytesSent, isComplete, resumed: parts.length - groupDownloads(parts, files).length };
}
