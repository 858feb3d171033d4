import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import type { Wanted, WholeChain } from '../../src/core/use-cases/history/exported/chain-of-batches.ts';
import {
  type EntrySorter,
  type ExportCheck,
  examineExport,
} from '../../src/core/use-cases/history/exported/examine-export.ts';
import type { ExportHead } from '../../src/core/use-cases/history/exported/exported-items.ts';
import { type CollectedDelivery, createDeliveryReader, type Delivery } from '../history/delivery.ts';
import { chunksOf, createBlobSorter } from './blob-sorter.ts';
import { CHECKS, createChain, sha256 as hashText, MAX_SHOWN } from './line-parts.ts';
import { readAhead } from './read-ahead.ts';
import type { ReadSlice, Slice } from './read-slice.ts';
import { verifyEd25519 } from './verify-ed25519.ts';

/** The result of the check, with what the entries say if they are proved. */
export type CheckedFiles = ExportCheck & { delivery: Delivery };

/** The files to check: the export, and one that should be that of the link. */
export type ChosenFiles = { exported: File; compared: File | null };

/** What a reader knows, to compare with. */
export type Compare = { knownFingerprint: string | null; kept: string | undefined };

/** Threads that read slices. `end` returns what the entries of all slices since `begin` say of the delivery. */
export type SliceReaders = {
  parallel: number;
  begin(): void;
  readSlice(slice: Slice): Promise<ReadSlice | undefined>;
  end(): Promise<CollectedDelivery[]>;
};

/**
 * Checks an exported history in the browser. A whole one is read once, in slices; others are read again from their start, to
 * name what is wrong.
 *
 * @param onProgress gets the part that is done, from 0 to 1
 */
export async function checkFiles(
  { exported, compared }: ChosenFiles,
  { knownFingerprint, kept }: Compare,
  { readers, onProgress }: { readers: SliceReaders; onProgress: (done: number) => void },
): Promise<CheckedFiles> {
  // The chain takes about as long as reading the export.
  const total = exported.size * 2 + (compared?.size ?? 0);
  let done = 0;
  const count = (bytes: number): void => {
    done += bytes;
    onProgress(done / total);
  };
  async function* counted(file: File): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunksOf(file)) {
      yield chunk;
      count(chunk.length);
    }
  }
  const file = compared && { path: compared.name, sha256: await hashFile(counted(compared)) };
  const delivery = createDeliveryReader(MAX_SHOWN);
  const readWhole = async (head: ExportHead, wanted: Wanted): Promise<WholeChain | undefined> => {
    const before = done;
    readers.begin();
    const read = await readAhead(
      { file: exported, head, wanted, chain: createChain() },
      { ...readers, onProgress: (bytes) => count(bytes * 2) },
    );
    if (read) {
      for (const recipients of read.recipients) delivery.mergeRecipients(recipients);
      for (const collected of await readers.end()) delivery.merge(collected);
    } else done = before;
    return read;
  };
  const check = await examineExport(
    { chunks: counted(exported), knownFingerprint, kept, file: file ?? undefined },
    {
      sha256: hashText,
      evidence: { hash: (hex) => bytesToHex(sha256(hexToBytes(hex))), verify: verifyEd25519 },
      checks: CHECKS,
      sorter: countReads(createBlobSorter(), (part) => count(exported.size * part)),
      onItem: delivery.add,
      readAhead: readWhole,
    },
  );
  return { ...check, delivery: delivery.read() };
}

async function hashFile(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = sha256.create();
  for await (const chunk of chunks) hash.update(chunk);
  return bytesToHex(hash.digest());
}

const REPORT_EACH = 1000;

/** Reports how many of the entries are read: after some of them the part that these are of all. */
function countReads(sorter: EntrySorter, onRead: (part: number) => void): EntrySorter {
  let added = 0;
  return {
    add(entry) {
      added += 1;
      sorter.add(entry);
    },
    async *read() {
      let read = 0;
      for await (const entry of sorter.read()) {
        yield entry;
        read += 1;
        if (read % REPORT_EACH === 0) onRead(REPORT_EACH / added);
      }
    },
  };
}
