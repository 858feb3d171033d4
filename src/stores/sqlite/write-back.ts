import type { DatabaseSync } from 'node:sqlite';
import type { LinkStatus } from '../../links/link.ts';
import { firstUuidAt, timeOfUuid } from '../../links/uuid-v7.ts';
import type { BatchEffects } from '../apply-attempts.ts';
import { type IndexedEntry, prepareIndexEntries } from './index-entries.ts';
import {
  CURRENT_LINK_COLUMNS,
  type CurrentLink,
  type CurrentLinkRow,
  prepareReadUnindexed,
  prepareReadUnwritten,
  toCurrentLink,
  toUuid,
} from './read-unwritten.ts';
import { createUnindexed, type Unindexed } from './unindexed.ts';
import { prepareOwnership } from './write-back-owner.ts';

// An attempt changes a view count and a chain. Writing both into the row of the link would rewrite a page for nearly
// every attempt, and so would the index of histories. So an attempt writes only its audit record, which has all of it:
// the result, and the place in the chain. The newest state of such a link is in memory, and the rows and the index are
// written later, many at once, in the order of the short codes.
//
// - The row of a link has exactly its entries up to its number of entries. Its status is always current.
// - Only attempts are left for later. Any other entry is written with the row of its link.
// - Every entry whose id is below the mark is in its link's row and in the index. So what a killed process left is
//   found again among the records from the mark on.

export type WriteBackOptions = {
  /** From how many entries on they are written. */
  maxEntries?: number;
  /** How many a batch of attempts writes at least, while they are written. */
  minWritten?: number;
  /** After another process wrote links, so many transactions leave nothing for later. */
  sharedTransactions?: number;
};
const MAX_ENTRIES = 32_768;

/** While entries are written, each batch of attempts writes so many times its own number: in 0.4 ms, 128 for 32. */
const WRITTEN_PER_ATTEMPT = 4;
const MIN_WRITTEN = 64;
/** Attempts that are recorded later than this after their time are written at once: their ids are below the mark. */
const LATE_MS = 1_000;
const SHARED_TRANSACTIONS = 1_000;
/** While processes share a database, the mark follows after so many entries. */
const SHARED_MARK_ENTRIES = 1_000;

/** What is known of the rows and the index. Lost with an error, and read again at the next transaction. */
type Memory = {
  /** Links whose rows lack attempts. */
  links: Map<string, CurrentLink>;
  unindexed: Unindexed;
  mark: string;
  entriesSinceMark: number;
};

export type WriteBack = ReturnType<typeof prepareWriteBack>;

