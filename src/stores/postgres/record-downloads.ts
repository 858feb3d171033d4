import { appendEntry, nextPlace } from '../../links/chain.ts';
import type { ChainHead, ChainPlace, Download } from '../../links/history.ts';
import type { DownloadResult } from '../../links/ports.ts';
import type { Statement } from '../sql/query.ts';
import type { Connections } from './connection.ts';
import { type LockStrategy, prepareLockLinks } from './lock-links.ts';
import { LOCKED } from './lock-wait-queue.ts';
import { inTransaction, type Transaction } from './transaction.ts';

const RECORD: Statement = {
  name: 'record-downloads',
  text: `WITH recorded AS (
           INSERT INTO download (attempt_id, id, short_code, number, bytes_sent, is_sent_completely, ended_at, prev)
           SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::bigint[], $6::boolean[],
             $7::bigint[], $11::uuid[]))
         UPDATE link SET entry_count = entered.entry_count, fingerprint = decode(entered.fingerprint, 'hex'),
           last_id = entered.last_id
         FROM unnest($8::text[], $9::bigint[], $10::text[], $12::uuid[])
           AS entered (short_code, entry_count, fingerprint, last_id)
         WHERE link.short_code = entered.short_code`,
};

type Placed = { download: Download; place: ChainPlace };

/**
 * Prepares appending the ends of downloads to the chains of their links, in one transaction. Their attempts are unique
 * keys, so a run after a lost COMMIT finds out whether that was executed.
 */
export function prepareRecordDownloads(connections: Connections) {
  return (downloads: Download[], strategy: LockStrategy): Promise<(DownloadResult | typeof LOCKED)[]> => {
    const lockLinks = prepareLockLinks([...new Set(downloads.map(({ shortCode }) => shortCode))], strategy);
    return inTransaction(connections, async (transaction) => {
      const { heads, heldElsewhere } = await lockLinks(transaction);
      const changed = new Map<string, ChainHead>();
      const recorded: Placed[] = [];
      const results = downloads.map((download) => {
        const { shortCode } = download;
        if (heldElsewhere.has(shortCode)) return LOCKED;
        const before = changed.get(shortCode) ?? heads.get(shortCode);
        if (!before) return 'not-found';
        const head = appendEntry(before, { kind: 'DOWNLOAD', ...download });
        changed.set(shortCode, head);
        recorded.push({ download, place: nextPlace(before) });
        return 'recorded';
      });
      if (recorded.length > 0) write(transaction, recorded, changed);
      return results;
    });
  };
}

function write(
  transaction: Transaction,
  recorded: readonly Placed[],
  heads: ReadonlyMap<string, ChainHead>,
): void {
  const downloads = recorded.map(({ download }) => download);
  transaction.write(RECORD, [
    downloads.map(({ attemptId }) => attemptId),
    downloads.map(({ id }) => id),
    downloads.map(({ shortCode }) => shortCode),
    recorded.map(({ place }) => place.number),
    downloads.map(({ bytesSent }) => bytesSent),
    downloads.map(({ isSentCompletely }) => isSentCompletely),
    downloads.map(({ at }) => at),
    [...heads.keys()],
    [...heads.values()].map(({ entryCount }) => entryCount),
    [...heads.values()].map(({ fingerprint }) => fingerprint),
    recorded.map(({ place }) => place.prev),
    [...heads.values()].map(({ lastId }) => lastId),
  ]);
}
