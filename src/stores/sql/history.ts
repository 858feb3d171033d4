import type { DownloadEnd, HistoryItem } from '../../core/model/history.ts';
import type { ChainHead } from '../../core/model/link.ts';
import {
  type HistoryFilter,
  type HistoryQuery,
  MAX_PAGE_ITEMS,
  type TimeRange,
} from '../../core/model/ranges.ts';
import { HOUR_MS } from '../../core/model/time-units.ts';
import type { HistoryPage, HistoryStore } from '../../core/ports/ports.ts';
import { isFiltered } from '../../core/rules/history-query.ts';
import { type EventEntryRow, selectEntries, toEventEntry, toUuid } from '../log-rows.ts';
import type { Dialect, Parameter, Query, Statement } from './query.ts';

type RowFilter = Pick<HistoryFilter, 'results' | 'ipAddress'>;

/** An entry that is examined. `next`: the cursor of the page after it; null at the end of the history. */
type Examined = { seq: number; isWanted: boolean; next: string | null };

/**
 * Returns the history, from short statements: the places of the next entries, then those of these entries that the
 * filter selects. No statement holds an old view of the database open for long.
 */
export function createHistory(query: Query, dialect: Dialect): HistoryStore {
  const followChain = selectChain(dialect);

  /** Follows the chain of a link from an entry on: from each to the one before it. */
  async function readChain(wanted: HistoryQuery, head: ChainHead): Promise<Examined[]> {
    const { shortCode, before, range, limit } = wanted;
    const first = before === null ? await findFirst(query, wanted, head) : Number(before);
    const values = [first, shortCode, isFiltered(wanted) ? MAX_PAGE_ITEMS : limit];
    const rows = await query<{ seq: number; at: number; prev: number | null }>(followChain, values);
    return rows.map(({ seq, at, prev }) => ({
      seq,
      isWanted: isInRange(at, range),
      next: prev === null ? null : String(prev),
    }));
  }

  /** Reads the entries of all links in the order of the log. */
  async function readNewest(wanted: HistoryQuery): Promise<Examined[]> {
    const { shortCode, range, before, results, ipAddress, limit } = wanted;
    const isSearch = [shortCode, results, ipAddress, range.start, range.end].some((each) => each !== null);
    const bounds = await findBounds(query, range);
    const last = before === null ? bounds.last : Math.min(bounds.last, Number(before) - 1);
    const maxExamined = isSearch ? MAX_PAGE_ITEMS : limit;
    const rows = await query<{ seq: number; at: number; shortCode: string }>(SELECT_NEWEST, [
      ...[bounds.first, last],
      maxExamined + 1,
    ]);
    const hasMore = rows.length > maxExamined;
    return rows.slice(0, maxExamined).map((row, index, { length }) => {
      const isLast = index === length - 1 && !hasMore;
      const isWanted = row.shortCode === (shortCode ?? row.shortCode) && isInRange(row.at, range);
      return { seq: row.seq, isWanted, next: isLast ? null : String(row.seq) };
    });
  }

  return {
    async readPage(wanted): Promise<HistoryPage> {
      const { head, limit } = wanted;
      const examined = head ? await readChain(wanted, head) : await readNewest(wanted);
      const items = await readItems(
        { query, dialect },
        examined.filter(({ isWanted }) => isWanted).map(({ seq }) => seq),
        wanted,
      );
      const found = examined.flatMap(({ seq, next }) => {
        const item = items.get(seq);
        return item ? [{ item, next }] : [];
      });
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1) : examined.at(-1);
      return { items: page.map(({ item }) => item), next: last?.next ?? null };
    },
  };
}

/** Returns the first entry to examine: the newest one, or an entry not long after the end of the range. */
async function findFirst(
  query: Query,
  { shortCode, range }: HistoryQuery,
  { lastSeq }: ChainHead,
): Promise<number | null> {
  if (range.end === null) return lastSeq;
  const { last } = await findBounds(query, range);
  const [jump] = await query<{ seq: number }>(SELECT_JUMP, [shortCode, last]);
  return jump?.seq ?? lastSeq;
}

/** Reads those of the entries that the filter selects. */
async function readItems(
  { query, dialect }: { query: Query; dialect: Dialect },
  seqs: readonly number[],
  filter: RowFilter,
): Promise<Map<number, HistoryItem>> {
  if (seqs.length === 0) return new Map();
  const values: Parameter[] = [JSON.stringify(seqs)];
  if (filter.ipAddress !== null) values.push(filter.ipAddress);
  const rows = await query<ItemRow>(selectItems(dialect, filter), [...values, ...(filter.results ?? [])]);
  const items = new Map<number, HistoryItem>();
  for (const row of rows) addRow(items, row);
  return items;
}

function isInRange(at: number, { start, end }: TimeRange): boolean {
  return at >= (start ?? at) && (end === null || at < end);
}

