import type { Sha256 } from '../../src/core/model/hashed-text.ts';
import type { LineChecks } from '../../src/core/use-cases/history/exported/exported-items.ts';
import { type EntryBatch, readBatch } from '../../src/core/use-cases/history/exported/read-line.ts';
import type { DeliveryReader } from '../history/delivery.ts';
import type { CollectedRecipients } from '../history/recipient-steps.ts';

/** The lines of a file that begin from `start` to before `end`. Both are after its first line. */
export type Slice = { file: Blob; start: number; end: number; shortCode: string };

/** The entries of a slice, and what they say of recipients: their order is that of the file. */
export type ReadSlice = { batch: EntryBatch; recipients: CollectedRecipients };

const LF = 10;
/** So many bytes after a slice are read for the end of its last line. A longer line is left to the check of one after another. */
const MAX_LINE_BYTES = 131_072;

/** Reads the entries of a slice. Returns undefined if anything is wrong with a line. */
export async function readSlice(
  { file, start, end, shortCode }: Slice,
  parts: { checks: LineChecks; sha256: Sha256; delivery: DeliveryReader },
): Promise<ReadSlice | undefined> {
  // A line begins after the end of the one before, and may end in the next slice.
  const bytes = new Uint8Array(await file.slice(start - 1, end + MAX_LINE_BYTES).arrayBuffer());
  const first = bytes.indexOf(LF) + 1;
  const last = bytes.indexOf(LF, end - start);
  if (last < 0 && end + MAX_LINE_BYTES < file.size) return undefined; // a line is too long
  const own = first === 0 ? bytes.subarray(0, 0) : bytes.subarray(first, last < 0 ? bytes.length : last);
  const text = decode(own);
  if (text === undefined) return undefined;
  const { checks, sha256, delivery } = parts;
  const batch = readBatch(text.split('\n'), { shortCode, checks, sha256, onItem: delivery.add });
  const recipients = delivery.takeRecipients();
  return batch && { batch, recipients };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
