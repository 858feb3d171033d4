import type { FilePartInfo } from '../../model/link.ts';
import type { LinkStore } from '../../ports/ports.ts';

/** Five of the largest sets, in about 15 MB. */
const MAX_KEPT_FILES = 50_000;
/** A slow read does not stop the others. More at once would only take memory from other requests. */
const MAX_READS = 4;

/**
 * Keeps the files of sets that were read last: those of a stored file never change. Each caller gets a set in its own turn of
 * the event loop, so that other requests come between: to read 10,000 files takes 20 ms, and to use them 4 ms.
 *
 * @param nextTurn resolves in the next turn of the event loop
 */
export function cacheFileSets(
  read: LinkStore['readParts'],
  nextTurn: () => Promise<unknown>,
): LinkStore['readParts'] {
  const kept = new Map<string, FilePartInfo[]>();
  const reads = new Map<string, ReturnType<typeof read>>();
  const waiting: (() => void)[] = [];
  let keptFiles = 0;
  let freeReads = MAX_READS;
  let lastTurn: Promise<unknown> = Promise.resolve();

  function keep(fileId: string, parts: FilePartInfo[] | undefined): FilePartInfo[] | undefined {
    keptFiles -= kept.get(fileId)?.length ?? 0;
    kept.delete(fileId);
    if (!parts) return undefined;
    kept.set(fileId, parts);
    keptFiles += parts.length;
    for (const [oldest, { length }] of kept) {
      if (keptFiles <= MAX_KEPT_FILES) break;
      kept.delete(oldest);
      keptFiles -= length;
    }
    return parts;
  }

  async function readInSlot(fileId: string): ReturnType<typeof read> {
    if (freeReads > 0) freeReads -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      await takeTurn(); // SQLite reads at once
      return keep(fileId, await read(fileId));
    } finally {
      const startNext = waiting.shift();
      if (startNext) startNext();
      else freeReads += 1;
    }
  }

  function readOnce(fileId: string): ReturnType<typeof read> {
    const reading = reads.get(fileId) ?? readInSlot(fileId).finally(() => reads.delete(fileId));
    reads.set(fileId, reading);
    return reading;
  }

  /** Waits for a turn of the event loop that no other caller gets. */
  async function takeTurn(): Promise<void> {
    lastTurn = lastTurn.then(nextTurn);
    await lastTurn;
  }

  return async (fileId) => {
    const set = kept.get(fileId);
    const files = set ? keep(fileId, set) : await readOnce(fileId);
    await takeTurn(); // what is done with the files comes at once, too
    return files;
  };
}
