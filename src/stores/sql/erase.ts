import { hash } from 'node:crypto';
import { eraseEntry } from '../../core/model/chain.ts';
import { MAILED_TO } from '../../core/model/hashed-text.ts';
import type { ChangeDetails } from '../../core/model/history.ts';
import { HOUR_MS } from '../../core/model/time-units.ts';
import type { Erasable, Erasure } from '../../core/ports/erasures.ts';
import { findRecipient } from '../../core/rules/verified-recipients.ts';
import { AUTHOR } from '../../core/use-cases/erase/erase.ts';
import { toTexts } from '../link-rows.ts';
import { type EventEntryRow, PSEUDONYM_PREFIX, selectEntries, toEventEntry } from '../log-rows.ts';
import type { LinkTransaction } from './link-transaction.ts';
import {
  type HourAddress,
  prepareAddAddresses,
  prepareCountRemoved,
  selectAddresses,
} from './projections.ts';
import type { Columns, Dialect, Parameter, Query } from './query.ts';

/** Entries that one read looks at. */
const READ_AT_ONCE = 5_000;
const IS_PSEUDONYM = `ip_address LIKE '${PSEUDONYM_PREFIX}%'`;
/** Attempts without a link have no salt and no hash. */
const IS_ERASABLE = `(salt IS NOT NULL OR entry.number = 0 AND ip_address IS NOT NULL AND NOT ${IS_PSEUDONYM})`;
export const IS_ERASED = `(personal_hash IS NOT NULL OR entry.number = 0 AND ${IS_PSEUDONYM})`;
/** The changes by erasures that were interrupted: their entries are erased after the older ones of the link. */
const IS_UNFINISHED = `salt IS NOT NULL AND kind = 'CHANGED' AND author_kind = '${AUTHOR.kind}' AND author_name = '${AUTHOR.name}'`;
/** The hours of a retention before $1. The earlier retentions left none before their end. */
const IS_OLDER = `(hour + 1) * ${HOUR_MS} <= $1`;
const IS_LEFT = `hour * ${HOUR_MS} >= (SELECT coalesce(max(erased_before), 0) FROM erasure)`;
export const isOneOf = ({ texts }: Dialect, table: string): string =>
  `${table}.short_code IN (SELECT value FROM ${texts('$1')})`;

/** Returns the condition of the entries to erase, and the parameter $1 of it. */
function conditionOf(erasable: Erasable, dialect: Dialect): [string, Parameter] {
  if (erasable.kind === 'IP') return ['ip_address = $1', erasable.ipAddress];
  if (erasable.kind === 'RETENTION') return ['at < $1', erasable.before];
  return [isOneOf(dialect, 'entry'), JSON.stringify(erasable.shortCodes)];
}

/** The changes that say to whom a link was mailed. */
const IS_MAILED = `kind = 'CHANGED' AND details LIKE '%"${MAILED_TO}"%'`;

/** The texts of a change that name recipients: those that it removed, and the one that the link was mailed to. */
type NamedRecipients = Partial<Record<'recipient' | 'verifiedRecipients', { old: string | null }>> &
  ChangeDetails;

/** Returns whether a change names a recipient. */
function isInDetails(details: string, wanted: string): boolean {
  const { recipient, verifiedRecipients, ...others } = JSON.parse(details) as NamedRecipients; // as the store wrote it
  const addresses = verifiedRecipients?.old?.split(',') ?? [];
  return [recipient?.old, others[MAILED_TO]].includes(wanted) || isAmong(addresses, wanted);
}

const isAmong = (addresses: readonly string[], wanted: string): boolean =>
  findRecipient(addresses, wanted) !== undefined;

/** An entry, with what of it may name a recipient. `proven`: the address of the recipient who made the attempt. */
type NamingEntry = { seq: number; code: string; details: string | null; proven: string | null };

