import type { Statement } from '../sql/query.ts';
import type { Connections } from './connection.ts';

/** The rows of `user_agent`, after which texts stay in the records: clients choose them. At most 50 MB. */
const MAX_ROWS = 100_000;
/** About five megabytes each, at the 200 characters of a long user agent. */
const MAX_KNOWN = 10_000;
const MAX_SEEN_ONCE = 10_000;

/** The numbers follow the largest one. Of agents that two instances add at once, some are left for the next time. */
const ADD_AGENTS: Statement = {
  name: 'add-user-agents',
  text: `INSERT INTO user_agent (number, text)
         SELECT number, text FROM (
           SELECT (SELECT coalesce(max(number), 0) FROM user_agent) + row_number() OVER () AS number, text
           FROM unnest($1::text[]) AS seen (text)
           WHERE NOT EXISTS (SELECT 1 FROM user_agent WHERE user_agent.text = seen.text)
         ) AS numbered WHERE number <= ${MAX_ROWS} ON CONFLICT DO NOTHING`,
};
const FIND_AGENTS: Statement = {
  name: 'find-user-agents',
  text: 'SELECT number, text FROM user_agent WHERE text = ANY($1::text[])',
};

/**
 * Returns a cache of user agents that are committed with a number. They are never deleted, so no entry becomes wrong in
 * one database. An agent is added when it is seen for the second time, in a transaction of its own and in the
 * background: no attempt waits for it.
 */
export function createAgentCache(connections: Pick<Connections, 'read'>) {
  const known = new Map<string, number>();
  const seenOnce = new Set<string>();
  const wanted = new Set<string>();
  let adding: Promise<void> | undefined;

  async function addWanted(): Promise<void> {
    while (wanted.size > 0) {
      const texts = [...wanted];
      await connections.read(ADD_AGENTS, [texts]);
      const found = await connections.read<{ number: number; text: string }>(FIND_AGENTS, [texts]);
      for (const { number, text } of found) known.set(text, number);
      dropOldest(known, MAX_KNOWN);
      for (const text of texts) wanted.delete(text);
    }
  }

  function want(text: string): void {
    wanted.add(text);
    adding ??= addWanted()
      .catch(() => wanted.clear()) // the texts stay in the records, and are wanted again
      .finally(() => {
        adding = undefined;
      });
  }

  return {
    /** Returns the number of a user agent; undefined for one whose text the record has to hold. */
    numberOf(text: string): number | undefined {
      const number = known.get(text);
      if (number !== undefined || wanted.has(text)) return number;
      if (seenOnce.delete(text)) want(text);
      else seenOnce.add(text);
      dropOldest(seenOnce, MAX_SEEN_ONCE);
      return undefined;
    },
    /** Resolves once the agents that were seen twice are added. */
    async settled(): Promise<void> {
      await adding;
    },
  };
}
export type AgentCache = ReturnType<typeof createAgentCache>;

/** Keeps the newest entries. A full cache drops a hundredth at once: one at a time would be slow, see link-cache.ts. */
function dropOldest(entries: Map<string, unknown> | Set<string>, max: number): void {
  if (entries.size <= max) return;
  for (const key of entries.keys()) {
    if (entries.size <= max * 0.99) return;
    entries.delete(key);
  }
}
