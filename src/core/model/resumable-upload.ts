import type { FilesDigest } from './files-digest.ts';
import type { EpochMs, FilePartInfo } from './link.ts';

/** One file of a set that is uploaded. */
export type UploadedPart = { fileName: string; sizeBytes: number };

/** A file that is uploaded in several requests. Its size is known before its first byte. */
export type NewUpload = {
  /** The owner, who may continue it: see `formatOwner`. */
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
  /** The time of its beginning, or when bytes were added last. */
  activeAt: EpochMs;
};

/** The files of a set as they were announced, and with their digests once all are complete; null for one file. */
export type UploadFiles = Pick<NewUpload, 'files'> & { parts: readonly FilePartInfo[] | null };

/** A lock is held for this time, unless it is renewed. After a kill, clients wait no longer than that. */
export const UPLOAD_LOCK_MS = 5_000;

/** The lock of one request on an upload. `token` is unguessable, and used once. */
export type UploadLock = { fileId: string; token: string; now: EpochMs };

/** The bytes that a request has added. It is committed only while the upload has the lock's token and has `fromBytes`. */
export type AddedBytes = UploadLock & {
  fromBytes: number;
  offsetBytes: number;
  state: string | null;
  /** Of a complete file. */
  digest: Pick<FilesDigest, 'sha256' | 'parts'> | null;
  /** The lock ends with the commit. */
  unlocks: boolean;
};