/** Returns the operations of erasures that only read. */
export function createErasureReads(query: Query, dialect: Dialect) {
  return {
    async findRecipientLinks(wanted: string): Promise<string[]> {
      const statement = `SELECT short_code AS code, verified_recipients AS verified,
          CASE WHEN recipient = $1 THEN 1 ELSE 0 END AS named FROM link_target
        WHERE recipient = $1 OR verified_recipients IS NOT NULL ORDER BY short_code`;
      const rows = await query<{ code: string; verified: string | null; named: number }>(statement, [wanted]);
      const now = rows.filter(({ named, verified }) => named === 1 || isAmong(toTexts(verified), wanted));
      const codes = new Set(now.map(({ code }) => code));
      for (let after: number | undefined = 0; after !== undefined; ) {
        const entries: NamingEntry[] = await query(
          `SELECT seq, short_code AS code, recipient_address AS proven,
             CASE WHEN ${IS_UNFINISHED} OR ${IS_MAILED} THEN details END AS details FROM entry
           WHERE seq > $1 ORDER BY seq LIMIT ${READ_AT_ONCE}`,
          [after],
        );
        for (const { code, details, proven } of entries)
          if (
            (details !== null && isInDetails(details, wanted)) ||
            (proven !== null && isAmong([proven], wanted))
          )
            codes.add(code);
        after = entries.at(-1)?.seq;
      }
      return [...codes];
    },
    async findErasable(erasable: Erasable, after: number) {
      const isRetention = erasable.kind === 'RETENTION';
      const [condition, value] = conditionOf(erasable, dialect);
      const rows = await query<{ seq: number; wanted: number }>(
        `SELECT seq, CASE WHEN ${IS_ERASABLE} AND ${condition} THEN 1 ELSE 0 END AS wanted FROM entry
         WHERE seq > $2 AND seq <= (SELECT max(last_seq) FROM log_hour ${isRetention ? `WHERE ${IS_OLDER}` : ''})
           ${isRetention ? `AND seq >= (SELECT min(first_seq) FROM log_hour WHERE ${IS_LEFT})` : ''}
         ORDER BY seq LIMIT ${READ_AT_ONCE}`,
        [value, after],
      );
      const seqs = rows.filter(({ wanted }) => wanted === 1).map(({ seq }) => seq);
      return { seqs, next: rows.length < READ_AT_ONCE ? null : (rows.at(-1)?.seq ?? null) };
    },
  };
}

const ERASED: Columns = { seq: 'integer', personal_hash: 'bytes', ip_address: 'text', details: 'text' };
const RECORD = `INSERT INTO erasure (at, kind, author, entry_count, erased_before) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (at) DO UPDATE SET entry_count = erasure.entry_count + excluded.entry_count,
           erased_before = excluded.erased_before`;

const COUNT = 'SELECT CAST(coalesce(sum(entry_count), 0) AS BIGINT) AS entries FROM erasure';

/** Returns how many entries all erasures have erased. */
export async function countErased(query: Query): Promise<number> {
  const [row] = await query<{ entries: number }>(COUNT);
  return row?.entries ?? 0;
}

/** Erases the personal fields of entries. */
export async function eraseEntries(
  transaction: LinkTransaction,
  { at, kind, author, erasedBefore }: Erasure,
  seqs: readonly number[],
  key: string,
): Promise<void> {
  const { dialect, query } = transaction;
  await query(dialect.lockProjector);
  const selected = selectEntries(dialect, `${dialect.isAnyOf('entry.seq', '$1')} AND ${IS_ERASABLE}`);
  const rows = await query<EventEntryRow>(selected, [JSON.stringify(seqs)]);
  const erased = rows.map((row) => {
    const { personalSha256 = null, ...entry } = eraseEntry(toEventEntry(row));
    if (entry.kind !== 'ATTEMPT') return [row.seq, personalSha256, null, JSON.stringify(entry.details)];
    const address = row.ip_address && PSEUDONYM_PREFIX + hash('sha256', key + row.ip_address).slice(0, 24);
    return [row.seq, personalSha256, address, null];
  });
  await query(
    `UPDATE entry SET personal_hash = given.personal_hash, salt = NULL, ip_address = given.ip_address, agent_number = NULL,
       user_agent = NULL, referrer = NULL, recipient_address = NULL, author_name = NULL, details = given.details
     FROM ${dialect.given(ERASED)} WHERE entry.seq = given.seq`,
    dialect.values(ERASED, erased),
  );
  const hours = JSON.stringify([...new Set(rows.map((row) => Math.floor(row.at / HOUR_MS)))]);
  await query(`UPDATE log_hour SET is_outdated = true WHERE ${dialect.isAnyOf('hour', '$1')}`, [hours]);
  await query(RECORD, [at, kind, author, rows.length, erasedBefore]);
}

