import type { EpochMs } from '../../links/link.ts';
import type { Query, Statement } from '../sql/query.ts';
import type { Connections } from './connection.ts';

/** The entries of partition n have the numbers from n times this on. A number of JavaScript holds those of 1,023 months. */
const ENTRIES_PER_PARTITION = 2 ** 43;

const SELECT_PARTITIONS: Statement = {
  name: 'select-log-partitions',
  text: 'SELECT number, month FROM log_partition ORDER BY number FOR UPDATE',
};
const INSERT_PARTITION: Statement = {
  name: 'insert-log-partition',
  text: 'INSERT INTO log_partition (number, month) VALUES ($1, $2)',
};
/** Never draws a number again: instances that begin a month together wait for the row that the first one locks. */
const MOVE_SEQUENCE: Statement = {
  name: 'move-entry-seq',
  text: `SELECT setval('entry_seq', $1, false) FROM entry_seq WHERE last_value < $1`,
};

type Partition = { number: number; month: string };

/**
 * Begins a partition of the log for the month of `now`, unless there is one. A clock that is wrong begins one too early,
 * which does no harm: the order of entries is that of their numbers.
 */
export async function beginMonth(connections: Connections, now: EpochMs): Promise<void> {
  const month = new Date(now).toISOString().slice(0, 7);
  await connections.lend(async ({ query, execute }) => {
    await execute('BEGIN');
    try {
      const partitions = await query<Partition>(SELECT_PARTITIONS);
      let last = partitions.at(-1)?.number ?? 0;
      if (partitions.every((each) => each.month !== month)) {
        last += 1;
        await execute(createPartition(last));
        await query(INSERT_PARTITION, [last, month]);
      }
      await execute('COMMIT; BEGIN'); // numbers are drawn only for a partition that all sessions see
      await query(SELECT_PARTITIONS);
      await query(MOVE_SEQUENCE, [last * ENTRIES_PER_PARTITION + 1]);
      await execute('COMMIT');
    } catch (error) {
      await execute('ROLLBACK').catch(() => {}); // the earlier error is the one to report
      throw error;
    }
  });
}

/** Creates the partitions for entries that are moved here. */
export async function addPartitions({ read }: { read: Query }, seqs: readonly number[]): Promise<void> {
  const numbers = new Set(seqs.map((seq) => Math.floor(seq / ENTRIES_PER_PARTITION)));
  const partitions = await read<Partition>(SELECT_PARTITIONS);
  for (const number of numbers) {
    if (partitions.some((each) => each.number === number)) continue;
    for (const [index, text] of createPartition(number).split(';').entries())
      await read({ name: `create-entry-${number}-${index}`, text });
    await read(INSERT_PARTITION, [number, `moved ${number}`]);
  }
}

/** Attaching an empty table locks the log for no longer than a transaction that appends. */
function createPartition(number: number): string {
  const [first, end] = [number * ENTRIES_PER_PARTITION, (number + 1) * ENTRIES_PER_PARTITION];
  return `CREATE TABLE entry_${number} (LIKE entry INCLUDING ALL);
          ALTER TABLE entry ATTACH PARTITION entry_${number} FOR VALUES FROM (${first}) TO (${end})`;
}
