import * as checkLine from 'virtual:line-checks';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import type { Sha256 } from '../../src/core/model/hashed-text.ts';
import {
  type EntrySorter,
  type ExportCheck,
  examineExport,
} from '../../src/core/use-cases/history/exported/examine-export.ts';
import type { LineCheck } from '../../src/core/use-cases/history/exported/exported-items.ts';
import { createDeliveryReader, type Delivery } from '../history/delivery.ts';
import { chunksOf, createBlobSorter } from './blob-sorter.ts';
import { verifyEd25519 } from './verify-ed25519.ts';

// `crypto.subtle` lacks streams and is for https alone.

/** `isLine`: the check that `web/build.ts` compiled. */
function prepareCheck<Line>(isLine: (line: unknown) => boolean): LineCheck<Line> {
  return {
    Check: (line): line is Line => isLine(line),
    Errors: () => [false, []], // the page says which line is wrong, not why in English
  };
}

/** The result of the check, with what the entries say if they are proved. */
export type CheckedFiles = ExportCheck & { delivery: Delivery };
/** So many entries of a history are shown. */
const MAX_SHOWN = 500;

/** The files to check: the export, and one that should be that of the link. */
export type ChosenFiles = { exported: File; compared: File | null };

/**
 * Checks an exported history in the browser. Reads each file once, in chunks.
 *
 * @param onProgress gets the part that is done, from 0 to 1
 */
export async function checkFiles(
  { exported, compared }: ChosenFiles,
  { knownFingerprint, kept }: { knownFingerprint: string | null; kept: string | undefined },
  onProgress: (done: number) => void,
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
  const { head, attempt, change } = checkLine;
  const reader = createDeliveryReader(MAX_SHOWN);
  const check = await examineExport(
    { chunks: counted(exported), knownFingerprint, kept, file: file ?? undefined },
    {
      sha256: prepareSha256(),
      evidence: { hash: (hex) => bytesToHex(sha256(hexToBytes(hex))), verify: verifyEd25519 },
      checks: { head: prepareCheck(head), attempt: prepareCheck(attempt), change: prepareCheck(change) },
      sorter: countReads(createBlobSorter(), (part) => count(exported.size * part)),
      onItem: reader.add,
    },
  );
  return { ...check, delivery: reader.read() };
}

/** A text of an entry with more characters is rare. Its bytes are three times as many at most. */
const MAX_CHARACTERS = 4_096;

/** Returns a function that hashes texts. It encodes them in one buffer: a new one for each takes longer than the hash. */
function prepareSha256(): Sha256 {
  const encoder = new TextEncoder();
  const buffer = new Uint8Array(3 * MAX_CHARACTERS);
  const encode = (text: string): Uint8Array =>
    text.length > MAX_CHARACTERS
      ? encoder.encode(text)
      : buffer.subarray(0, encoder.encodeInto(text, buffer).written);
  return (text) => bytesToHex(sha256(encode(text)));
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
