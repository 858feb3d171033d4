import {
  createBatchChain,
  type FingerprintChain,
  type Wanted,
  type WholeChain,
} from '../../src/core/use-cases/history/exported/chain-of-batches.ts';
import type { ExportHead } from '../../src/core/use-cases/history/exported/exported-items.ts';
import type { CollectedRecipients } from '../history/recipient-steps.ts';
import type { ReadSlice, Slice } from './read-slice.ts';

/** It takes a reader about 50 ms. */
const SLICE_BYTES = 4_194_304;
/** The first line lists the files of a link. With a longer one, the file is left to the check of one line after another. */
const MAX_FIRST_BYTES = 1_048_576;
const LF = 10;

/** `readSlice` returns what the function of that name does, perhaps by another thread. `parallel`: how many calls run at once. */
type Readers = {
  readSlice(slice: Slice): Promise<ReadSlice | undefined>;
  parallel: number;
  onProgress(bytes: number): void;
};

/**
 * Checks the lines of a file after the first from its end to its start. An export is newest first, so the chain is checked
 * meanwhile, and no entry has to be kept or sorted. Returns it with what each slice says of recipients; undefined unless the
 * chain is whole and in this order, and no line is too long for it.
 */
export async function readAhead(
  { file, head, wanted, chain }: { file: Blob; head: ExportHead; wanted: Wanted; chain: FingerprintChain },
  { readSlice, parallel, onProgress }: Readers,
  sliceBytes = SLICE_BYTES,
): Promise<(WholeChain & { recipients: CollectedRecipients[] }) | undefined> {
  const firstBytes = new Uint8Array(await file.slice(0, MAX_FIRST_BYTES).arrayBuffer());
  const second = firstBytes.indexOf(LF) + 1;
  if (second === 0) return undefined;
  let next = file.size;
  const running: { bytes: number; read: Promise<ReadSlice | undefined> }[] = [];
  const begin = (): void => {
    while (running.length < parallel && next > second) {
      const [start, end] = [Math.max(second, next - sliceBytes), next];
      running.push({ bytes: end - start, read: readSlice({ file, start, end, shortCode: head.shortCode }) });
      next = start;
    }
  };
  const recipients: CollectedRecipients[] = [];
  const batches = createBatchChain(head, chain, wanted);
  begin();
  for (let slice = running.shift(); slice; slice = running.shift()) {
    const read = await slice.read;
    begin();
    if (!read || !batches.add(read.batch)) return undefined;
    recipients.unshift(read.recipients);
    onProgress(slice.bytes);
  }
  const whole = batches.end();
  return whole && { ...whole, recipients };
}
