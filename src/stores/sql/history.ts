import type { Author } from '../../links/author.ts';
import type { ChangeDetails, DownloadEnd, HistoryItem } from '../../links/history.ts';
import type { LinkChangeKind } from '../../links/link-change.ts';
import {
  type HistoryFilter,
  type HistoryQuery,
  type HistoryStore,
  MAX_PAGE_ITEMS,
} from '../../links/ports.ts';
import type { AuditResult } from '../../links/verdict.ts';
import { toUuid } from './history-rows.ts';
import { type IdRange, idsOf } from './id-range.ts';
import { type ReadIdsOfLink, selectNewestIds } from './newest-ids.ts';
import { canBeStored, type Dialect, type Query, type Statement } from './query.ts';

type RowFilter = Pick<HistoryFilter, 'results' | 'ipAddress'>;

/**
 * Returns the history, from short statements: the ids of the next entries, then the rows of these ids that the filter
 * selects. No statement holds an old view of the database open for long.
 */
export function createHistory(query: Query, dialect: Dialect, readIdsOfLink: ReadIdsOfLink): HistoryStore {
  const newestIds = selectNewestIds('newest-ids', dialect);

  async function readIds({ shortCode, range, before }: HistoryQuery, limit: number): Promise<string[]> {
    const ids = endBefore(idsOf(range), before);
    if (shortCode !== null) return canBeStored(shortCode) ? readIdsOfLink(shortCode, ids, limit) : [];
    const rows = await query<{ id: string }>(newestIds, [ids.first, ids.end, limit]);
    return rows.map(({ id }) => id);
  }

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
    return [...attempts.map(toAttemptItem), ...changes.map(toChangeItem)].sort(newestFirst);
  }

  return {
    async readPage(wanted) {
      const isFiltered = wanted.results !== null || wanted.ipAddress !== null;
      const maxExamined = isFiltered ? MAX_PAGE_ITEMS : wanted.limit;
      const ids = await readIds(wanted, maxExamined + 1);
      const examined = ids.slice(0, maxExamined);
      const found = await readItems(examined, wanted);
      const items = found.slice(0, wanted.limit);
      const lastId = found.length > items.length ? items.at(-1)?.id : toUuid(examined.at(-1) ?? '');
      const hasMore = found.length > items.length || ids.length > examined.length;
      return { items, next: hasMore && lastId !== undefined ? lastId : null };
    },
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

const newestFirst = (one: HistoryItem, other: HistoryItem): number =>
  one.id < other.id ? 1 : one.id > other.id ? -1 : 0;
