import type { Author } from '../core/model/author.ts';
import { FORMAT } from '../core/model/hashed-text.ts';
import type { ChangeDetails, EventEntry, HistoryEntry, LogEntry, Personal } from '../core/model/history.ts';
import type { LinkChangeKind } from '../core/model/link-change.ts';
import type { AuditResult } from '../core/model/verdict.ts';
import type { Columns, Dialect, Value } from './sql/query.ts';

/** The columns of `entry` in which attempts differ. */
export const VARYING_COLUMNS: Columns = {
  ...{ seq: 'integer', id: 'uuid', at: 'integer', short_code: 'text', number: 'integer', prev: 'integer' },
  ...{ fingerprint: 'bytes', salt: 'bytes', ip_address: 'text' },
  ...{ result: 'text', count: 'integer', agent_number: 'integer', user_agent: 'text', referrer: 'text' },
  recipient_address: 'text',
};
/** The columns of `entry` that attempts have. */
export const ATTEMPT_COLUMNS: Columns = { ...VARYING_COLUMNS, format: 'integer', kind: 'text' };
/** The columns in which attempts do not differ, with their values. */
export const SAME_OF_ATTEMPTS = { format: FORMAT, kind: `'ATTEMPT'` };
/** The columns of `entry`. */
export const ENTRY_COLUMNS: Columns = {
  ...ATTEMPT_COLUMNS,
  ...{ personal_hash: 'bytes', author_kind: 'text', author_name: 'text', details: 'text' },
  ...{ attempt_id: 'uuid', first_byte: 'integer', bytes_sent: 'integer', is_sent_completely: 'truth' },
};

/** Begins the pseudonym that an erased attempt has in place of its address, so that a recount finds as many addresses. */
export const PSEUDONYM_PREFIX = 'erased-';

/** Returns the number of a user agent; null for one whose text the record has to hold. */
export type NumberOfAgent = (text: string) => number | null;

/** Returns the values of `ATTEMPT_COLUMNS`. */
export function toAttemptValues(
  entry: LogEntry & { kind: 'ATTEMPT' },
  numberOfAgent: NumberOfAgent,
): Value[] {
  const { seq, id, at, kind, shortCode, number, prev, fingerprint, salt } = entry;
  const { ipAddress, userAgent, referrer = null, recipientAddress = null, result, count } = entry;
  const agentNumber = userAgent === null ? null : numberOfAgent(userAgent);
  const text = agentNumber === null ? userAgent : null;
  return [
    ...[seq, id, at, shortCode, number, prev, fingerprint, salt, ipAddress],
    ...[result, count, agentNumber, text, referrer, recipientAddress, FORMAT, kind],
  ];
}

const NO_CHANGE = [null, null, null, null];
const NO_END = [null, null, null, null];

/** Returns the values of `ENTRY_COLUMNS`. */
export function toEntryValues(entry: LogEntry, numberOfAgent: NumberOfAgent): Value[] {
  if (entry.kind === 'ATTEMPT') return [...toAttemptValues(entry, numberOfAgent), ...NO_CHANGE, ...NO_END];
  const { seq, id, at, kind, shortCode, number, prev, fingerprint } = entry;
  const common = [seq, id, at, shortCode, number, prev, fingerprint];
  const noAttempt = [null, null, null, null, null, null, FORMAT, kind];
  if (entry.kind === 'DOWNLOAD') {
    const { attemptId, firstByte, bytesSent, isSentCompletely } = entry;
    const end = [attemptId, firstByte, bytesSent, isSentCompletely];
    return [...common, null, null, ...noAttempt, ...NO_CHANGE, ...end];
  }
  const { author, details, salt } = entry;
  const facts = [null, author.kind, author.name, JSON.stringify(details)];
  return [...common, salt, author.ipAddress, ...noAttempt, ...facts, ...NO_END];
}

