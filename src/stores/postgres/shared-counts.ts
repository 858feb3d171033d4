import type { EpochMs } from '../../core/model/link.ts';
import type { CountChange, WindowCount } from '../../core/ports/ports.ts';
import type { Connections } from './connection.ts';

/**
 * Rows are locked in the order of their keys, which prevents deadlocks. A window that has ended begins anew. One that a
 * clock ahead began ends a window from now. A row
 * that begins below zero, by an event that an outage kept from being counted, counts as zero.
 */
const ADD = `INSERT INTO rate_limit (key, ends_at, count)
         SELECT key, ends_at, amount FROM unnest($1::text[], $2::bigint[], $3::bigint[])
           AS change (key, ends_at, amount) ORDER BY key
         ON CONFLICT (key) DO UPDATE SET
           ends_at = CASE WHEN rate_limit.ends_at > $4 THEN least(rate_limit.ends_at, excluded.ends_at)
                          ELSE excluded.ends_at END,
           count = greatest(0, excluded.count + CASE WHEN rate_limit.ends_at > $4 THEN greatest(0, rate_limit.count) ELSE 0 END)
         RETURNING key, ends_at, count`;
/** Skips rows that a batch has locked: it waits for none, so it cannot deadlock with one. */
const DELETE_ENDED = `WITH ended AS (SELECT key FROM rate_limit WHERE ends_at <= $1 ORDER BY key FOR UPDATE SKIP LOCKED)
         DELETE FROM rate_limit USING ended WHERE rate_limit.key = ended.key`;

type CountRow = { key: string; ends_at: number; count: number };
type KeyChanges = { amount: number; endsAt: EpochMs };

/**
 * Prepares the counts that instances share. A statement that is repeated after a lost connection may count an event
 * twice, or take it back twice.
 */
export function prepareSharedCounts(connections: Connections) {
  return {
    /** Adds a batch of changes in one statement. Returns the count after each of them, in their order. */
    async addCounts(changes: CountChange[]): Promise<WindowCount[]> {
      const byKey = sumByKey(changes);
      const now = Math.max(...changes.map((change) => change.now));
      const sums = [...byKey.values()];
      const rows = await connections.read<CountRow>(ADD, [
        [...byKey.keys()],
        sums.map(({ endsAt }) => endsAt),
        sums.map(({ amount }) => amount),
        now,
      ]);
      return countsAfterEach(changes, byKey, rows);
    },
    async deleteEndedCounts(now: EpochMs): Promise<void> {
      await connections.read(DELETE_ENDED, [now]);
    },
  };
}

/** Adds up changes by key, because PostgreSQL changes no row twice in one statement. */
function sumByKey(changes: readonly CountChange[]): Map<string, KeyChanges> {
  const byKey = new Map<string, KeyChanges>();
  for (const { key, amount, now, windowMs } of changes) {
    const sum = byKey.get(key) ?? { amount: 0, endsAt: now + windowMs };
    byKey.set(key, { ...sum, amount: sum.amount + amount });
  }
  return byKey;
}

function countsAfterEach(
  changes: readonly CountChange[],
  byKey: ReadonlyMap<string, KeyChanges>,
  rows: readonly CountRow[],
): WindowCount[] {
  const counts = new Map(
    rows.map(({ key, ends_at, count }) => [
      key,
      { count: count - (byKey.get(key)?.amount ?? 0), endsAt: ends_at },
    ]),
  );
  return changes.map(({ key, amount }) => {
    const counted = counts.get(key);
    if (!counted) throw new Error('a rate limit was not counted');
    counted.count = Math.max(0, counted.count + amount);
    return { ...counted };
  });
}
