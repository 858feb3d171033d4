import { hash } from 'node:crypto';
import { eraseEntry } from '../../links/chain.ts';
import type { Erasable, Erasure, ErasureStore } from '../../links/erase.ts';
import { HOUR_MS } from '../../links/time-units.ts';
import { listNumberOf } from '../list-number.ts';
import { type EventEntryRow, PSEUDONYM_PREFIX, selectEntries, toEventEntry } from '../log-rows.ts';
import { createProjection } from '../projection.ts';
import type { LinkTransaction } from './link-transaction.ts';
import { listOf } from './listed-rows.ts';
import type { Columns, Dialect, Parameter, Query } from './query.ts';
import { HAS_ADDRESS } from './rebuild.ts';
import { prepareWriteProjection } from './write-projection.ts';

/** Entries that one read looks at. */
const READ_AT_ONCE = 5_000;

const IS_PSEUDONYM = `ip_address LIKE '${PSEUDONYM_PREFIX}%'`;
/** Attempts without a link have no salt and no hash. */
const IS_ERASABLE = `(salt IS NOT NULL OR entry.number = 0 AND ip_address IS NOT NULL AND NOT ${IS_PSEUDONYM})`;
export const IS_ERASED = `(personal_hash IS NOT NULL OR entry.number = 0 AND ${IS_PSEUDONYM})`;

/** Excludes other erasures, and on PostgreSQL rounds of the projector. */
const LOCK = 'UPDATE projector SET only_row = 1';
const SELECT_PART = `SELECT coalesce(min(first_seq) - 1, 0) AS after, coalesce(max(last_seq), 0) AS last FROM log_hour
         WHERE hour >= $1 AND hour < $2`;
const END_OF_SLICE = `SELECT max(seq) AS last FROM (
           SELECT seq FROM entry WHERE seq > $1 AND seq <= $2 ORDER BY seq LIMIT ${READ_AT_ONCE}) AS slice`;

const isOneOf = ({ texts }: Dialect, parameter: string): string =>
  `short_code IN (SELECT value FROM ${texts(parameter)})`;

/** Returns the condition of the entries to erase, and its parameter. */
function conditionOf(erasable: Erasable, dialect: Dialect, parameter: string): [string, Parameter] {
  if (erasable.kind === 'IP') return [`ip_address = ${parameter}`, erasable.ipAddress];
  if (erasable.kind === 'RETENTION') return [`at < ${parameter}`, erasable.before];
  return [isOneOf(dialect, parameter), JSON.stringify(erasable.shortCodes)];
}

type Reads = Omit<ErasureStore, 'project' | 'eraseEntries' | 'updateOrigins' | 'endErasure'>;

/** Returns the operations of erasures that only read. */
export function createErasureReads(query: Query, dialect: Dialect): Reads {
  return {
    async findRecipientLinks(recipient) {
      const statement = 'SELECT short_code AS code FROM link_target WHERE recipient = $1 ORDER BY short_code';
      return (await query<{ code: string }>(statement, [recipient])).map(({ code }) => code);
    },
    async findRetentionEnd() {
      const [row] = await query<{ end: number | null }>('SELECT max(erased_before) AS "end" FROM erasure');
      return row?.end ?? 0;
    },
    async findErasablePart(erasable) {
      const { from, before } =
        erasable.kind === 'RETENTION' ? erasable : { from: 0, before: Number.MAX_SAFE_INTEGER };
      const hours = [from, before].map((at) => Math.floor(at / HOUR_MS));
      const [part] = await query<{ after: number; last: number }>(SELECT_PART, hours);
      return { after: part?.after ?? 0, last: part?.last ?? 0 };
    },
    async findErasable(erasable, { after, last }) {
      const [slice] = await query<{ last: number | null }>(END_OF_SLICE, [after, last]);
      const end = slice?.last ?? last;
      const [condition, value] = conditionOf(erasable, dialect, '$3');
      const select = `SELECT seq FROM entry WHERE seq > $1 AND seq <= $2 AND ${IS_ERASABLE} AND ${condition}`;
      const found = await query<{ seq: number }>(select, [after, end, value]);
      return { seqs: found.map(({ seq }) => seq), last: end };
    },
    async findOutdatedHours() {
      const rows = await query<{ hour: number }>('SELECT hour FROM log_hour WHERE is_outdated ORDER BY hour');
      return rows.map(({ hour }) => hour);
    },
  };
}