/** Prepares reading and writing links, within the caller's transactions. `begin` is the first call in each. */
export function prepareWriteBack(db: DatabaseSync, options: WriteBackOptions = {}) {
  const { maxEntries = MAX_ENTRIES, minWritten = MIN_WRITTEN } = options;
  const { sharedTransactions = SHARED_TRANSACTIONS } = options;
  const ownership = prepareOwnership(db);
  const unwritten = prepareReadUnwritten(db);
  const readUnindexed = prepareReadUnindexed(db);
  const indexEntries = prepareIndexEntries(db);
  const selectLink = db.prepare(`SELECT ${CURRENT_LINK_COLUMNS} FROM link WHERE short_code = ?`);
  // A third cheaper than a statement for each.
  const selectLinks = db.prepare(
    `SELECT short_code, ${CURRENT_LINK_COLUMNS} FROM json_each(?) CROSS JOIN link ON short_code = json_each.value`,
  );
  const updateLink = db.prepare(
    'UPDATE link SET view_count = ?, entry_count = ?, fingerprint = unhex(?) WHERE short_code = ?',
  );
  const selectMark = db.prepare('SELECT lower(hex(mark)) AS mark FROM write_back');
  const updateMark = db.prepare("UPDATE write_back SET mark = unhex(?, '-')");
  let memory: Memory | undefined;
  let sharedLeft = 0;

  function owned(): Memory {
    if (!memory) throw new Error('a transaction on links has not begun');
    return memory;
  }

  function recover(): Memory {
    const unindexed = createUnindexed();
    for (const entry of readUnindexed()) unindexed.add(entry);
    const mark = toUuid(String(selectMark.get()?.['mark']));
    return { links: unwritten.all(), unindexed, mark, entriesSinceMark: 0 };
  }

  function begin(): void {
    if (sharedLeft > 0) sharedLeft -= 1;
    if (memory && ownership.isOwn()) return;
    const last = ownership.take();
    memory = recover();
    if (last !== 'other') return;
    sharedLeft = sharedTransactions;
    writeAll();
  }

  function read(shortCode: string): CurrentLink | undefined {
    const current = owned().links.get(shortCode);
    if (current) return current;
    const row = selectLink.get(shortCode) as CurrentLinkRow | undefined;
    return row && toCurrentLink(row);
  }

  /** Returns those of the links that exist. */
  function readAll(shortCodes: Iterable<string>): Map<string, CurrentLink> {
    const links = new Map<string, CurrentLink>();
    const others = new Set<string>();
    for (const shortCode of shortCodes) {
      const current = owned().links.get(shortCode);
      if (current) links.set(shortCode, current);
      else others.add(shortCode);
    }
    if (others.size === 0) return links;
    const rows = selectLinks.all(JSON.stringify([...others])) as (CurrentLinkRow & { short_code: string })[];
    for (const row of rows) links.set(row.short_code, toCurrentLink(row));
    return links;
  }

  function writeRow(shortCode: string, { state, head }: CurrentLink): void {
    updateLink.run(state.viewCount, head.entryCount, head.fingerprint, shortCode);
    owned().links.delete(shortCode);
  }

  /** Writes the rows of entries' links, and the entries into the index. */
  function write(entries: readonly IndexedEntry[], following = 0): void {
    const { links } = owned();
    for (const { shortCode } of entries) {
      const link = links.get(shortCode);
      if (link) writeRow(shortCode, link);
    }
    indexEntries(entries, { following });
  }

  /** Raises the mark as far as possible, but not to the newest entries: others may be recorded late. */
  function raiseMark(lateMs: number): void {
    const known = owned();
    const { oldest, newest } = known.unindexed;
    if (newest === undefined) return;
    const settled = lateMs === 0 ? newest : firstUuidAt(timeOfUuid(newest) - lateMs);
    const mark = oldest !== undefined && oldest < settled ? oldest : settled;
    if (mark <= known.mark) return;
    updateMark.run(mark);
    known.mark = mark;
    known.entriesSinceMark = 0;
  }

  /** Writes some of the entries that were left for later, in the order of their short codes. */
  function writeSome(limit: number): void {
    const { unindexed } = owned();
    write(unindexed.take(limit), unindexed.sortedCount);
    if (unindexed.sortedCount === 0) raiseMark(LATE_MS);
  }

  function writeAll(): void {
    const { unindexed } = owned();
    while (unindexed.count > 0) write(unindexed.take(unindexed.count));
    raiseMark(0);
  }

  /** Leaves entries for later, but those that a reader would not find, because they are below the mark. */
  function addEntries(entries: readonly IndexedEntry[]): void {
    const known = owned();
    const late: IndexedEntry[] = [];
    for (const entry of entries) {
      if (entry.id < known.mark) late.push(entry);
      else known.unindexed.add(entry);
    }
    known.entriesSinceMark += entries.length;
    write(late);
  }

  /** Writes as much as belongs to a transaction with so many new entries. */
  function writeShare(entryCount: number): void {
    const { unindexed, entriesSinceMark } = owned();
    if (sharedLeft > 0) {
      while (unindexed.count > 0) write(unindexed.take(unindexed.count));
      if (entriesSinceMark >= SHARED_MARK_ENTRIES) raiseMark(0);
      return;
    }
    if (unindexed.sortedCount > 0 || unindexed.count >= maxEntries)
      writeSome(Math.max(minWritten, WRITTEN_PER_ATTEMPT * entryCount));
  }

  return {
    begin,
    read,
    readAll,
    /** Returns an object that another one replaces once another process may have written, or an error undone something. */
    epoch: (): object => owned(),
    /** Leaves attempts for later that have just been recorded. */
    addAttempts({ records, heads, links }: Pick<BatchEffects, 'records' | 'heads' | 'links'>): void {
      for (const [shortCode, head] of heads) {
        const state = links.get(shortCode);
        if (state) owned().links.set(shortCode, { state, head });
      }
      addEntries(records);
      writeShare(records.length);
    },
    /** Writes the row of a link with a new entry that is no attempt. `entry` is undefined if it is not in the index. */
    writeLink(shortCode: string, link: CurrentLink, entry?: IndexedEntry): void {
      writeRow(shortCode, link);
      if (entry) addEntries([entry]);
    },
    addEntries,
    /** Notes a status that was written to the row of a link. Returns the link if its row lacks attempts. */
    setStatus(shortCode: string, status: LinkStatus): CurrentLink | undefined {
      const { links } = owned();
      const link = links.get(shortCode);
      if (link) links.set(shortCode, { ...link, state: { ...link.state, status } });
      return link;
    },
    /** Writes some of what is left. Returns whether anything remains. */
    writeLeft(limit: number): boolean {
      if (owned().unindexed.count > 0) writeSome(limit);
      return owned().unindexed.count > 0;
    },
    /** Writes everything, before a clean stop. */
    finish(): void {
      writeAll();
      ownership.release();
      memory = undefined;
    },
    hasUnwritten: (): boolean => (memory?.unindexed.count ?? 0) > 0,
    /** Forgets everything after an error: the transaction may have been undone. */
    forget(): void {
      memory = undefined;
    },
    /** Returns a link whose row lacks attempts, also while another process writes. Within a transaction that reads. */
    readUnwritten(shortCode: string): CurrentLink | undefined {
      return memory && ownership.isOwn() ? memory.links.get(shortCode) : unwritten.ofLink(shortCode);
    },
  };
}
