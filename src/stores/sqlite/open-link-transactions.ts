import type { DatabaseSync } from 'node:sqlite';
import type { Link } from '../../core/model/link.ts';
import { type LinkRow, toLink } from '../link-rows.ts';
import type { LinkTransaction } from '../sql/link-transaction.ts';
import { canBeStored, SQLITE } from '../sql/query.ts';
import { readLinkStatement } from '../sql/read-link.ts';
import { beginTransaction, inSnapshot } from './connection.ts';
import { type Memory, openLinkLog } from './link-log.ts';
import { prepareListLinks, prepareUpdateSearch } from './list-links.ts';
import { createProjector, type ProjectorOptions } from './projector.ts';
import { prepareQuery, type Run } from './query.ts';

/** Opens the links of a store for changes: transactions on them, and the projector of what they append. */
export function openLinkTransactions(db: DatabaseSync, run: Run, options: ProjectorOptions) {
  const log = openLinkLog(db, run);
  const query = prepareQuery(db, run);
  const listLinks = prepareListLinks(db);
  const updateSearch = prepareUpdateSearch(db);
  const projector = createProjector(log, run, { ...options, inTransaction });

  const toTransaction = (known: Memory): LinkTransaction => ({
    dialect: SQLITE,
    query,
    write: run,
    lock: async (shortCodes) => ({
      links: log.read(known, shortCodes),
      heldElsewhere: new Set(),
      firstSeq: known.lastSeq + 1,
    }),
    append: (appended) => log.append(known, appended),
    listLinks,
    async updateSearch(shortCodes) {
      for (const shortCode of shortCodes) updateSearch(shortCode);
    },
  });

  function inTransaction(work: (known: Memory) => void): void {
    using transaction = beginTransaction(db);
    work(log.begin());
    try {
      transaction.commit();
    } catch (error) {
      log.forget();
      throw error;
    }
  }

  return {
    projector,
    /** Runs an operation in one transaction. It waits for nothing but statements, so that no other call gets in. */
    async onLinks<T>(operation: (transaction: LinkTransaction) => Promise<T>): Promise<T> {
      using transaction = beginTransaction(db);
      try {
        const result = await operation(toTransaction(log.begin()));
        transaction.commit();
        projector.appended();
        return result;
      } catch (error) {
        log.forget();
        throw error;
      }
    },
    /** Returns the current state of a link. */
    readLink(shortCode: string): Link | undefined {
      if (!canBeStored(shortCode)) return undefined;
      return inSnapshot(db, () => {
        const [row] = run<LinkRow>(readLinkStatement(SQLITE), [shortCode]);
        const current = row && log.read(log.begin(), [shortCode]).get(shortCode);
        return row && current && { ...toLink(row), ...current.state, history: current.head };
      });
    },
  };
}
