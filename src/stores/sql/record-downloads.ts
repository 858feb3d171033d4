import { appendEntry, headAt } from '../../core/model/chain.ts';
import type { LogEntry } from '../../core/model/history.ts';
import type { DownloadResult, EndedDownload } from '../../core/ports/ports.ts';
import type { CurrentLink } from '../link-rows.ts';
import { type LinkTransaction, LOCKED } from './link-transaction.ts';
import { type Columns, insertInto } from './query.ts';
import { changeRest } from './resume-downloads.ts';

const COLUMNS: Columns = { attempt_id: 'uuid', seq: 'integer' };

/** Appends the ends of downloads to the histories of their links, and gives back to their leases what was not sent. */
export async function recordDownloads(
  transaction: LinkTransaction,
  downloads: readonly EndedDownload[],
): Promise<(DownloadResult | typeof LOCKED)[]> {
  const { dialect } = transaction;
  const { links, heldElsewhere, firstSeq } = await transaction.lock(
    downloads.map(({ shortCode }) => shortCode),
  );
  const after = new Map<string, CurrentLink>();
  const entries: LogEntry[] = [];
  const ends: [attemptId: string, seq: number][] = [];
  const unsent = new Map<string, number>();
  const results = downloads.map(({ unsentBytes, ...download }) => {
    const { shortCode, attemptId } = download;
    if (heldElsewhere.has(shortCode)) return LOCKED;
    const before = after.get(shortCode) ?? links.get(shortCode);
    if (!before) return 'not-found';
    const entry = appendEntry(before.head, { kind: 'DOWNLOAD', ...download }, firstSeq + entries.length);
    entries.push(entry);
    ends.push([attemptId, entry.seq]);
    unsent.set(attemptId, (unsent.get(attemptId) ?? 0) + unsentBytes);
    after.set(shortCode, { ...before, head: headAt(entry) });
    return 'recorded';
  });
  if (entries.length > 0) {
    transaction.append({ entries, links: after, changed: [], statuses: {}, events: [] });
    transaction.write(insertInto('download', COLUMNS, dialect), dialect.values(COLUMNS, ends));
    changeRest(transaction, unsent);
  }
  return results;
}
