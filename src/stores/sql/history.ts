import type { Author } from '../../links/author.ts';
import type { ChainHead, ChangeDetails, DownloadEnd, HistoryItem } from '../../links/history.ts';
import type { LinkChangeKind } from '../../links/link-change.ts';
import {
  type HistoryFilter,
  type HistoryQuery,
  type HistoryStore,
  MAX_PAGE_ITEMS,
} from '../../links/ports.ts';
import { isFiltered } from '../../links/rules/history-query.ts';
import type { AuditResult } from '../../links/verdict.ts';
import { toUuid } from './history-rows.ts';
import { type IdRange, idsOf } from './id-range.ts';
import type { Dialect, Query, Statement } from './query.ts';

type RowFilter = Pick<HistoryFilter, 'results' | 'ipAddress'>;

/** An entry that is examined. `next`: the cursor of the page after it; null at the end of the history. */
type Examined = { id: string; isWanted: boolean; next: string | null };

/**
 * Returns the history, from short statements: the ids of the next entries, then the rows of these ids that the filter
 * selects. No statement holds an old view of the database open for long.
 */
export function createHistory(query: Query, dialect: Dialect): HistoryStore {
  const chain = selectChain(dialect);
  const newest = selectNewest(dialect);

  /** Follows the chain of a link from a place on: from each entry to the one before it. */
  async function readChain(wanted: HistoryQuery, head: ChainHead): Promise<Examined[]> {
    const { shortCode, before, range, limit } = wanted;
    const [number = 0, id = null] = before?.split('.') ?? [head.entryCount, head.lastId];
    const isSearch = isFiltered(wanted);
    const values = [id, Number(number), shortCode, isSearch ? MAX_PAGE_ITEMS : limit];
    const rows = await query<{ id: string; number: number; at: number; prev: string | null }>(chain, values);
    return rows.map(({ id, number, at, prev }) => ({
      id: toUuid(id),
      isWanted: at >= (range.start ?? at) && (range.end === null || at < range.end),
      next: prev && `${number - 1}.${toUuid(prev)}`,
    }));
  }

  /** Reads the entries of all links in the order of their ids. */
  async function readNewest(wanted: HistoryQuery): Promise<Examined[]> {
    const { shortCode, range, limit } = wanted;
    const { first, end } = endBefore(idsOf(range), wanted.before);
    const isSearch = shortCode !== null || wanted.results !== null || wanted.ipAddress !== null;
    const maxExamined = isSearch ? MAX_PAGE_ITEMS : limit;
    const rows = await query<{ id: string; shortCode: string }>(newest, [first, end, maxExamined + 1]);
    const hasMore = rows.length > maxExamined;
    return rows.slice(0, maxExamined).map((row, index, { length }) => {
      const id = toUuid(row.id);
      const isLast = index === length - 1 && !hasMore;
      return { id, isWanted: row.shortCode === (shortCode ?? row.shortCode), next: isLast ? null : id };
    });
  }

  /** Reads those of the entries that the filter selects. */
  async function readItems(ids: readonly string[], filter: RowFilter): Promise<HistoryItem[]> {
    if (ids.length === 0) return [];
    const { results, ipAddress } = filter;
    const values = [dialect.idList(ids), ...(ipAddress === null ? [] : [ipAddress])];
    const attempts = await query<AttemptRow>(selectAttempts(dialect, filter), [
      ...values,
      ...(results ?? []),
    ]);
    // Changes have no result.
    const changes = results === null ? await query<ChangeRow>(selectChanges(dialect, filter), values) : [];
    return [...attempts.map(toAttemptItem), ...changes.map(toChangeItem)];
  }

  return {
    async readPage(wanted) {
      const { head, limit } = wanted;
      const examined = head ? await readChain(wanted, head) : await readNewest(wanted);
      const ids = examined.filter(({ isWanted }) => isWanted).map(({ id }) => id);
      const items = new Map((await readItems(ids, wanted)).map((item) => [item.id, item]));
      const found = examined.flatMap(({ id, next }) => {
        const item = items.get(id);
        return item ? [{ item, next }] : [];
      });
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1) : examined.at(-1);
      return { items: page.map(({ item }) => item), next: last?.next ?? null };
    },
  };
}

/**
 * Selects at most $4 attempts and changes of the chain of the link $3, and the ends of downloads between them, from the
 * entry with the id $1 and the number $2 on. It ends where an entry is not the one before.
 */
export function selectChain({ uuidToText, textToUuid }: Dialect): Statement {
  const either = (column: string) => `coalesce(audit.${column}, link_change.${column}, download.${column})`;
  return {
    name: 'history-chain',
    text: `WITH RECURSIVE entry (id, number, at, prev, item_count) AS (
             SELECT ${textToUuid('$1')}, CAST($2 AS BIGINT) + 1, CAST(NULL AS BIGINT), ${textToUuid('$1')},
               CAST(0 AS BIGINT)
             UNION ALL
             SELECT entry.prev, entry.number - 1, coalesce(accessed_at, changed_at, ended_at), ${either('prev')},
               item_count + CASE WHEN download.id IS NULL THEN 1 ELSE 0 END
             FROM entry LEFT JOIN audit ON audit.id = entry.prev
               LEFT JOIN link_change ON audit.id IS NULL AND link_change.id = entry.prev
               LEFT JOIN download ON audit.id IS NULL AND download.id = entry.prev
             WHERE item_count < $4 AND ${either('number')} = entry.number - 1
               AND ${either('short_code')} = $3)
           SELECT ${uuidToText('id')} AS id, number, at, ${uuidToText('prev')} AS prev FROM entry WHERE at IS NOT NULL`,
  };
}

