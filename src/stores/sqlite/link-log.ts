import type { DatabaseSync } from 'node:sqlite';
import { dropOldestHundredth } from '../../common/drop-oldest.ts';
import { headAt } from '../../core/model/chain.ts';
import { opened } from '../../core/model/decide-attempt.ts';
import type { LogEntry } from '../../core/model/history.ts';
import type { AuditResult } from '../../core/model/verdict.ts';
import {
  type CurrentLink,
  type CurrentLinkRow,
  currentLinkColumns,
  toCurrentLink,
  toWrittenRow,
  WRITTEN_COLUMNS,
} from '../link-rows.ts';
import { ATTEMPT_COLUMNS, ENTRY_COLUMNS, toAttemptValues, toEntryValues } from '../log-rows.ts';
import type { Appended } from '../sql/link-transaction.ts';
import { prepareCountStatuses, prepareRank, SELECT_THRESHOLD, type Threshold } from '../sql/projections.ts';
import { SQLITE, type Value } from '../sql/query.ts';
import { createUserAgents } from '../sql/user-agents.ts';
import { writeEvents } from '../sql/write-events.ts';
import { prepareInsertRows, prepareQuery, type Run } from './query.ts';

// An attempt changes a view count and the end of a history. Writing both into the row of its link would rewrite a page
// for nearly every attempt. So a commit of attempts only appends them to the log, the newest state of their links is in
// memory, and the projector writes the rows later, many at once. After a kill, memory follows from the rows and the log:
// entries whose number the row of their link has already are left out. Links stay in memory after that: reading one that was
// opened before takes 3 µs.

/** The bound of links that stay in memory, of about 340 bytes each. */
const MAX_WRITTEN = 32_768;

/** The known part of the log. It is dropped with any failed transaction, and read again. */
export type Memory = {
  /** Links whose rows lack entries. */
  links: Map<string, CurrentLink>;
  /** Links whose rows have all entries, unless they are among those that lack some. Another program may change them. */
  written: Map<string, CurrentLink>;
  lastSeq: number;
  /** See the table `projector`. */
  counted: number;
  position: number;
};

export type LinkLog = ReturnType<typeof openLinkLog>;

/** Opens the log of a store, within the caller's transactions. */
export function openLinkLog(db: DatabaseSync, run: Run) {
  const insert = prepareInsertEntries(db, run);
  const countStatuses = prepareCountStatuses(SQLITE);
  const { read, writeLinks, keepLinks, dropLinks } = prepareLinkRows(db, run);
  const replay = prepareReplay(db, read);
  const selectPositions = db.prepare('SELECT counted, position FROM projector');
  const selectVersion = db.prepare('PRAGMA data_version'); // changes with each commit of another connection
  let version: unknown;
  let memory: Memory | undefined;

  /** Returns what is known of the log, which no other process writes. The first call in each transaction. */
  function begin(): Memory {
    const before = version;
    version = selectVersion.get()?.['data_version'];
    if (version !== before) memory?.written.clear();
    if (memory) return memory;
    const row = selectPositions.get();
    const [counted, position] = [Number(row?.['counted']), Number(row?.['position'])];
    const known: Memory = { links: new Map(), written: new Map(), lastSeq: position, counted, position };
    replay(known);
    memory = known;
    return known;
  }

  return {
    begin,
    read,
    writeLinks,
    keepLinks,
    append(known: Memory, { entries, links, statuses, events, ...appended }: Appended): void {
      const changed = [...appended.changed];
      insert(entries);
      for (const [shortCode, link] of links) known.links.set(shortCode, link);
      writeLinks(known, changed);
      dropLinks(known, changed);
      for (const { statement, values } of countStatuses(statuses)) run(statement, values);
      writeEvents({ write: run }, events);
      known.lastSeq = entries.at(-1)?.seq ?? known.lastSeq;
    },
    /** Returns what is known, if anything is. */
    memory: (): Memory | undefined => memory,
    /** Forgets everything after an error: the transaction may have been undone. */
    forget(): void {
      memory = undefined;
    },
  };
}

/** Prepares inserting entries. Rows of attempts alone have fewer columns. */
function prepareInsertEntries(db: DatabaseSync, run: Run): (entries: readonly LogEntry[]) => void {
  const { numberOf } = createUserAgents(prepareQuery(db, run), SQLITE);
  const insertAttempts = prepareInsertRows(db, 'entry', ATTEMPT_COLUMNS);
  const insertEntries = prepareInsertRows(db, 'entry', ENTRY_COLUMNS);
  return (entries) => {
    const attempts = entries.filter((entry) => entry.kind === 'ATTEMPT');
    if (attempts.length === entries.length)
      insertAttempts(attempts.map((entry) => toAttemptValues(entry, numberOf)));
    else insertEntries(entries.map((entry) => toEntryValues(entry, numberOf)));
  };
}

