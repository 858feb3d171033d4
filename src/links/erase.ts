import type { NewIdAndSalt } from './attempt.ts';
import { type EpochMs, NO_LABELS } from './link.ts';
import type { Clock, LinkStore } from './ports.ts';

/** What to erase. A retention erases the entries of the whole hours from `from` until `before`. */
export type Erasable =
  | { kind: 'IP'; ipAddress: string }
  | { kind: 'LINK' | 'RECIPIENT'; shortCodes: readonly string[] }
  | { kind: 'RETENTION'; from: EpochMs; before: EpochMs };

/** The record of an erasure. `author`: the user of the operating system, or a property of the service. */
export type Erasure = { at: EpochMs; kind: Erasable['kind']; author: string };

/** The entries after `after` in the log, up to `last`. */
export type LogPart = { after: number; last: number };

/** Erases personal fields. Attempts wait for a call no longer than for a batch. */
export interface ErasureStore {
  /** Resolves once all entries that are committed are projected. */
  project(of: 'position'): Promise<void>;
  /** Returns the links that have exactly this recipient. */
  findRecipientLinks(recipient: string): Promise<string[]>;
  /** Returns the time before which retentions have erased all entries; 0 for none. */
  findRetentionEnd(): Promise<EpochMs>;
  /** Returns the projected part of the log in which there are entries to erase. */
  findErasablePart(erasable: Erasable): Promise<LogPart>;
  /** Returns the entries to erase among the next ones of a part, and the last of those that were read. */
  findErasable(erasable: Erasable, part: LogPart): Promise<{ seqs: number[]; last: number }>;
  /** Erases entries, and records how many. `key`: random, of this erasure alone. */
  eraseEntries(erasure: Erasure, seqs: readonly number[], key: string): Promise<void>;
  /** Returns the hours whose addresses differ from those in the log, because entries were erased. */
  findOutdatedHours(): Promise<number[]>;
  updateOrigins(hour: number): Promise<void>;
  /** Deletes the messages about what was erased, and records the end of a retention. */
  endErasure(erasure: Erasure, erasable: Erasable): Promise<void>;
}

const ENTRIES_AT_ONCE = 100;

type Parts = { links: LinkStore; erasures: ErasureStore; clock: Clock; newIdAndSalt: NewIdAndSalt };
type Options = { author: string; newKey: () => string; isDryRun?: boolean; isStopped?: () => boolean };

/**
 * Erases personal fields from links, entries and messages. It can be repeated after it was stopped or interrupted.
 *
 * @returns the number of erased entries. A dry run returns how many there are, and changes nothing
 */
export async function erase(
  { links, erasures, clock, newIdAndSalt }: Parts,
  erasable: Erasable,
  { author, newKey, isDryRun = false, isStopped = () => false }: Options,
): Promise<number> {
  const at = clock();
  // First, because each change is an entry with the old terms.
  for (const shortCode of 'shortCodes' in erasable && !isDryRun ? erasable.shortCodes : []) {
    const patch = { labels: NO_LABELS, notifyUrl: null, notifyEmail: null };
    const by = { kind: 'COMMAND', name: 'erase', ipAddress: null } as const;
    const change = { ...newIdAndSalt(at), at, author: by };
    await links.change(shortCode, { patch, versions: null, isErasure: true }, change);
  }
  await erasures.project('position');
  const erasure = { at, kind: erasable.kind, author };
  const key = newKey();
  const { after, last } = await erasures.findErasablePart(erasable);
  let count = 0;
  for (let position = after; position < last && !isStopped(); ) {
    const slice = await erasures.findErasable(erasable, { after: position, last });
    for (let index = 0; index < slice.seqs.length && !isDryRun; index += ENTRIES_AT_ONCE)
      await erasures.eraseEntries(erasure, slice.seqs.slice(index, index + ENTRIES_AT_ONCE), key);
    count += slice.seqs.length;
    position = slice.last;
  }
  if (isDryRun || isStopped()) return count;
  await erasures.project('position'); // of what was being committed, too
  for (const hour of await erasures.findOutdatedHours()) await erasures.updateOrigins(hour);
  await erasures.endErasure(erasure, erasable);
  return count;
}
