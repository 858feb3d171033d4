import { appendEntry, headAt } from '../../links/chain.ts';
import type { Download, LogEntry } from '../../links/history.ts';
import type { DownloadResult } from '../../links/ports.ts';
import type { CurrentLink } from '../link-rows.ts';
import { type LinkTransaction, LOCKED } from './link-transaction.ts';
import { type Columns, insertInto } from './query.ts';

const COLUMNS: Columns = { attempt_id: 'uuid', seq: 'integer' };

/** Appends the ends of downloads to the histories of their links. */
export async function recordDownloads(
  transaction: LinkTransaction,
  downloads: readonly Download[],
): Promise<(DownloadResult | typeof LOCKED)[]> {
  const { dialect } = transaction;
  const { links, heldElsewhere, firstSeq } = await transaction.lock(
    downloads.map(({ shortCode }) => shortCode),
  );
  const after = new Map<string, CurrentLink>();
  const entries: LogEntry[] = [];
  const ends: [attemptId: string, seq: number][] = [];
  const results = downloads.map((download) => {
    const { shortCode } = download;
    if (heldElsewhere.has(shortCode)) return LOCKED;
    const before = after.get(shortCode) ?? links.get(shortCode);
    if (!before) return 'not-found';
    const entry = appendEntry(before.head, { kind: 'DOWNLOAD', ...download }, firstSeq + entries.length);
    entries.push(entry);
    ends.push([download.attemptId, entry.seq]);
    after.set(shortCode, { ...before, head: headAt(entry) });
    return 'recorded';
  });
  if (entries.length > 0) {
    transaction.append({ entries, links: after, changed: [], statuses: {}, events: [] });
    transaction.write(insertInto('download', COLUMNS, dialect), dialect.values(COLUMNS, ends));
  }
  return results;
}
