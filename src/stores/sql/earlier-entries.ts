import type { AuditRecord } from '../../links/attempt.ts';
import type { Author } from '../../links/author.ts';
import { EMPTY_CHAIN, sealEntry } from '../../links/chain.ts';
import type { ChainHead, ChangeDetails, HistoryEntry } from '../../links/history.ts';
import type { EpochMs } from '../../links/link.ts';
import type { LinkChangeKind } from '../../links/link-change.ts';
import { toUuid } from './history-rows.ts';
import type { Dialect, Query, Statement } from './query.ts';

/** The entries between two ids that have no number. `lastId`: the last entry that was read; `FIRST_ID` without one. */
export type EarlierEntries = { entries: HistoryEntry[]; lastId: HexId; isLastPage: boolean };

/** An id as 32 lower-case hexadecimal digits. */
export type HexId = string;
export const FIRST_ID: HexId = '0'.repeat(32);
/** No UUIDv7 has it: its version and variant are other digits. */
export const LAST_ID: HexId = 'f'.repeat(32);

/** Up to which entry the earlier ones are sealed, and how many those are. */
export type SealedUntil = { id: HexId; entryCount: number };

export function createReadSealedUntil(query: Query, { uuidToText }: Dialect) {
  const statement: Statement = {
    name: 'sealed-until',
    text: `SELECT ${uuidToText('id')} AS id, entry_count AS "entryCount" FROM sealed_until`,
  };
  return async (): Promise<SealedUntil> => {
    const [row] = await query<SealedUntil>(statement);
    return row ?? { id: FIRST_ID, entryCount: 0 };
  };
}

/** Returns the chains of earlier entries with more entries, which are in the order of their ids. */
export function sealEntries(
  entries: readonly HistoryEntry[],
  heads: ReadonlyMap<string, ChainHead>,
): Map<string, ChainHead> {
  const sealed = new Map<string, ChainHead>();
  for (const entry of entries) {
    const head = sealed.get(entry.shortCode) ?? heads.get(entry.shortCode) ?? EMPTY_CHAIN;
    sealed.set(entry.shortCode, sealEntry(head, entry));
  }
  return sealed;
}

/**
 * Returns a function that reads the audit and the changes of links after an id and before another one, at most `limit`
 * entries of each, and returns those without a number in the order of their ids.
 */
export function createReadEarlierEntries(query: Query, dialect: Dialect) {
  const [attempts, changes] = [selectAttempts(dialect), selectChanges(dialect)];
  return async (range: { after: HexId; before: HexId }, limit: number): Promise<EarlierEntries> => {
    const values = [range.after, range.before, limit];
    const pages = [
      toPage(await query<AttemptRow>(attempts, values), toAttemptEntry),
      toPage(await query<ChangeRow>(changes, values), toChangeEntry),
    ];
    // Behind a full page there may be entries with ids before those of the other page.
    const bounds = pages.filter(({ size }) => size === limit).map(({ lastHex }) => lastHex);
    const bound = bounds.sort()[0];
    const lastHex =
      bound ??
      pages
        .map((page) => page.lastHex)
        .sort()
        .at(-1) ??
      FIRST_ID;
    const found = pages.flatMap(({ earlier }) => earlier).filter(({ hex }) => hex <= lastHex);
    return {
      entries: found.sort((a, b) => (a.hex < b.hex ? -1 : 1)).map(({ entry }) => entry),
      lastId: lastHex,
      isLastPage: bound === undefined,
    };
  };
}

/** `hex`: the id. `page_size`: how many entries were read; those with a number are left out, but for the last. */
type PageRow = { hex: string; number: number | null; page_size: number };
type AttemptRow = PageRow & {
  short_code: string;
  result: AuditRecord['result'];
  ip_address: string | null;
  user_agent: string | null;
  accessed_at: number;
};
type ChangeRow = PageRow & {
  short_code: string;
  kind: LinkChangeKind;
  author_kind: Author['kind'];
  author_name: string | null;
  ip_address: string | null;
  changed_at: number;
  details: string;
};

function toPage<Row extends PageRow>(rows: Row[], toEntry: (row: Row) => HistoryEntry) {
  const last = rows.at(-1);
  return {
    size: last?.page_size ?? 0,
    lastHex: last?.hex ?? FIRST_ID,
    earlier: rows
      .filter(({ number }) => number === null)
      .map((row) => ({ hex: row.hex, entry: toEntry(row) })),
  };
}

function selectAttempts(dialect: Dialect): Statement {
  const columns = ['short_code', 'result', 'ip_address', 'user_agent', 'accessed_at'];
  return { name: 'earlier-attempts', text: selectPage('audit', columns, dialect) };
}

function selectChanges(dialect: Dialect): Statement {
  const authorColumns = ['author_kind', 'author_name', 'ip_address'];
  const columns = ['short_code', 'kind', ...authorColumns, 'changed_at', 'details'];
  return { name: 'earlier-changes', text: selectPage('link_change', columns, dialect) };
}

/** Reads a bounded number of entries, also where most of them have a number. */
function selectPage(table: string, columns: readonly string[], { uuidToText, textToUuid }: Dialect): string {
  return `WITH page AS (
            SELECT id, number, ${columns} FROM ${table} WHERE id > ${textToUuid('$1')} AND id < ${textToUuid('$2')}
            ORDER BY id LIMIT $3)
          SELECT ${uuidToText('id')} AS hex, number, ${columns}, (SELECT count(*) FROM page) AS page_size FROM page
          WHERE number IS NULL OR id = (SELECT id FROM page ORDER BY id DESC LIMIT 1) ORDER BY id`;
}

function toAttemptEntry(row: AttemptRow): HistoryEntry {
  return {
    kind: 'ATTEMPT',
    id: toUuid(row.hex),
    at: row.accessed_at,
    shortCode: row.short_code,
    result: row.result,
    count: 1,
    ipAddress: row.ip_address,
    userAgent: row.user_agent,
  };
}

function toChangeEntry(row: ChangeRow): HistoryEntry {
  return {
    kind: row.kind,
    id: toUuid(row.hex),
    at: row.changed_at,
    shortCode: row.short_code,
    author: { kind: row.author_kind, name: row.author_name, ipAddress: row.ip_address },
    details: JSON.parse(row.details) as ChangeDetails, // as every store writes it
  };
}

/** Returns the least id of a time, see `uuidV7`. */
export function firstIdAt(time: EpochMs): HexId {
  return Math.max(time, 0).toString(16).padStart(12, '0').padEnd(LAST_ID.length, '0');
}

/** Returns the time in an id. */
export function timeOf(id: HexId): EpochMs {
  return Number.parseInt(id.slice(0, 12), 16);
}