const SELECT_OUTDATED = 'SELECT hour FROM log_hour WHERE is_outdated LIMIT 1';
const MOVED: Columns = { number: 'integer', free: 'integer' };

/** Replaces the addresses of an hour by those in the log, and forgets those that no hour has any more. */
export async function updateOrigins({ dialect, query }: LinkTransaction): Promise<boolean> {
  await query(dialect.lockProjector);
  const [{ hour } = { hour: null }] = await query<{ hour: number }>(SELECT_OUTDATED);
  if (hour === null) return false;
  const ofHour = `(SELECT * FROM entry WHERE ${dialect.divide('at', HOUR_MS)} = $1 AND ${dialect.isProjected}
      AND seq >= (SELECT first_seq FROM log_hour WHERE hour = $1)
      AND seq <= (SELECT last_seq FROM log_hour WHERE hour = $1)) AS entry`;
  const seen = await query<HourAddress>(selectAddresses(dialect, ofHour), [hour]);
  const stored = await query<{ number: number; ip_address: string }>(
    'SELECT origin.number, ip_address FROM origin_by_hour JOIN origin ON origin.number = origin_by_hour.number WHERE hour = $1',
    [hour],
  );
  const left = new Set(seen.map((row) => row.ip_address));
  const known = new Set(stored.map((row) => row.ip_address));
  const added = prepareAddAddresses(dialect)(seen.filter((row) => !known.has(row.ip_address)));
  for (const { statement, values } of added) await query(statement, values);
  const removed = stored.filter((row) => !left.has(row.ip_address));
  const gone = JSON.stringify(removed.map(({ number }) => number));
  await query(`DELETE FROM origin_by_hour WHERE hour = $1 AND ${dialect.isAnyOf('number', '$2')}`, [
    hour,
    gone,
  ]);
  const counted = prepareCountRemoved(dialect)(removed.map((row) => ({ ...row, hour })));
  for (const { statement, values } of counted) await query(statement, values);
  const [{ last } = { last: 0 }] = await query<{ last: number }>('SELECT max(number) AS last FROM origin');
  const forgotten = await query<{ number: number }>(
    `DELETE FROM origin WHERE ${dialect.isAnyOf('number', '$1')}
       AND NOT EXISTS (SELECT 1 FROM origin_by_hour WHERE origin_by_hour.number = origin.number) RETURNING number`,
    [gone],
  );
  // The last ones take the numbers of these, because the largest number is the number of addresses.
  const count = last - forgotten.length;
  const free = forgotten.filter(({ number }) => number <= count);
  const end = await query<{ number: number }>('SELECT number FROM origin WHERE number > $1', [count]);
  const moved = end.map(({ number }, index) => [number, free[index]?.number ?? number]);
  for (const table of ['origin_by_hour', 'origin'])
    await query(
      `UPDATE ${table} SET number = given.free FROM ${dialect.given(MOVED)} WHERE ${table}.number = given.number`,
      dialect.values(MOVED, moved),
    );
  await query('UPDATE log_hour SET is_outdated = false WHERE hour = $1', [hour]);
  return true;
}
