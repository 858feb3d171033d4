import { createFilesDigest } from './files-digest.ts';
import type { EpochMs, FilePartInfo } from './link.ts';

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
  /** `Upload-Metadata` as it was sent; null if it was not. */
  metadata: string | null;
};

/** Begins the owner of uploads for a file request, whose short code follows. */
export const OWNED_BY_REQUEST = 'REQUEST ';

/** An upload as the ledger has it, without its lists of files. */
export type ResumableUpload = Omit<NewUpload, 'files'> & {
  fileId: string;
  /** So many bytes have arrived, and are durable. */
  offsetBytes: number;
  /** From which the storage continues the file. */
  state: string | null;
  /** Null until the file is complete. */
  sha256: string | null;
  /** When it began, or its last request. */
  activeAt: EpochMs;
};

/** The files of a set as they were announced, and with their digests once all are complete; null for one file. */
export type UploadFiles = Pick<NewUpload, 'files'> & Pick<UploadDigest, 'parts'>;

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

/** Computes the digests of a file, or of a set and its files. `end` may be called once. It takes their names, to save memory. */
export type UploadDigestStream = {
  fileCount: number;
  add(chunk: Uint8Array): void;
  bytes(): number;
  end(files: NewUpload['files']): UploadDigest;
};

export function createUploadDigest(files: NewUpload['files']): UploadDigestStream {
  const digest = createFilesDigest();
  const sizes = files?.map(({ sizeBytes }) => sizeBytes) ?? [Number.POSITIVE_INFINITY];
  let bytes = 0;
  let endedFiles = 0;
  let restBytes = sizes[0] ?? 0;

  /** Ends the files whose bytes have all arrived, empty ones too. */
  function endFiles(): void {
    while (endedFiles < sizes.length && restBytes === 0) {
      digest.endFile();
      endedFiles += 1;
      restBytes = sizes[endedFiles] ?? 0;
    }
  }

  return {
    fileCount: sizes.length,
    add(chunk) {
      bytes += chunk.length;
      for (let at = 0; at < chunk.length; ) {
        endFiles();
        const part = chunk.subarray(at, at + restBytes);
        if (part.length === 0) throw new Error('an upload has no more bytes than its files');
        digest.add(part);
        restBytes -= part.length;
        at += part.length;
      }
    },
    bytes: () => bytes,
    end(named) {
      endFiles();
      const { sha256, parts = null } = digest.end(named?.map(({ fileName }) => fileName) ?? []);
      return { sha256, parts };
    },
  };
}
