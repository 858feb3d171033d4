import type { DatabaseSync } from 'node:sqlite';
import type { ChainHead } from '../../links/history.ts';
import type { SealedSlice } from '../../links/ports.ts';
import { type ChainRow, toChainHead } from '../link-rows.ts';
import {
  createReadEarlierEntries,
  createReadSealedUntil,
  LAST_ID,
  sealEntries,
} from '../sql/earlier-entries.ts';
import { type Query, SQLITE } from '../sql/query.ts';
import { prepareIndexEntries } from './index-entries.ts';

/**
 * Prepares sealing earlier entries in slices, within the caller's transaction. A file has those of its own upgrade, or
 * those that a move brought. While it is open it gets no more: an earlier version refuses its schema. So the last slice
 * ends the work for good.
 */
export function prepareSealEarlierEntries(
  db: DatabaseSync,
  query: Query,
): (limit: number) => Promise<SealedSlice> {
  const readSealedUntil = createReadSealedUntil(query, SQLITE);
  const readEarlierEntries = createReadEarlierEntries(query, SQLITE);
  const selectHead = db.prepare(
    `SELECT entry_count, ${SQLITE.bytesToHex('fingerprint')} AS fingerprint FROM earlier_history WHERE short_code = ?`,
  );
  const replaceHead = db.prepare('INSERT OR REPLACE INTO earlier_history VALUES (?, ?, unhex(?))');
  const indexEntries = prepareIndexEntries(db);
  const deleteSealedUntil = db.prepare('DELETE FROM sealed_until');
  const insertSealedUntil = db.prepare('INSERT INTO sealed_until VALUES (unhex(?), ?)');

  function readHead(shortCode: string): ChainHead | undefined {
    const row = selectHead.get(shortCode) as ChainRow | undefined; // the columns that it selects
    return row && toChainHead(row);
  }

  return async (limit) => {
    const { id: after, entryCount: sealedBefore } = await readSealedUntil();
    if (after === LAST_ID) return { state: 'DONE', sealedCount: 0, entryCount: sealedBefore };
    const { entries, lastId, isLastPage } = await readEarlierEntries({ after, before: LAST_ID }, limit);
    const heads = new Map<string, ChainHead>();
    indexEntries(
      entries.toSorted((a, b) => (a.shortCode < b.shortCode ? -1 : 1)),
      { isEarlier: true },
    );
    for (const { shortCode } of entries) {
      const head = heads.has(shortCode) ? undefined : readHead(shortCode);
      if (head) heads.set(shortCode, head);
    }
    for (const [shortCode, { entryCount, fingerprint }] of sealEntries(entries, heads))
      replaceHead.run(shortCode, entryCount, fingerprint);
    const entryCount = sealedBefore + entries.length;
    deleteSealedUntil.run();
    insertSealedUntil.run(isLastPage ? LAST_ID : lastId, entryCount);
    return { state: isLastPage ? 'DONE' : 'MORE', sealedCount: entries.length, entryCount };
  };
}
