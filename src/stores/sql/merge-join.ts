import { type EntryRow, selectEntries } from '../log-rows.ts';
import type { Dialect, Statement, Stream } from './query.ts';

/** Rows in the order of their short codes. */
type Row = { short_code: string };

/** A consumer of entries with one short code. `end` is called after the last of them. */
export type EntryConsumer = { add(row: EntryRow): void; end(): void };

type Reading = { rows: Statement; entries: string; order: string; isEnough: () => boolean };

/**
 * Reads rows of links and entries once, side by side in the order of their short codes, and keeps none of them. Following
 * the chain of each link instead would read a random page for each entry, which takes hours on a cold disk.
 *
 * @param rows has one row for a short code
 * @param entries selects entries, see `selectEntries`; those of one code come in the order of `order`
 * @param isEnough ends the reading before the next short code
 * @param begin is called for each short code that has a row or entries
 */
export async function mergeJoin<R extends Row>(
  { stream, dialect }: { stream: Stream; dialect: Dialect },
  { rows, entries, order, isEnough }: Reading,
  begin: (shortCode: string, row: R | undefined) => EntryConsumer,
): Promise<void> {
  const text = `SELECT * FROM (${selectEntries(dialect, entries)}) AS entry
                ORDER BY short_code COLLATE ${dialect.byteOrder}, ${order}`;
  await using row = openRows<R>(stream(rows), (passed) => begin(passed.short_code, passed).end());
  let shortCode: string | undefined;
  let consumer: EntryConsumer | undefined;
  for await (const batch of stream<EntryRow>(text)) {
    for (const entry of batch) {
      if (entry.short_code !== shortCode) {
        consumer?.end();
        if (isEnough()) return;
        shortCode = entry.short_code;
        consumer = begin(shortCode, await row.take(shortCode));
      }
      consumer?.add(entry);
    }
  }
  consumer?.end();
  await row.take(null);
}

function openRows<R extends Row>(batches: AsyncIterable<R[]>, onPassed: (row: R) => void) {
  const reader: AsyncIterator<R[], unknown, undefined> = batches[Symbol.asyncIterator]();
  let rows: R[] = [];
  let index = 0;
  return {
    /** Returns the row of a code, if there is one, after all before it. `null` passes over all that are left. */
    async take(shortCode: string | null): Promise<R | undefined> {
      for (;;) {
        const row = rows[index];
        if (row) {
          const order = shortCode === null ? -1 : compareBytes(row.short_code, shortCode);
          if (order > 0) return undefined;
          index += 1;
          if (order === 0) return row;
          onPassed(row);
        } else {
          const next = await reader.next();
          if (next.done) return undefined;
          [rows, index] = [next.value, 0];
        }
      }
    },
    async [Symbol.asyncDispose]() {
      await reader.return?.();
    },
  };
}

/** Compares as both databases order short codes. */
function compareBytes(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}