/** Prepares reading links from memory or their rows, and writing these rows with their ranks. */
function prepareLinkRows(db: DatabaseSync, run: Run) {
  const rank = prepareRank(SQLITE);
  const selectLinks = db.prepare(
    `SELECT ${currentLinkColumns(SQLITE)} FROM json_each(?) CROSS JOIN link ON link.short_code = json_each.value`,
  );
  const updateLinks = `UPDATE link SET ${Object.keys(WRITTEN_COLUMNS).map((column) => `${column} = given.${column}`)}
           FROM ${SQLITE.given(WRITTEN_COLUMNS)} WHERE link.short_code = given.short_code`;
  return {
    /** Returns those of the links that exist. */
    read({ links, written }: Memory, shortCodes: Iterable<string>): Map<string, CurrentLink> {
      const found = new Map<string, CurrentLink>();
      const others = new Set<string>();
      for (const shortCode of shortCodes) {
        const current = links.get(shortCode) ?? written.get(shortCode);
        if (current) found.set(shortCode, current);
        else others.add(shortCode);
      }
      if (others.size === 0) return found;
      for (const row of selectLinks.iterate(JSON.stringify([...others]))) {
        const link = row as CurrentLinkRow; // the columns of its statement
        found.set(link.short_code, toCurrentLink(link));
      }
      return found;
    },
    /** Writes the rows of those of these links that lack entries. */
    writeLinks({ links }: Memory, shortCodes: Iterable<string>): void {
      const rows: Value[][] = [];
      const views = new Map<string, number>();
      for (const shortCode of shortCodes) {
        const link = links.get(shortCode);
        if (!link) continue;
        rows.push(toWrittenRow(shortCode, link));
        views.set(shortCode, link.state.viewCount);
      }
      if (rows.length === 0) return;
      run(updateLinks, SQLITE.values(WRITTEN_COLUMNS, rows));
      const [threshold] = run<NonNullable<Threshold>>(SELECT_THRESHOLD);
      for (const { statement, values } of rank(views, threshold)) run(statement, values);
    },
    /** Notes that the rows of links have all entries. */
    keepLinks({ links, written }: Memory, shortCodes: Iterable<string>): void {
      for (const shortCode of shortCodes) {
        const link = links.get(shortCode);
        written.delete(shortCode); // the oldest are the first of a map
        if (link) written.set(shortCode, link);
        links.delete(shortCode);
      }
      dropOldestHundredth(written, MAX_WRITTEN);
    },
    /** Forgets links, which are read again. */
    dropLinks({ links, written }: Memory, shortCodes: Iterable<string>): void {
      for (const shortCode of shortCodes) {
        links.delete(shortCode);
        written.delete(shortCode);
      }
    },
  };
}

/** An entry, as far as memory follows from it. */
type LoggedEntry = Pick<LogEntry, 'seq' | 'number' | 'prev' | 'shortCode' | 'at' | 'kind' | 'fingerprint'> & {
  result: AuditResult | null;
};

/** The details of changes are not read: a damaged one stops nothing. */
const SELECT_LATER = `SELECT seq, number, prev, short_code AS "shortCode", at, kind, ${SQLITE.bytesToHex('fingerprint')} AS fingerprint,
           result FROM entry WHERE seq > ? ORDER BY seq`;

/** Prepares reading the entries after the last that is projected: after a start or an error. */
function prepareReplay(db: DatabaseSync, read: ReturnType<typeof prepareLinkRows>['read']) {
  const selectLater = db.prepare(SELECT_LATER);

  /** Applies an entry again, unless the row of its link has it. What changes more than views is written with the row. */
  function replayEntry(known: Memory, entry: LoggedEntry): void {
    const { fingerprint, shortCode, number } = entry;
    if (fingerprint === null) return;
    if (entry.kind !== 'ATTEMPT' && entry.kind !== 'DOWNLOAD') known.links.delete(shortCode);
    const current = read(known, [shortCode]).get(shortCode);
    if (!current) return;
    const isImported = entry.kind === 'CREATED' && current.state.viewCount > 0;
    if (isImported) known.links.set(shortCode, current); // its views may not be ranked
    if (current.head.entryCount >= number) return;
    const state = entry.result === 'SUCCESS' ? opened(current.state, entry.at) : current.state;
    known.links.set(shortCode, { state, head: headAt({ ...entry, fingerprint }) });
  }

  return (known: Memory): void => {
    for (const row of selectLater.iterate(known.lastSeq)) {
      const entry = row as LoggedEntry; // the columns of its statement
      known.lastSeq = entry.seq;
      replayEntry(known, entry);
    }
  };
}
