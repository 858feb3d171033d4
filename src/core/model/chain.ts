import { hash } from 'node:crypto';
import {
  type Sha256,
  selectDetails,
  toHashedText as toHashedTextWith,
  toPersonalSha256,
} from './hashed-text.ts';
import type { ChangeDetails, ChangeEntry, EventEntry, HistoryEntry, Personal } from './history.ts';
import type { ChainHead, NewLink } from './link.ts';
import type { LinkChange } from './link-change.ts';
import { toCreationDetails } from './link-terms.ts';

// The entries of a link are a chain: the fingerprint of each covers the entry and the fingerprint of the one before it.
// So a kept fingerprint proves that no earlier entry was changed, removed, reordered or inserted. It covers only a salted
// hash of the personal fields, so that they can be erased.

/** Returns the SHA-256 of a text. */
export const sha256: Sha256 = (text) => hash('sha256', text);

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
  return sha256(before + hashedText);
}

/** Returns the text of an entry that its fingerprint covers, after the fingerprint of the entry before. */
export function toHashedText(entry: HistoryEntry, number: number): string {
  return toHashedTextWith(entry, number, sha256);
}

/** Returns an entry without its personal fields. The hash of them keeps its fingerprint valid, if it has one. */
export function eraseEntry(entry: EventEntry): EventEntry {
  if (entry.kind !== 'ATTEMPT') return { ...entry, ...eraseChange(entry) };
  const { referrer: _, recipientAddress: _address, ...others } = entry;
  return { ...others, ...erasePersonal(entry), ipAddress: null, userAgent: null };
}

/** Returns what remains of the fields of a change that can be personal. */
export function eraseChange(entry: ChangeEntry): Pick<ChangeEntry, 'author' | 'details' | keyof Personal> {
  const author = { kind: entry.author.kind, name: null, ipAddress: null };
  return { ...erasePersonal(entry), author, details: selectDetails(entry.details, { arePersonal: false }) };
}

const erasePersonal = (entry: EventEntry): Personal => ({
  salt: null,
  ...(entry.salt !== null && { personalSha256: toPersonalSha256(entry, sha256) }),
});

/** Returns the entry of a new link. Its details prove the terms of the link without showing its target. */
export function toCreationEntry(link: NewLink, change: LinkChange): ChangeEntry {
  return {
    ...change,
    kind: 'CREATED',
    shortCode: link.shortCode,
    details: toCreationDetails(link, change.author),
  };
}

/** Returns the entry of a change of a link. */
export function toChangeEntry(shortCode: string, details: ChangeDetails, change: LinkChange): ChangeEntry {
  return { ...change, kind: 'CHANGED', shortCode, details };
}

/** Returns the entry of a revocation. `details`: the new short code, where a link continues this one. */
export function toRevocationEntry(
  shortCode: string,
  change: LinkChange,
  details: ChangeDetails = {},
): ChangeEntry {
  return { ...change, kind: 'REVOKED', shortCode, details };
}