/** Selects the newest attempts and changes by their ids: from $1 on, before $2, at most $3. */
export function selectNewest({ uuidToText }: Dialect): Statement {
  const newestOf = (table: string) =>
    `SELECT id, short_code FROM (SELECT id, short_code FROM ${table} WHERE id >= $1 AND id < $2
                                 ORDER BY id DESC LIMIT $3) AS newest_of_${table}`;
  return {
    name: 'history-newest',
    text: `SELECT ${uuidToText('id')} AS id, short_code AS "shortCode"
           FROM (${newestOf('audit')} UNION ALL ${newestOf('link_change')}) AS entry ORDER BY entry.id DESC LIMIT $3`,
  };
}

function endBefore({ first, end }: IdRange, before: string | null): IdRange {
  if (before === null) return { first, end };
  const id = Buffer.from(before.replaceAll('-', ''), 'hex');
  return { first, end: Buffer.compare(id, end) < 0 ? id : end };
}

/** Every combination of filters is a statement of its own, because each must have a name of its own. */
export function selectAttempts(
  { uuidToText, isListed }: Dialect,
  { results, ipAddress }: RowFilter,
): Statement {
  const firstResult = ipAddress === null ? 2 : 3;
  const parameters = results?.map((_, index) => `$${firstResult + index}`);
  return {
    name: `history-attempts${ipAddress === null ? '' : '-address'}-${results?.length ?? 'all'}`,
    text: `SELECT ${uuidToText('audit.id')} AS id, audit.short_code AS "shortCode", audit.accessed_at AS at,
             audit.number, audit.result, audit.count, audit.ip_address AS "ipAddress",
             coalesce(agent.text, audit.user_agent) AS "userAgent",
             ${uuidToText('download.id')} AS "downloadId", download.ended_at AS "downloadAt",
             download.number AS "downloadNumber", download.bytes_sent AS "bytesSent",
             CASE WHEN download.is_sent_completely THEN 1 ELSE 0 END AS "isSentCompletely"
           FROM audit LEFT JOIN user_agent AS agent ON agent.number = audit.agent_number
             LEFT JOIN download ON download.attempt_id = audit.id
           WHERE ${isListed('audit.id', '$1')}
             ${ipAddress === null ? '' : 'AND audit.ip_address = $2'}
             ${parameters ? `AND audit.result IN (${parameters})` : ''}`,
  };
}

export function selectChanges({ uuidToText, isListed }: Dialect, { ipAddress }: RowFilter): Statement {
  return {
    name: `history-changes${ipAddress === null ? '' : '-address'}`,
    text: `SELECT ${uuidToText('id')} AS id, short_code AS "shortCode", changed_at AS at, number, kind,
             author_kind AS "authorKind", author_name AS "authorName", ip_address AS "ipAddress", details
           FROM link_change
           WHERE ${isListed('id', '$1')} ${ipAddress === null ? '' : 'AND ip_address = $2'}`,
  };
}

type EntryRow = {
  id: string;
  shortCode: string;
  at: number;
  number: number;
  ipAddress: string | null;
};
type AttemptRow = EntryRow & { result: AuditResult; count: number; userAgent: string | null } & (
    | { downloadAt: null }
    | {
        downloadId: string;
        downloadAt: number;
        downloadNumber: number;
        bytesSent: number;
        isSentCompletely: 0 | 1;
      }
  );
type ChangeRow = EntryRow & {
  kind: LinkChangeKind;
  authorKind: Author['kind'];
  authorName: string | null;
  /** JSON. */
  details: string;
};

function toAttemptItem(row: AttemptRow): HistoryItem {
  const { id, at, shortCode, number, result, count, ipAddress, userAgent } = row;
  const entry = { id: toUuid(id), at, shortCode, number, result, count, ipAddress, userAgent };
  return { ...entry, kind: 'ATTEMPT', download: toDownloadEnd(row) };
}

function toDownloadEnd(row: AttemptRow): DownloadEnd | null {
  if (row.downloadAt === null) return null;
  const { downloadId, downloadAt: at, downloadNumber: number, bytesSent, isSentCompletely } = row;
  return { id: toUuid(downloadId), at, number, bytesSent, isSentCompletely: isSentCompletely === 1 };
}

function toChangeItem(row: ChangeRow): HistoryItem {
  const { id, at, shortCode, number, kind, authorKind, authorName, ipAddress } = row;
  const author = { kind: authorKind, name: authorName, ipAddress };
  const details = JSON.parse(row.details) as ChangeDetails; // as the store wrote it
  return { id: toUuid(id), at, shortCode, number, kind, author, details };
}