/** Returns the part of the log that has the entries of a range, when they are projected. */
export async function findBounds(
  query: Query,
  { start, end }: TimeRange,
): Promise<{ first: number; last: number }> {
  if (start === null && end === null) return { first: 0, last: Number.MAX_SAFE_INTEGER };
  const hours = [Math.floor((start ?? 0) / HOUR_MS), Math.floor((end ?? Number.MAX_SAFE_INTEGER) / HOUR_MS)];
  const [bounds] = await query<{ first: number | null; last: number | null }>(SELECT_BOUNDS, hours);
  return {
    first: bounds?.first ?? Number.MAX_SAFE_INTEGER,
    last: end === null ? Number.MAX_SAFE_INTEGER : (bounds?.last ?? 0),
  };
}

const SELECT_BOUNDS =
  'SELECT min(first_seq) AS first, max(last_seq) AS last FROM log_hour WHERE hour >= $1 AND hour <= $2';

/** Selects the first entry of the link $1 after the entry $2 of the log that was noted as a beginning. */
export const SELECT_JUMP =
  'SELECT seq FROM history_jump WHERE short_code = $1 AND seq > $2 ORDER BY seq LIMIT 1';

/**
 * Selects at most $3 attempts and changes of the chain of the link $2, and the ends of downloads between them, from the
 * entry $1 on. It ends where an entry is not the one before.
 */
export const selectChain = ({
  lookUp,
}: Dialect): Statement => `WITH RECURSIVE chain (seq, number, at, prev, item_count) AS (
           SELECT seq, number, at, prev, CASE kind WHEN 'DOWNLOAD' THEN 0 ELSE 1 END FROM entry
           WHERE seq = $1 AND short_code = $2
           UNION ALL
           SELECT entry.seq, entry.number, entry.at, entry.prev,
             item_count + CASE entry.kind WHEN 'DOWNLOAD' THEN 0 ELSE 1 END
           FROM chain ${lookUp('entry', 'entry.seq = chain.prev')}
           WHERE item_count < $3 AND entry.number = chain.number - 1 AND entry.short_code = $2)
         SELECT seq, at, prev FROM chain`;

/** Selects the newest attempts and changes from $1 to $2 of the log, at most $3. */
export const SELECT_NEWEST = `SELECT seq, at, short_code AS "shortCode" FROM entry WHERE seq >= $1 AND seq <= $2 AND kind <> 'DOWNLOAD'
         ORDER BY seq DESC LIMIT $3`;

type ItemRow = EventEntryRow &
  (
    | { ended_at: null }
    | {
        ended_id: string;
        ended_at: number;
        ended_format: number;
        ended_number: number;
        first_byte: number;
        sent_bytes: number;
        is_whole: number | boolean;
      }
  );

/** Returns a statement for each combination of filters, because each must have a name of its own. */
export function selectItems(dialect: Dialect, { results, ipAddress }: RowFilter): Statement {
  const firstResult = ipAddress === null ? 2 : 3;
  const parameters = results?.map((_, index) => `$${firstResult + index}`);
  const condition = `${dialect.isAnyOf('entry.seq', '$1')} AND entry.kind <> 'DOWNLOAD'
    ${ipAddress === null ? '' : 'AND entry.ip_address = $2'} ${parameters ? `AND entry.result IN (${parameters})` : ''}`;
  return `SELECT item.*, ${dialect.uuidToText('ended.id')} AS ended_id, ended.at AS ended_at,
             ended.format AS ended_format, ended.number AS ended_number, ended.first_byte, ended.bytes_sent AS sent_bytes, ended.is_sent_completely AS is_whole
           FROM (${selectEntries(dialect, condition)}) AS item
             LEFT JOIN download ON download.attempt_id = ${dialect.textToUuid('item.id')}
             LEFT JOIN entry AS ended ON ended.seq = download.seq
           ORDER BY item.seq, ended.seq`;
}

/** Adds a row of an item: there is one for each end of a download. */
function addRow(items: Map<number, HistoryItem>, row: ItemRow): void {
  const { seq, format, number } = row;
  const known = items.get(seq);
  const end = toDownloadEnd(row);
  if (known?.kind === 'ATTEMPT' && end) {
    known.downloads.push(end);
    return;
  }
  const entry = { ...toEventEntry(row), format, number };
  items.set(seq, entry.kind === 'ATTEMPT' ? { ...entry, downloads: end ? [end] : [] } : entry);
}

function toDownloadEnd(row: ItemRow): DownloadEnd | undefined {
  if (row.ended_at === null) return undefined;
  return {
    format: row.ended_format,
    id: toUuid(row.ended_id),
    at: row.ended_at,
    number: row.ended_number,
    firstByte: row.first_byte,
    bytesSent: row.sent_bytes,
    isSentCompletely: Boolean(row.is_whole),
  };
}
