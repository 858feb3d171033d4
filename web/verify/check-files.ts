import { ed25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { Check } from 'typebox/schema';
import type { VerifyEd25519 } from '../../src/core/model/signed-note.ts';
import {
  type EntrySorter,
  type ExportCheck,
  examineExport,
} from '../../src/core/use-cases/history/exported/examine-export.ts';
import {
  type LineCheck,
  type LineChecks,
  toClosed,
} from '../../src/core/use-cases/history/exported/exported-items.ts';
import { createDeliveryReader, type Delivery } from '../history/delivery.ts';
import { chunksOf, createBlobSorter } from './blob-sorter.ts';

/** The schemas of the lines of an export, which `web/build.ts` puts here. */
declare const HISTORY_LINES: Record<keyof LineChecks, object>;

// The policy of the page forbids to compile schemas, and `crypto.subtle` lacks streams and is for https alone.
function prepareCheck<Line>(schema: object): LineCheck<Line> {
  const closed = toClosed(schema);
  return {
    Check: (line): line is Line => Check(closed, line),
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
  const { head, attempt, change } = HISTORY_LINES;
  const reader = createDeliveryReader(MAX_SHOWN);
  const check = await examineExport(
    { chunks: counted(exported), knownFingerprint, kept, file: file ?? undefined },
    {
      sha256: (text) => bytesToHex(sha256(utf8ToBytes(text))),
      evidence: { hash: (hex) => bytesToHex(sha256(hexToBytes(hex))), verify: verifyEd25519 },
      checks: { head: prepareCheck(head), attempt: prepareCheck(attempt), change: prepareCheck(change) },
      sorter: countReads(createBlobSorter(), (part) => count(exported.size * part)),
      onItem: reader.add,
    },
  );
  return { ...check, delivery: reader.read() };
}

const verifyEd25519: VerifyEd25519 = (publicKey, message, signature) => {
  try {
    return ed25519.verify(hexToBytes(signature), utf8ToBytes(message), hexToBytes(publicKey));
  } catch {
    return false; // of another length, or no point of the curve
  }
};

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
