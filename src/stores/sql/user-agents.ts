import { dropOldestHundredth } from '../../common/drop-oldest.ts';
import type { NumberOfAgent } from '../log-rows.ts';
import type { Dialect, Query } from './query.ts';

/** The rows of `user_agent`, after which texts stay in the entries: clients choose them. At most 50 MB. */
const MAX_ROWS = 100_000;
/** About five megabytes each, at the 200 characters of a long user agent. */
const MAX_KNOWN = 10_000;
const MAX_SEEN_ONCE = 10_000;

/**
 * Numbers user agents. An agent gets a number when it is seen for the second time, in a transaction of its own and in
 * the background, so that no attempt waits. Until then the entries have its text. Numbers are never deleted.
 *
 * @param query runs a statement in a transaction of its own
 */
export function createUserAgents(query: Query, { texts }: Dialect) {
  /** The numbers follow the largest one. Of agents that two instances add at once, some are left for the next time. */
  const insert = `INSERT INTO user_agent (number, text)
           SELECT number, text FROM (
             SELECT (SELECT coalesce(max(number), 0) FROM user_agent) + row_number() OVER () AS number, value AS text
             FROM ${texts('$1')} WHERE NOT EXISTS (SELECT 1 FROM user_agent WHERE user_agent.text = value)
           ) AS numbered WHERE number <= ${MAX_ROWS} ON CONFLICT DO NOTHING`;
  const select = `SELECT number, text FROM user_agent WHERE text IN (SELECT value FROM ${texts('$1')})`;
  const known = new Map<string, number>();
  const seenOnce = new Set<string>();
  const pending = new Set<string>();
  let adding: Promise<void> | undefined;

  async function addPending(): Promise<void> {
    while (pending.size > 0) {
      await new Promise(setImmediate); // after the transaction that has seen them
      const added = [...pending];
      await query(insert, [JSON.stringify(added)]);
      const found = await query<{ number: number; text: string }>(select, [JSON.stringify(added)]);
      for (const { number, text } of found) known.set(text, number);
      dropOldestHundredth(known, MAX_KNOWN);
      for (const text of added) pending.delete(text);
    }
  }

  function enqueue(text: string): void {
    pending.add(text);
    adding ??= addPending()
      .catch(() => pending.clear()) // the texts stay in the entries, and are enqueued again
      .finally(() => {
        adding = undefined;
      });
  }

  const numberOf: NumberOfAgent = (text) => {
    const number = known.get(text);
    if (number !== undefined || pending.has(text)) return number ?? null;
    if (seenOnce.delete(text)) enqueue(text);
    else seenOnce.add(text);
    dropOldestHundredth(seenOnce, MAX_SEEN_ONCE);
    return null;
  };
  return {
    /** Returns the number of a user agent; null for one whose text the entry has to hold. */
    numberOf,
    /** Resolves once the agents that were seen twice are added. */
    settled: async (): Promise<void> => adding,
  };
}
export type UserAgents = ReturnType<typeof createUserAgents>;
