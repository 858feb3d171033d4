import { createKnownAgents, MAX_AGENT_ROWS } from '../known-agents.ts';
import type { Statement } from '../sql/query.ts';
import type { Connections } from './connection.ts';

/** The numbers follow the largest one. Of agents that two instances add at once, some are left for the next time. */
const ADD_AGENTS: Statement = {
  name: 'add-user-agents',
  text: `INSERT INTO user_agent (number, text)
         SELECT number, text FROM (
           SELECT (SELECT coalesce(max(number), 0) FROM user_agent) + row_number() OVER () AS number, text
           FROM unnest($1::text[]) AS seen (text)
           WHERE NOT EXISTS (SELECT 1 FROM user_agent WHERE user_agent.text = seen.text)
         ) AS numbered WHERE number <= ${MAX_AGENT_ROWS} ON CONFLICT DO NOTHING`,
};
const FIND_AGENTS: Statement = {
  name: 'find-user-agents',
  text: 'SELECT number, text FROM user_agent WHERE text = ANY($1::text[])',
};

/** Returns the numbers of user agents. One is added in a transaction of its own and in the background: no attempt waits. */
export function createAgentCache(connections: Pick<Connections, 'read'>) {
  const known = createKnownAgents();
  const wanted = new Set<string>();
  let adding: Promise<void> | undefined;

  async function addWanted(): Promise<void> {
    while (wanted.size > 0) {
      const texts = [...wanted];
      await connections.read(ADD_AGENTS, [texts]);
      const found = await connections.read<{ number: number; text: string }>(FIND_AGENTS, [texts]);
      for (const { number, text } of found) known.learn(text, number);
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
      const number = known.numberOf(text);
      if (number !== undefined || wanted.has(text)) return number;
      if (known.isSeenAgain(text)) want(text);
      return undefined;
    },
    /** Resolves once the agents that were seen twice are added. */
    async settled(): Promise<void> {
      await adding;
    },
  };
}
export type AgentCache = ReturnType<typeof createAgentCache>;
