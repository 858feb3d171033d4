import { hash } from 'node:crypto';
import type { ChangeDetails, ChangeEntry, HistoryEntry } from './history.ts';
import type { ChainHead, EpochMs, NewLink } from './link.ts';
import type { LinkChange } from './link-change.ts';
import { toCreationDetails } from './link-terms.ts';

// The entries of a link are a chain: the fingerprint of each covers the entry and the fingerprint of the one before it.
// So a kept fingerprint proves that no earlier entry was changed, removed, reordered or inserted.

export const EMPTY_CHAIN: ChainHead = { entryCount: 0, fingerprint: '', lastSeq: null };

/** Returns an entry at the end of a chain. `seq`: its place in the log. */
export function appendEntry<Entry extends HistoryEntry>(
  { entryCount, fingerprint: before, lastSeq }: ChainHead,
  entry: Entry,
  seq: number,
): Entry & AppendedPlace {
  const number = entryCount + 1;
  const fingerprint = toFingerprint(before, toHashedText(entry, number));
  return { ...entry, seq, number, prev: lastSeq, fingerprint };
}

/** The place of an entry with a link. */
export type AppendedPlace = { seq: number; number: number; prev: number | null; fingerprint: string };

/** Returns the end of a chain whose newest entry is this one. */
export const headAt = ({ number, fingerprint, seq }: AppendedPlace): ChainHead => ({
  entryCount: number,
  fingerprint,
  lastSeq: seq,
});

/** Returns the fingerprint of an entry. `before`: the fingerprint of the entry before; empty for the first. */
export function toFingerprint(before: string, hashedText: string): string {
  return hash('sha256', before + hashedText);
}

let lastAt = Number.NaN;
let lastTimestamp = '';

/** Formats a time once per millisecond: under load dozens of entries share one. */
function toTimestamp(at: EpochMs): string {
  if (at !== lastAt) {
    lastTimestamp = new Date(at).toISOString();
    lastAt = at;
  }
  return lastTimestamp;
}

/**
 * Returns the text of an entry that its fingerprint covers, after the fingerprint of the entry before: JSON in the
 * canonical form of RFC 8785, whose members are sorted. `number` is 1 for the first entry of a link.
 */
export function toHashedText(entry: HistoryEntry, number: number): string {
  const { id, kind, shortCode } = entry;
  const at = toTimestamp(entry.at);
  switch (entry.kind) {
    case 'ATTEMPT': {
      const { count, ipAddress, result, userAgent } = entry;
      return JSON.stringify({ at, count, id, ipAddress, kind, number, result, shortCode, userAgent });
    }
    case 'DOWNLOAD': {
      const { attemptId, bytesSent, isSentCompletely } = entry;
      return JSON.stringify({ at, attemptId, bytesSent, id, isSentCompletely, kind, number, shortCode });
    }
    default: {
      const { ipAddress, kind: authorKind, name } = entry.author;
      const author = { ipAddress, kind: authorKind, name };
      return JSON.stringify({ at, author, details: entry.details, id, kind, number, shortCode });
    }
  }
}

/** Returns the entry of a new link. Its details prove the terms of the link without showing its target. */
export function toCreationEntry(link: NewLink, change: LinkChange): ChangeEntry {
  return { ...change, kind: 'CREATED', shortCode: link.shortCode, details: toCreationDetails(link) };
}

/** Returns the entry of a change of a link. */
export function toChangeEntry(shortCode: string, details: ChangeDetails, change: LinkChange): ChangeEntry {
  return { ...change, kind: 'CHANGED', shortCode, details };
}

export function toRevocationEntry(shortCode: string, change: LinkChange): ChangeEntry {
  return { ...change, kind: 'REVOKED', shortCode, details: {} };
}