const ERASED: Columns = { seq: 'integer', personal_hash: 'bytes', ip_address: 'text', details: 'text' };
const RECORD = `INSERT INTO erasure (at, kind, author, entry_count, erased_before) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (at) DO UPDATE SET entry_count = erasure.entry_count + excluded.entry_count,
           erased_before = excluded.erased_before`;

/** Erases the personal fields of entries, and the names of those who created links. */
export async function eraseEntries(
  { dialect, query, updateSearch }: LinkTransaction,
  { at, kind, author }: Erasure,
  seqs: readonly number[],
  key: string,
): Promise<void> {
  await query(LOCK);
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
       user_agent = NULL, author_name = NULL, details = given.details
     FROM ${dialect.given(ERASED)} WHERE entry.seq = given.seq`,
    dialect.values(ERASED, erased),
  );
  const hours = JSON.stringify([...new Set(rows.map((row) => Math.floor(row.at / HOUR_MS)))]);
  await query(`UPDATE log_hour SET is_outdated = true WHERE ${dialect.isAnyOf('hour', '$1')}`, [hours]);
  await query(RECORD, [at, kind, author, rows.length, null]);
  const created = rows.filter((row) => row.kind === 'CREATED').map((row) => row.short_code);
  if (created.length === 0) return;
  const codes = JSON.stringify(created);
  const links = await query<{ code: string; at: number }>(
    `SELECT short_code AS code, created_at AS at FROM link WHERE ${isOneOf(dialect, '$1')}`,
    [codes],
  );
  await query(
    `UPDATE listed_link SET creator_name = NULL WHERE ${dialect.isAnyOf('number', '$1')} AND ${isOneOf(dialect, '$2')}`,
    [listOf(links.map((link) => listNumberOf(link.at, link.code))), codes],
  );
  await updateSearch(created);
}

/** Replaces the addresses of an hour by those in the log, and forgets those that no hour has any more. */
export async function updateOrigins({ dialect, query, write }: LinkTransaction, hour: number): Promise<void> {
  await query(LOCK);
  const select = `SELECT ip_address FROM entry WHERE ${dialect.divide('at', HOUR_MS)} = $1 AND ${HAS_ADDRESS}`;
  // Entries that are not projected yet may be of the hour, too.
  const seen = await query<{ ip_address: string }>(
    `${select} AND seq >= (SELECT first_seq FROM log_hour WHERE hour = $1)
       AND seq <= (SELECT last_seq FROM log_hour WHERE hour = $1)
     UNION ${select} AND seq > (SELECT max(last_seq) FROM log_hour)`,
    [hour],
  );
  const replaced = await query<{ number: number }>(
    'DELETE FROM origin_by_hour WHERE hour = $1 RETURNING number',
    [hour],
  );
  const addresses = new Set(seen.map((row) => row.ip_address));
  const ofHour = { firstSeq: 0, lastSeq: 0, counts: new Map(), addresses };
  const steps = prepareWriteProjection(dialect).writeOrigins({
    ...createProjection(),
    hours: new Map([[hour, ofHour]]),
  });
  for (const { statement, values } of steps) await query(statement, values);
  const forgotten = await query<{ number: number }>(
    `SELECT number FROM origin WHERE ${dialect.isAnyOf('number', '$1')}
       AND NOT EXISTS (SELECT 1 FROM origin_by_hour WHERE origin_by_hour.number = origin.number)
     ORDER BY number DESC`,
    [JSON.stringify(replaced.map(({ number }) => number))],
  );
  for (const { number } of forgotten) {
    write('DELETE FROM origin WHERE number = $1', [number]);
    // The last one takes its number, because the largest number is the number of addresses.
    for (const table of ['origin_by_hour', 'origin'])
      write(
        `UPDATE ${table} SET number = $1 WHERE number = (SELECT max(number) FROM origin) AND number > $1`,
        [number],
      );
  }
  await query('UPDATE log_hour SET is_outdated = false WHERE hour = $1', [hour]);
}

/** Deletes messages, waiting or failed, and records the end of a retention. */
export async function endErasure(
  { dialect, query }: LinkTransaction,
  { at, kind, author }: Erasure,
  erasable: Erasable,
): Promise<void> {
  const [condition, value] =
    erasable.kind === 'IP'
      ? ['payload LIKE $1', `%"${erasable.ipAddress}"%`]
      : conditionOf(erasable, dialect, '$1');
  await query(`DELETE FROM notification WHERE ${condition.replace(/^at\b/, 'created_at')}`, [value]);
  await query(RECORD, [at, kind, author, 0, erasable.kind === 'RETENTION' ? erasable.before : null]);
}
