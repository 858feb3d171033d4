import { hash } from 'node:crypto';
import type { ChangeDetails, ChangeEntry, EventEntry, HistoryEntry } from './history.ts';
import type { ChainHead, EpochMs, NewLink } from './link.ts';
import type { LinkChange } from './link-change.ts';
import { PERSONAL_DETAILS, toCreationDetails } from './link-terms.ts';

// The entries of a link are a chain: the fingerprint of each covers the entry and the fingerprint of the one before it.
// So a kept fingerprint proves that no earlier entry was changed, removed, reordered or inserted. It covers only a salted
// hash of the personal fields, so that they can be erased.

/** The number of the format of the text that a fingerprint covers, see docs/history-format.md. */
export const FORMAT = 1;

export const EMPTY_CHAIN: ChainHead = { entryCount: 0, fingerprint: '', lastSeq: null };

/** Returns an entry at the end of a chain. `seq`: its position in the log. */
export function appendEntry<Entry extends HistoryEntry>(
  { entryCount, fingerprint: before, lastSeq }: ChainHead,
  entry: Entry,
  seq: number,
): Entry & ChainPosition {
  const number = entryCount + 1;
  const fingerprint = toFingerprint(before, toHashedText(entry, number));
  return { ...entry, seq, number, prev: lastSeq, fingerprint };
}

/** The position of an entry with a link. */
export type ChainPosition = { seq: number; number: number; prev: number | null; fingerprint: string };

/** Returns the end of a chain whose newest entry is this one. */
export const headAt = ({ number, fingerprint, seq }: ChainPosition): ChainHead => ({
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
  const format = FORMAT;
  const at = toTimestamp(entry.at);
  switch (entry.kind) {
    case 'ATTEMPT': {
      const { count, result } = entry;
      const personalSha256 = toPersonalSha256(entry);
      return JSON.stringify({ at, count, format, id, kind, number, personalSha256, result, shortCode });
    }
    case 'DOWNLOAD': {
      const { attemptId, bytesSent, isSentCompletely } = entry;
      return JSON.stringify({
        at,
        attemptId,
        bytesSent,
        format,
        id,
        isSentCompletely,
        kind,
        number,
        shortCode,
      });
    }
    default: {
      const author = { kind: entry.author.kind };
      const details = selectDetails(entry.details, { arePersonal: false });
      const personalSha256 = toPersonalSha256(entry);
      return JSON.stringify({ at, author, details, format, id, kind, number, personalSha256, shortCode });
    }
  }
}

/** Returns the SHA-256 of the personal fields of an entry, also after they were erased. */
function toPersonalSha256(entry: EventEntry): string {
  return entry.personalSha256 ?? hash('sha256', toPersonalText(entry));
}

/** Returns the personal fields of an entry and their salt, as JSON in the canonical form. */
function toPersonalText(entry: EventEntry): string {
  const { salt } = entry;
  if (entry.kind === 'ATTEMPT') {
    const { ipAddress, referrer, userAgent } = entry;
    return JSON.stringify({ ipAddress, referrer, salt, userAgent }); // without a referrer, it has no such member
  }
  const { ipAddress, name } = entry.author;
  const details = selectDetails(entry.details, { arePersonal: true });
  return JSON.stringify({ author: { ipAddress, name }, details, salt });
}

function selectDetails(details: ChangeDetails, { arePersonal }: { arePersonal: boolean }): ChangeDetails {
  return Object.fromEntries(
    Object.entries(details).filter(([name]) => PERSONAL_DETAILS.has(name) === arePersonal),
  );
}

/** Returns an entry without its personal fields. The hash of them keeps its fingerprint valid, if it has one. */
export function eraseEntry(entry: EventEntry): EventEntry {
  const erased = { salt: null, ...(entry.salt !== null && { personalSha256: toPersonalSha256(entry) }) };
  if (entry.kind === 'ATTEMPT') {
    const { referrer: _, ...others } = entry;
    return { ...others, ...erased, ipAddress: null, userAgent: null };
  }
  const author = { kind: entry.author.kind, name: null, ipAddress: null };
  return { ...entry, ...erased, author, details: selectDetails(entry.details, { arePersonal: false }) };
}

const ERASED_TEXTS = [
  '{"ipAddress":null,"salt":null,"userAgent":null}',
  '{"author":{"ipAddress":null,"name":null},"details":{},"salt":null}',
];

/** Returns whether an entry has personal fields although they were erased: nothing covers them then. */
export function isPartlyErased(entry: HistoryEntry): boolean {
  return (
    entry.kind !== 'DOWNLOAD' &&
    entry.personalSha256 !== undefined &&
    !ERASED_TEXTS.includes(toPersonalText(entry))
  );
}

/** Returns the entry of a new link. Its details prove the terms of the link without showing its target. */
export function toCreationEntry(link: NewLink, change: LinkChange): ChangeEntry {
  return { ...change, kind: 'CREATED', shortCode: link.shortCode, details: toCreationDetails(link, change.author) };
}

/** Returns the entry of a change of a link. */
export function toChangeEntry(shortCode: string, details: ChangeDetails, change: LinkChange): ChangeEntry {
  return { ...change, kind: 'CHANGED', shortCode, details };
}

export function toRevocationEntry(shortCode: string, change: LinkChange): ChangeEntry {
  return { ...change, kind: 'REVOKED', shortCode, details: {} };
}
