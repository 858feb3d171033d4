import type { EpochMs } from '../model/link.ts';

/** The subject of an erasure. `before`: older entries, a whole number of hours. */
export type Erasable =
  | { kind: 'IP'; ipAddress: string }
  | { kind: 'LINK' | 'RECIPIENT'; shortCodes: readonly string[] }
  | { kind: 'RETENTION'; before: EpochMs };

/** The record of an erasure, see the table. */
export type Erasure = { at: EpochMs; kind: Erasable['kind']; author: string; erasedBefore: EpochMs | null };

/** The parts of ended links that a retention erases: the terms that remain of an erasure of the link, or the stored file. */
export type EndedPart = 'TERMS' | 'FILE';
/** `next`: null after the last link. */
export type EndedPage = { shortCodes: string[]; next: string | null };

/** Erases personal fields in short transactions. */
export interface ErasureStore {
  /** Resolves once all entries that are committed are projected. */
  project(of: 'position'): Promise<void>;
  /**
   * Returns the links that have exactly this recipient, or name it as a verified one in any case, those with an attempt of it, and
   * those from which an unfinished erasure removed it.
   */
  findRecipientLinks(recipient: string): Promise<string[]>;
  /** Returns those of the next projected entries after `after` that are to be erased. `next`: null after the last. */
  findErasable(erasable: Erasable, after: number): Promise<{ seqs: number[]; next: number | null }>;
  /** Returns how many entries all erasures have erased. */
  countErased(): Promise<number>;
  /** Erases entries, and records how many. `key`: random, of this erasure alone. */
  eraseEntries(erasure: Erasure, seqs: readonly number[], key: string): Promise<void>;
  /** Updates the addresses of an hour of which entries were erased. Returns false if there is none. */
  updateOrigins(): Promise<boolean>;
  /** Returns those of the next links after `after` that may have ended before a time and still have the part. */
  findEnded(part: EndedPart, before: EpochMs, after: string): Promise<EndedPage>;
  /** Erases the part of those of the links that are revoked and still have it. Returns how many. The sweep removes files. */
  erasePart(part: EndedPart, shortCodes: readonly string[], at: EpochMs): Promise<number>;
}
