import type { DatabaseSync } from 'node:sqlite';
import { appendEntry, nextPlace } from '../../links/chain.ts';
import type { Download } from '../../links/history.ts';
import type { DownloadResult } from '../../links/ports.ts';
import type { WriteBack } from './write-back.ts';

/** Prepares appending the ends of downloads to the chains of their links, in the transaction of the caller. */
export function prepareRecordDownloads(
  db: DatabaseSync,
  writeBack: WriteBack,
): (downloads: Download[]) => DownloadResult[] {
  const insert = db.prepare(
    `INSERT INTO download (attempt_id, id, short_code, number, prev, bytes_sent, is_sent_completely, ended_at)
     VALUES (unhex(?, '-'), unhex(?, '-'), ?, ?, unhex(?, '-'), ?, ?, ?)`,
  );

  function record(download: Download): DownloadResult {
    const { attemptId, id, shortCode, bytesSent, isSentCompletely, at } = download;
    const link = writeBack.read(shortCode);
    if (!link) return 'not-found';
    const head = appendEntry(link.head, { kind: 'DOWNLOAD', ...download });
    const { number, prev } = nextPlace(link.head);
    insert.run(attemptId, id, shortCode, number, prev, bytesSent, Number(isSentCompletely), at);
    writeBack.writeLink(shortCode, { ...link, head });
    return 'recorded';
  }

  return (downloads) => downloads.map(record);
}
