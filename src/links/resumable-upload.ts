import { crc32 } from 'node:zlib';
import type { EpochMs, FilePartInfo } from './link.ts';
import { createDigest, type Digest } from './stored-file.ts';

/** One file of a set that is uploaded. */
export type UploadedPart = { fileName: string; sizeBytes: number };

/** A file that is uploaded in several requests. Its size is known before its first byte. */
export type NewUpload = {
  /** Who may continue it, see `formatOwner`. */
  owner: string;
  fileName: string;
  sizeBytes: number;
  /** The files of a set, whose bytes follow each other; null for one file. */
  files: readonly UploadedPart[] | null;
};

/** An upload as the ledger has it. `digest`: null until the file is complete. */
export type ResumableUpload = NewUpload & {
  fileId: string;
  /** So many bytes have arrived, and are durable. */
  offsetBytes: number;
  /** From which the storage continues the file. */
  state: string | null;
  digest: UploadDigest | null;
  /** When it began, or its last request. */
  activeAt: EpochMs;
};

/** The digest of a complete upload. `parts`: of the files of a set. */
export type UploadDigest = { sha256: string; parts: readonly FilePartInfo[] | null };

/** A lock is held for this time, unless it is renewed. After a kill, clients wait no longer than that. */
export const UPLOAD_LOCK_MS = 5_000;

/** The lock of one request on an upload. `token` is unguessable, and used once. */
export type UploadLock = { fileId: string; token: string; now: EpochMs };

/** What a request has added. It is committed only while the upload has the lock's token and has `fromBytes`. */
export type AddedBytes = UploadLock & {
  fromBytes: number;
  offsetBytes: number;
  state: string | null;
  digest: UploadDigest | null;
  /** The lock ends with the commit. */
  unlocks: boolean;
};

/** Computes the digests of a file, or of a set and its files, while their bytes stream. `end` may be called once. */
export type UploadDigestStream = { add(chunk: Uint8Array): void; bytes(): number; end(): UploadDigest };

export function createUploadDigest({ files }: Pick<NewUpload, 'files'>): UploadDigestStream {
  const whole = createDigest();
  const parts = files && createPartDigests(files);
  let bytes = 0;
  return {
    add(chunk) {
      whole.add(chunk);
      parts?.add(chunk);
      bytes += chunk.length;
    },
    bytes: () => bytes,
    end: () => ({ sha256: whole.end().sha256, parts: parts?.end() ?? null }),
  };
}

function createPartDigests(files: readonly UploadedPart[]) {
  const ended: FilePartInfo[] = [];
  let current = startPart();

  function startPart() {
    return { digest: createDigest(), checksum: 0, restBytes: files[ended.length]?.sizeBytes ?? 0 };
  }

  /** Ends the files whose bytes have all arrived, empty ones too. */
  function endParts(): void {
    for (let file = files[ended.length]; file && current.restBytes === 0; file = files[ended.length]) {
      const { sizeBytes, sha256 }: Digest = current.digest.end();
      ended.push({ fileName: file.fileName, sizeBytes, sha256, crc32: current.checksum });
      current = startPart();
    }
  }

  return {
    add(chunk: Uint8Array): void {
      for (let at = 0; at < chunk.length; ) {
        endParts();
        const part = chunk.subarray(at, at + current.restBytes);
        if (part.length === 0) throw new Error('an upload has no more bytes than its files');
        current.digest.add(part);
        current.checksum = crc32(part, current.checksum);
        current.restBytes -= part.length;
        at += part.length;
      }
    },
    end(): FilePartInfo[] {
      endParts();
      return ended;
    },
  };
}
