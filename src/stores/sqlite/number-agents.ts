import type { DatabaseSync } from 'node:sqlite';
import { createKnownAgents, MAX_AGENT_ROWS } from '../known-agents.ts';

/** Returns the number of a user agent; null for one whose text the record has to hold. */
export type NumberOfAgent = (text: string) => number | null;

/** Prepares numbering user agents. What it returns is called once in each transaction that has some. */
export function prepareNumberAgents(db: DatabaseSync): () => NumberOfAgent {
  const select = db.prepare('SELECT number FROM user_agent WHERE text = ?');
  const selectLast = db.prepare('SELECT max(number) AS number FROM user_agent');
  const insert = db.prepare('INSERT INTO user_agent (number, text) VALUES (?, ?)');
  const known = createKnownAgents();
  /** Those that this transaction adds. They are known once it is committed. */
  const added = new Map<string, number>();

  function find(text: string): number | undefined {
    const row = select.get(text);
    return row && Number(row['number']);
  }

  /** Learns what the transaction before has committed. It may have been undone. */
  function learnAdded(): void {
    for (const text of added.keys()) {
      const number = find(text);
      if (number !== undefined) known.learn(text, number);
    }
    added.clear();
  }

  function add(text: string): number | null {
    const number = find(text);
    if (number !== undefined) {
      known.learn(text, number); // an earlier transaction has added it, because `added` has no such text
      return number;
    }
    const next = Number(selectLast.get()?.['number']) + 1;
    if (next > MAX_AGENT_ROWS) return null;
    insert.run(next, text);
    added.set(text, next);
    return next;
  }

  return () => {
    if (added.size > 0) learnAdded();
    return (text) => {
      const number = known.numberOf(text) ?? added.get(text);
      if (number !== undefined) return number;
      return known.isSeenAgain(text) ? add(text) : null;
    };
  };
}
