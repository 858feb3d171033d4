import { messageOf } from '../../common/error-details.ts';
import type { EpochMs } from '../../core/model/link.ts';
import { HOUR_MS } from '../../core/model/time-units.ts';
import { type DetachedMonths, describeDetached, type Query } from '../sql/query.ts';
import type { Connections } from './connection.ts';
import { toStoreError } from './errors.ts';

/** The entries of partition n have the numbers from n times this on. A number of JavaScript holds those of 1,023 months. */
const ENTRIES_PER_PARTITION = 2 ** 43;

/** Lets instances begin a month one after another: what the next one reads after this includes what the first one wrote. */
const LOCK_PARTITIONS = 'SELECT number FROM log_partition ORDER BY number LIMIT 1 FOR UPDATE';
const SELECT_PARTITIONS = 'SELECT number, month FROM log_partition ORDER BY number';
const INSERT_PARTITION = 'INSERT INTO log_partition (number, month) VALUES ($1, $2)';
/** Never draws a number again, also when another instance has begun a later month meanwhile. */
const MOVE_SEQUENCE = `SELECT setval('entry_seq', $1, false) FROM entry_seq WHERE last_value < $1`;

type Partition = { number: number; month: string };

/** Begins the months of the log. */
export function createMonths(connections: Connections) {
  let hour: number | undefined;
  let failure: string | undefined;
  return {
    /** Begins the month of `now` where none has begun yet. Looks once an hour, and does not fail: the log goes on. */
    async begin(now: EpochMs): Promise<void> {
      if (Math.floor(now / HOUR_MS) === hour) return;
      hour = Math.floor(now / HOUR_MS);
      try {
        await beginMonth(connections, now);
        failure = undefined;
      } catch (error) {
        const isUnavailable = toStoreError(error) !== error;
        if (isUnavailable)
          hour = undefined; // the next call looks again
        else failure = messageOf(error);
      }
    },
    /** Returns the error because of which the month has not begun, if there is one. */
    findFailure: () => failure,
  };
}

/**
 * Begins a partition of the log for the month of `now`, unless there is one. A clock that is wrong begins one too early,
 * which does no harm: the order of entries is that of their numbers.
 */
export async function beginMonth(connections: Connections, now: EpochMs): Promise<void> {
  const month = new Date(now).toISOString().slice(0, 7);
  await connections.withConnection(async ({ query, execute }) => {
    const readPartitions = async () => {
      await execute('BEGIN ISOLATION LEVEL READ COMMITTED');
      await query(LOCK_PARTITIONS);
      return query<Partition>(SELECT_PARTITIONS);
    };
    try {
      const partitions = await readPartitions();
      if (partitions.every((each) => each.month !== month)) {
        const number = (partitions.at(-1)?.number ?? 0) + 1;
        await execute(createPartition(number));
        await query(INSERT_PARTITION, [number, month]);
      }
      await execute('COMMIT'); // numbers are drawn only for a partition that all sessions see
      const last = (await readPartitions()).at(-1)?.number ?? 0;
      await query(MOVE_SEQUENCE, [last * ENTRIES_PER_PARTITION + 1]);
      await execute('COMMIT');
    } catch (error) {
      await execute('ROLLBACK').catch(() => {}); // the earlier error is the one to report
      throw error;
    }
  });
}

/** Selects the months that were detached from the log. */
const SELECT_DETACHED = `SELECT number, month FROM log_partition WHERE NOT EXISTS (
           SELECT 1 FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
           WHERE inhparent = 'entry'::regclass AND relname = 'entry_' || number) ORDER BY number`;

/** Returns which months were detached from the log, if any. A head that names an entry of another month does not count. */
export async function findDetachedMonths(query: Query): Promise<DetachedMonths | undefined> {
  const detached = await query<Partition>(SELECT_DETACHED);
  if (detached.length === 0) return undefined;
  const numbers = detached.map(({ number }) => number);
  return {
    months: detached.map(({ month }) => month || 'those before the first month').join(', '),
    heads: `SELECT DISTINCT ON (short_code) short_code, entry_count, fingerprint, last_seq FROM detached_head
            WHERE partition IN (${numbers}) AND last_seq / ${ENTRIES_PER_PARTITION} = partition ORDER BY short_code, entry_count DESC`,
  };
}

/** @throws when a month was detached: nothing can be rebuilt from the rest, or compared with it */
export async function assertAllMonths(query: Query): Promise<void> {
  const detached = await findDetachedMonths(query);
  if (detached) throw new Error(describeDetached(detached));
}

/** Creates the partitions for entries that are moved here. */
export async function addPartitions(query: Query, seqs: readonly number[]): Promise<void> {
  const numbers = new Set(seqs.map((seq) => Math.floor(seq / ENTRIES_PER_PARTITION)));
  const partitions = await query<Partition>(SELECT_PARTITIONS);
  for (const number of numbers) {
    if (partitions.some((each) => each.number === number)) continue;
    for (const [_index, text] of createPartition(number).split(';').entries()) await query(text);
    await query(INSERT_PARTITION, [number, `moved ${number}`]);
  }
}

/** Attaches an empty table, which locks the log for no longer than a transaction that appends. */
function createPartition(number: number): string {
  const [first, end] = [number * ENTRIES_PER_PARTITION, (number + 1) * ENTRIES_PER_PARTITION];
  return `CREATE TABLE entry_${number} (LIKE entry INCLUDING ALL);
          ALTER TABLE entry ATTACH PARTITION entry_${number} FOR VALUES FROM (${first}) TO (${end})`;
}
