import type { DatabaseSync } from 'node:sqlite';
import { appendEntry } from '../../links/chain.ts';
import type { Download } from '../../links/history.ts';
import type { DownloadResult } from '../../links/ports.ts';
import { type ChainRow, toChainHead } from '../link-rows.ts';
import { SQLITE } from '../sql/query.ts';
import { prepareUpdateHead } from './update-head.ts';

/** Prepares appending the ends of downloads to the chains of their links, in the transaction of the caller. */
export function prepareRecordDownloads(db: DatabaseSync): (downloads: Download[]) => DownloadResult[] {
  const selectHead = db.prepare(
    `SELECT entry_count, ${SQLITE.bytesToHex('fingerprint')} AS fingerprint FROM link WHERE short_code = ?`,
  );
  const insert = db.prepare(
    `INSERT INTO download (attempt_id, id, short_code, number, bytes_sent, is_complete, ended_at)
     VALUES (unhex(?, '-'), unhex(?, '-'), ?, ?, ?, ?, ?)`,
  );
  const updateHead = prepareUpdateHead(db);

  function record(download: Download): DownloadResult {
    const { attemptId, id, shortCode, bytesSent, isComplete, at } = download;
    const row = selectHead.get(shortCode) as ChainRow | undefined;
    if (!row) return 'not-found';
    const head = appendEntry(toChainHead(row), { kind: 'DOWNLOAD', ...download });
    insert.run(attemptId, id, shortCode, head.entryCount, bytesSent, Number(isComplete), at);
    updateHead(shortCode, head);
    return 'recorded';
  }

  return (downloads) => downloads.map(record);
}
