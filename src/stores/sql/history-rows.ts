import type { Author } from '../../links/author.ts';
import type { ChangeDetails, EventEntry, HistoryEntry } from '../../links/history.ts';
import type { LinkChangeKind } from '../../links/link-change.ts';
import type { AuditResult } from '../../links/verdict.ts';
import type { Dialect } from './query.ts';

/** The columns that the entries of every kind have. Ids are 32 hexadecimal digits. */
type CommonRow = {
  short_code: string;
  number: number;
  prev: string | null;
  id: string;
  at: number;
  ip_address: string | null;
};

/** An entry of a history, with its place in the chain. The columns of the other kinds are null. */
export type EntryRow = CommonRow &
  (
    | { kind: 'ATTEMPT'; result: AuditResult; count: number; user_agent: string | null }
    | { kind: 'DOWNLOAD'; attempt_id: string; bytes_sent: number; is_sent_completely: number }
    | { kind: LinkChangeKind; author_kind: Author['kind']; author_name: string | null; details: string }
  );

/** An entry that can cause events. */
export type EventEntryRow = Exclude<EntryRow, { kind: 'DOWNLOAD' }>;

/** Selects entries of all histories as `EntryRow`s. `condition` gets the table that has `number` and `id`. */
export function selectEntries({ uuidToText }: Dialect, condition: (table: string) => string): string {
  return `
    SELECT audit.short_code, audit.number, ${uuidToText('prev')} AS prev, 'ATTEMPT' AS kind,
      ${uuidToText('id')} AS id, accessed_at AS at, ip_address, result, count,
      coalesce(user_agent.text, user_agent) AS user_agent, CAST(NULL AS TEXT) AS author_kind,
      CAST(NULL AS TEXT) AS author_name, CAST(NULL AS TEXT) AS details, CAST(NULL AS TEXT) AS attempt_id,
      CAST(NULL AS BIGINT) AS bytes_sent, CAST(NULL AS BIGINT) AS is_sent_completely
    FROM audit LEFT JOIN user_agent ON user_agent.number = audit.agent_number WHERE ${condition('audit')}
    UNION ALL
    SELECT short_code, number, ${uuidToText('prev')}, kind, ${uuidToText('id')}, changed_at, ip_address, NULL, NULL,
      NULL, author_kind, author_name, details, NULL, NULL, NULL FROM link_change WHERE ${condition('link_change')}
    UNION ALL
    SELECT short_code, number, ${uuidToText('prev')}, 'DOWNLOAD', ${uuidToText('id')}, ended_at, NULL, NULL, NULL,
      NULL, NULL, NULL, NULL, ${uuidToText('attempt_id')}, bytes_sent,
      CASE WHEN is_sent_completely THEN 1 ELSE 0 END
    FROM download WHERE ${condition('download')}`;
}

/** @throws `SyntaxError` when the details of a change are not JSON */
export function toHistoryEntry(row: EntryRow): HistoryEntry {
  if (row.kind !== 'DOWNLOAD') return toEventEntry(row);
  const { kind, attempt_id: attemptId, bytes_sent: bytesSent, is_sent_completely: isSentCompletely } = row;
  return {
    ...toCommon(row),
    kind,
    attemptId: toUuid(attemptId),
    bytesSent,
    isSentCompletely: isSentCompletely === 1,
  };
}

/** @throws `SyntaxError` when the details of a change are not JSON */
export function toEventEntry(row: EventEntryRow): EventEntry {
  if (row.kind === 'ATTEMPT') {
    const { kind, result, count, ip_address: ipAddress, user_agent: userAgent } = row;
    return { ...toCommon(row), kind, result, count, ipAddress, userAgent };
  }
  const author = { kind: row.author_kind, name: row.author_name, ipAddress: row.ip_address };
  const details = JSON.parse(row.details) as ChangeDetails; // as the store wrote it
  return { ...toCommon(row), kind: row.kind, author, details };
}

const toCommon = ({ id, at, short_code: shortCode }: CommonRow) => ({ id: toUuid(id), at, shortCode });

/** Returns 32 hexadecimal digits as the text of a UUID. */
export function toUuid(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
