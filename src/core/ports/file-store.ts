import type { EpochMs } from '../model/link.ts';

/**
 * The bytes of uploaded files, by ids that the service generates and no client chooses: UUIDs in lower case,
 * random from their first digit (version 4). Any other id is an error.
 */
export interface FileStore {
  /**
   * Opens a file for one reading, or undefined where there is none. The caller sends or closes it. With `sha256`, the
   * sending of a file with another digest fails with a `DamagedFileError` before its last bytes. A file that was
   * compared within the last hour, and is unchanged since, may be sent without that. With `part`, only that part is
   * opened; undefined if the file has not all of it.
   */
  open(fileId: string, sha256?: string, part?: BytePart): Promise<OpenFile | undefined>;
  /**
   * Adds bytes to an unfinished file, from the end of `progress` on. Resolves once they are durable to the progress from
   * which the next call continues; to undefined where the bytes before are gone. Where only the last of them are gone, that
   * progress is before the one of the call, and no bytes were added. `bytes` may end early, and may fail at any moment after
   * the call. When they or the storage fail, the promise rejects with that error, and the file can be continued from the same
   * progress; one whose size was not announced is begun again with another id. Nothing is removed but by `remove`.
   */
  append(
    fileId: string,
    progress: FileProgress,
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<FileProgress | undefined>;
  /**
   * Makes an unfinished file with all its bytes a stored file. Resolves once that is durable, to true; to false where its
   * bytes are gone. Doing it again changes nothing. Replacing another stored file is an error, of this call or of `append`.
   */
  complete(fileId: string, progress: FileProgress): Promise<boolean>;
  /** Removes a file for good, also a half-written one. Removing a missing file is no error. */
  remove(fileId: string): Promise<void>;
  /** Lists every complete file, in no particular order. */
  list(): AsyncIterable<ListedFile>;
  /** Lists the files that are being written, and what a crash has left of others. */
  listUnfinished(): AsyncIterable<Omit<ListedFile, 'sizeBytes'>>;
  /** Resolves when files can be written; rejects with the reason when not. */
  checkWritable(): Promise<void>;
  /** Returns the bytes that files can still take; null where that is not known, as for a bucket. */
  freeBytes(): Promise<number | null>;
  /** Reports each request to object storage from now on, with its retries; undefined for a store that sends none. */
  observeRequests?(onRequest: OnStorageRequest): void;
}

/**
 * How much of a file has arrived. `sizeBytes`: of the whole file, at least 1; null where it was not announced, as for a form:
 * then one call adds all bytes. `state`: what the store needs besides; null before the first byte.
 */
export type FileProgress = { sizeBytes: number | null; offsetBytes: number; state: string | null };

/** The progress of a file whose size was not announced, before its first byte. */
export const NOTHING_ARRIVED: FileProgress = { sizeBytes: null, offsetBytes: 0, state: null };

/** `modifiedAt`: when the last byte was written, or for an unfinished file in a bucket, when it was begun. */
export type ListedFile = { fileId: string; sizeBytes: number; modifiedAt: EpochMs };

/** `operation`: the name of the command, such as `PutObject`. */
export type OnStorageRequest = (operation: string, seconds: number) => void;

/** Bytes of a file: `firstByte` counts from 0. */
export type BytePart = { firstByte: number; lengthBytes: number };

/** A file held open: it can be read to its end even if it is removed meanwhile. */
export interface OpenFile {
  /** The number of bytes to send. */
  readonly sizeBytes: number;
  /** The bytes that `out` has taken so far, in whole chunks. */
  readonly sentBytes: number;
  /**
   * Writes all bytes, ends `out`, and resolves once `out` has taken them; closes the file. When either side
   * fails, or `out` closes before its end, `out` is destroyed and the promise rejects. Chunks are overwritten
   * once `out` has called back for them: it must be a sink, not a transform that retains them.
   */
  sendTo(out: import('node:stream').Writable): Promise<void>;
  /** Closes the file and aborts its sending; may be called again. */
  close(): Promise<void>;
}