/** The columns that the entries of every kind have. Ids and salts are 32 hexadecimal digits, fingerprints 64. */
type CommonRow = {
  seq: number;
  format: number;
  short_code: string;
  number: number;
  prev: number | null;
  fingerprint: string | null;
  id: string;
  at: number;
  salt: string | null;
  personal_hash: string | null;
  ip_address: string | null;
};

/** A row of the log, with the text of its user agent. The columns of the other kinds are null. */
export type EntryRow = CommonRow &
  (
    | {
        kind: 'ATTEMPT';
        result: AuditResult;
        count: number;
        user_agent: string | null;
        referrer: string | null;
        recipient_address: string | null;
      }
    | {
        kind: 'DOWNLOAD';
        attempt_id: string;
        first_byte: number;
        bytes_sent: number;
        is_sent_completely: number | boolean;
      }
    | { kind: LinkChangeKind; author_kind: Author['kind']; author_name: string | null; details: string }
  );

/** An entry that can cause events. */
export type EventEntryRow = Exclude<EntryRow, { kind: 'DOWNLOAD' }>;

/** Selects entries as `EntryRow`s. `condition`: of the table `entry`. */
export function selectEntries({ uuidToText, bytesToHex }: Dialect, condition: string): string {
  return `SELECT entry.seq, entry.format, entry.short_code, entry.number, entry.prev, ${bytesToHex('entry.fingerprint')} AS fingerprint,
      ${bytesToHex('entry.salt')} AS salt, ${bytesToHex('entry.personal_hash')} AS personal_hash,
      entry.kind, ${uuidToText('entry.id')} AS id, entry.at, entry.ip_address, entry.result, entry.count,
      coalesce(user_agent.text, entry.user_agent) AS user_agent, entry.referrer, entry.recipient_address,
      entry.author_kind, entry.author_name, entry.details,
      ${uuidToText('entry.attempt_id')} AS attempt_id, entry.first_byte, entry.bytes_sent, entry.is_sent_completely
    FROM entry LEFT JOIN user_agent ON user_agent.number = entry.agent_number WHERE ${condition}`;
}

/** @throws `SyntaxError` when the details of a change are not JSON */
export function toHistoryEntry(row: EntryRow): HistoryEntry {
  if (row.kind !== 'DOWNLOAD') return toEventEntry(row);
  const { kind, attempt_id: attemptId, first_byte: firstByte, bytes_sent: bytesSent } = row;
  return {
    ...toCommon(row),
    kind,
    attemptId: toUuid(attemptId),
    firstByte,
    bytesSent,
    isSentCompletely: Boolean(row.is_sent_completely),
  };
}

/** @throws `SyntaxError` when the details of a change are not JSON */
export function toEventEntry(row: EventEntryRow): EventEntry {
  if (row.kind === 'ATTEMPT') {
    const { kind, result, count, user_agent: userAgent } = row;
    const { referrer, recipient_address: recipientAddress } = row;
    const given = {
      ...(referrer !== null && { referrer }),
      ...(recipientAddress !== null && { recipientAddress }),
    };
    const ipAddress = row.ip_address?.startsWith(PSEUDONYM_PREFIX) ? null : row.ip_address;
    return { ...toCommon(row), ...toPersonal(row), kind, result, count, ipAddress, userAgent, ...given };
  }
  const author = { kind: row.author_kind, name: row.author_name, ipAddress: row.ip_address };
  const details = JSON.parse(row.details) as ChangeDetails; // as the store wrote it
  return { ...toCommon(row), ...toPersonal(row), kind: row.kind, author, details };
}

const toCommon = ({ id, at, short_code: shortCode }: CommonRow) => ({ id: toUuid(id), at, shortCode });

const toPersonal = ({ salt, personal_hash: personalSha256 }: CommonRow): Personal =>
  personalSha256 === null ? { salt } : { salt, personalSha256 };

/** Returns 32 hexadecimal digits as the text of a UUID. */
export function toUuid(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
