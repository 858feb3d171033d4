import { dropOldest } from '../../common/drop-oldest.ts';
import { createDigest, DamagedFileError } from '../../core/model/stored-file.ts';

/** So long the check of a file holds while the file is unchanged. Later, its medium may have decayed. */
const HOLDS_MS = 3_600_000;

/** So many files are remembered, in about 4 MB. */
const MAX_FILES = 10_000;

/**
 * A file to send, or a part of `sizeBytes` that has a digest of its own. `revision` differs once the file was changed;
 * undefined where that is unknown.
 */
export type CheckedFile = {
  fileId: string;
  firstByte?: number;
  sizeBytes: number;
  revision: string | undefined;
};

/** Takes the chunks of a file before they are sent. Throws a DamagedFileError before the last one of a damaged file. */
export type CheckChunk = (chunk: Uint8Array) => void;

/** Returns the check of a file that is about to be sent; undefined without a digest, and if it was checked lately. */
export type BeginCheck = (file: CheckedFile, sha256: string | undefined) => CheckChunk | undefined;

/**
 * Compares files with their SHA-256 while they are sent. Computing it costs as much as sending the file. So a file that
 * is known to be unchanged since it was compared is not compared again for an hour. The last chunk is held back until
 * the digest matches.
 */
export function createDigestChecks(nowMs: () => number): BeginCheck {
  const undamaged = new Map<string, { state: string; untilMs: number }>();

  function remember(key: string, state: string): void {
    undamaged.delete(key); // the newest is the last
    undamaged.set(key, { state, untilMs: nowMs() + HOLDS_MS });
    dropOldest(undamaged, MAX_FILES);
  }

  return ({ fileId, firstByte = 0, sizeBytes, revision }, sha256) => {
    if (sha256 === undefined) return undefined;
    const state = revision && `${sha256} ${revision}`;
    const key = `${fileId} ${firstByte}`;
    const known = undamaged.get(key);
    if (known && known.state === state && nowMs() < known.untilMs) return undefined;
    const digest = createDigest();
    let restBytes = sizeBytes;
    return (chunk) => {
      digest.add(chunk);
      restBytes -= chunk.length;
      if (restBytes > 0) return;
      if (digest.end().sha256 !== sha256) throw new DamagedFileError(fileId);
      if (state) remember(key, state);
    };
  };
}
