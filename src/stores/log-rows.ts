import type { Author } from '../links/author.ts';
import type { ChangeDetails, EventEntry, HistoryEntry, LogEntry } from '../links/history.ts';
import type { LinkChangeKind } from '../links/link-change.ts';
import type { AuditResult } from '../links/verdict.ts';
import type { Columns, Dialect, Value } from './sql/query.ts';

/** The number of the format of the text that a fingerprint covers, see docs/history-format.md. */
export const FORMAT = 1;

/** The columns of `entry` in which attempts differ. */
export const VARYING_COLUMNS: Columns = {
  ...{ seq: 'integer', id: 'uuid', at: 'integer', short_code: 'text', number: 'integer', prev: 'integer' },
  ...{ fingerprint: 'bytes', ip_address: 'text' },
  ...{ result: 'text', count: 'integer', agent_number: 'integer', user_agent: 'text' },
};
/** The columns of `entry` that attempts have. */
export const ATTEMPT_COLUMNS: Columns = { ...VARYING_COLUMNS, format: 'integer', kind: 'text' };
/** What all attempts have in the columns in which they do not differ. */
export const SAME_OF_ATTEMPTS = { format: FORMAT, kind: `'ATTEMPT'` };
/** The columns of `entry`. */
export const ENTRY_COLUMNS: Columns = {
  ...ATTEMPT_COLUMNS,
  ...{ author_kind: 'text', author_name: 'text', details: 'text' },
  ...{ attempt_id: 'uuid', bytes_sent: 'integer', is_sent_completely: 'truth' },
};

/** Returns the number of a user agent; null for one whose text the record has to hold. */
export type NumberOfAgent = (text: string) => number | null;

/** Returns the values of `ATTEMPT_COLUMNS`. */
export function toAttemptValues(
  entry: LogEntry & { kind: 'ATTEMPT' },
  numberOfAgent: NumberOfAgent,
): Value[] {
  const { seq, id, at, kind, shortCode, number, prev, fingerprint, ipAddress, userAgent, result, count } =
    entry;
  const agentNumber = userAgent === null ? null : numberOfAgent(userAgent);
  const text = agentNumber === null ? userAgent : null;
  return [
    ...[seq, id, at, shortCode, number, prev, fingerprint, ipAddress],
    ...[result, count, agentNumber, text, FORMAT, kind],
  ];
}

/** Returns the values of `ENTRY_COLUMNS`. */
export function toEntryValues(entry: LogEntry, numberOfAgent: NumberOfAgent): Value[] {
  if (entry.kind === 'ATTEMPT')
    return [...toAttemptValues(entry, numberOfAgent), null, null, null, null, null, null];
  const { seq, id, at, kind, shortCode, number, prev, fingerprint } = entry;
  const common = [seq, id, at, shortCode, number, prev, fingerprint];
  const noAttempt = [null, null, null, null, FORMAT, kind];
  if (entry.kind === 'DOWNLOAD') {
    const { attemptId, bytesSent, isSentCompletely } = entry;
    return [...common, null, ...noAttempt, null, null, null, attemptId, bytesSent, isSentCompletely];
  }
  const { author, details } = entry;
  const facts = [author.kind, author.name, JSON.stringify(details)];
  return [...common, author.ipAddress, ...noAttempt, ...facts, null, null, null];
}

/** The columns that the entries of every kind have. Ids are 32 hexadecimal digits, fingerprints 64. */
type CommonRow = {
  seq: number;
  short_code: string;
  number: number;
  prev: number | null;
  fingerprint: string | null;
  id: string;
  at: number;
  ip_address: string | null;
};

/** A row of the log, with the text of its user agent. The columns of the other kinds are null. */
export type EntryRow = CommonRow &
  (
    | { kind: 'ATTEMPT'; result: AuditResult; count: number; user_agent: string | null }
    | { kind: 'DOWNLOAD'; attempt_id: string; bytes_sent: number; is_sent_completely: number | boolean }
    | { kind: LinkChangeKind; author_kind: Author['kind']; author_name: string | null; details: string }
  );

/** An entry that can cause events. */
export type EventEntryRow = Exclude<EntryRow, { kind: 'DOWNLOAD' }>;

/** Selects entries as `EntryRow`s. `condition`: of the table `entry`. */
export function selectEntries({ uuidToText, bytesToHex }: Dialect, condition: string): string {
  return `SELECT entry.seq, entry.short_code, entry.number, entry.prev, ${bytesToHex('entry.fingerprint')} AS fingerprint,
      entry.kind, ${uuidToText('entry.id')} AS id, entry.at, entry.ip_address, entry.result, entry.count,
      coalesce(user_agent.text, entry.user_agent) AS user_agent, entry.author_kind, entry.author_name, entry.details,
      ${uuidToText('entry.attempt_id')} AS attempt_id, entry.bytes_sent, entry.is_sent_completely
    FROM entry LEFT JOIN user_agent ON user_agent.number = entry.agent_number WHERE ${condition}`;
}

/** @throws `SyntaxError` when the details of a change are not JSON */
export function toLogEntry(row: EntryRow): LogEntry {
  const { seq, number, prev, fingerprint } = row;
  return { ...toHistoryEntry(row), seq, number, prev, fingerprint };
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
    isSentCompletely: Boolean(isSentCompletely),
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
