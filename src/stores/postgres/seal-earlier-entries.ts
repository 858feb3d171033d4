import type { ChainHead, HistoryEntry } from '../../links/history.ts';
import type { EpochMs } from '../../links/link.ts';
import type { SealedSlice } from '../../links/ports.ts';
import { type ChainRow, toChainHead } from '../link-rows.ts';
import {
  createReadEarlierEntries,
  createReadSealedUntil,
  firstIdAt,
  type HexId,
  sealEntries,
} from '../sql/earlier-entries.ts';
import { POSTGRES, type Statement } from '../sql/query.ts';
import type { Connections } from './connection.ts';
import { inIdempotentTransaction, type Transaction } from './transaction.ts';

/**
 * How long after its time an entry of an instance of the version before may be committed: an attempt waits for a locked
 * link, and clocks differ. What comes later stays outside the chains.
 */
export const SEAL_DELAY_MS = 10 * 60_000;
/** Entries that are newer than the seal by this time need an explanation: the seal follows them at an interval. */
export const UNSEALED_MARGIN_MS = 2 * SEAL_DELAY_MS;

const LOCK: Statement = {
  name: 'lock-sealing',
  text: `SELECT name FROM background_work WHERE name = 'sealing' FOR UPDATE SKIP LOCKED`,
};
const SELECT_HEADS: Statement = {
  name: 'select-earlier-heads',
  text: `SELECT short_code, entry_count, ${POSTGRES.bytesToHex('fingerprint')} AS fingerprint FROM earlier_history
         WHERE short_code = ANY($1::text[])`,
};
const WRITE_HEADS: Statement = {
  name: 'write-earlier-heads',
  text: `INSERT INTO earlier_history (short_code, entry_count, fingerprint)
         SELECT short_code, entry_count, decode(fingerprint, 'hex')
         FROM unnest($1::text[], $2::bigint[], $3::text[]) AS sealed (short_code, entry_count, fingerprint)
         ON CONFLICT (short_code) DO UPDATE
         SET entry_count = excluded.entry_count, fingerprint = excluded.fingerprint`,
};
const DELETE_SEALED_UNTIL: Statement = { name: 'delete-sealed-until', text: 'DELETE FROM sealed_until' };
const INSERT_SEALED_UNTIL: Statement = {
  name: 'insert-sealed-until',
  text: `INSERT INTO sealed_until (id, entry_count) VALUES (${POSTGRES.textToUuid('$1')}, $2)`,
};

/**
 * Prepares sealing earlier entries in slices, one instance at a time. Instances of the version before may run until
 * this one has started and write more of them, so the work ends at the time of the first slice.
 */
export function prepareSealEarlierEntries(
  connections: Connections,
): (limit: number, now: EpochMs) => Promise<SealedSlice> {
  let startedAt: EpochMs | undefined;
  return (limit, now) => {
    startedAt ??= now;
    const until = Math.min(startedAt, now - SEAL_DELAY_MS);
    const stateAtEnd = until < startedAt ? 'WAIT' : 'DONE';
    return inIdempotentTransaction(connections, async (transaction): Promise<SealedSlice> => {
      const [lock] = await transaction.read(LOCK);
      if (!lock) return { state: 'WAIT', sealedCount: 0, entryCount: 0 };
      const { isLastPage, ...counts } = await sealSlice(transaction, firstIdAt(until), limit);
      return { state: isLastPage ? stateAtEnd : 'MORE', ...counts };
    });
  };
}

async function sealSlice(transaction: Transaction, before: HexId, limit: number) {
  const sealedUntil = await createReadSealedUntil(transaction.read, POSTGRES)();
  const readEarlierEntries = createReadEarlierEntries(transaction.read, POSTGRES);
  const { entries, lastId, isLastPage } = await readEarlierEntries({ after: sealedUntil.id, before }, limit);
  const entryCount = sealedUntil.entryCount + entries.length;
  if (entries.length > 0) await sealInTransaction(transaction, entries);
  // Also without an entry to seal: verify reports what has no number long behind this time.
  const id = isLastPage ? before : lastId;
  if (id > sealedUntil.id) {
    transaction.write(DELETE_SEALED_UNTIL);
    transaction.write(INSERT_SEALED_UNTIL, [id, entryCount]);
  }
  return { isLastPage, sealedCount: entries.length, entryCount };
}

async function sealInTransaction(transaction: Transaction, entries: readonly HistoryEntry[]): Promise<void> {
  const shortCodes = [...new Set(entries.map(({ shortCode }) => shortCode))];
  const rows = await transaction.read<ChainRow & { short_code: string }>(SELECT_HEADS, [shortCodes]);
  const heads = new Map<string, ChainHead>(rows.map((row) => [row.short_code, toChainHead(row)]));
  const sealed = sealEntries(entries, heads);
  transaction.write(WRITE_HEADS, [
    [...sealed.keys()],
    [...sealed.values()].map((head) => head.entryCount),
    [...sealed.values()].map((head) => head.fingerprint),
  ]);
}
