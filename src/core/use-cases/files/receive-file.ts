import { createFilesDigest, type FilesDigestStream, toSet } from '../../model/files-digest.ts';
import type { StoredFile } from '../../model/link.ts';
import type { FieldError } from '../../model/parsed.ts';
import type { StorageQuota } from '../../model/storage-quota.ts';
import { DAY_MS } from '../../model/time-units.ts';
import { type FileStore, NOTHING_ARRIVED } from '../../ports/file-store.ts';
import type { Clock, UploadLedger } from '../../ports/ports.ts';
import { cleanFileName } from '../../rules/file-name.ts';
import { cleanSetNames, toZipName } from '../../rules/set-names.ts';
import { UnfitFileError } from './examine-file.ts';
import {
  QuotaExceededError,
  type SpaceReservation,
  TooLittleSpaceError,
  type UploadSpace,
} from './upload-space.ts';

/** The server ends a request that takes longer, and with it its upload. */
export const MAX_UPLOAD_MS = DAY_MS;

/** A file that is being sent, with its name as it was sent. */
export type SentFile = { fileName: string | undefined; bytes: AsyncIterable<Uint8Array> };

/**
 * The files of one request. `announcedBytes`: of the request; 0 if it is unknown, and `maxBytes` at most. `quotaOwner`: the
 * owner whose space they take.
 */
export type SentFiles = {
  announcedBytes: number;
  maxBytes: number;
  quotaOwner: string;
  files: AsyncIterable<SentFile, unknown, undefined>;
};

/** Returns a file whose bytes are in memory. */
export const fileOf = (fileName: string, bytes: Uint8Array, quotaOwner: string): SentFiles => ({
  ...{ announcedBytes: bytes.length, maxBytes: bytes.length, quotaOwner },
  files: only({ fileName, bytes: only(bytes) }),
});

async function* only<Item>(item: Item): AsyncGenerator<Item> {
  yield item;
}

/**
 * Receives the files of one request as one file, whose size is not known before, and uses it. `use` gets it complete and
 * durable; it is removed unless `use` resolves.
 *
 * @throws UnfitFileError without a file, and for an empty one; TooLittleSpaceError when its bytes leave too little space;
 * QuotaExceededError
 */
export type ReceiveFile = <Result>(
  sent: SentFiles,
  use: (file: StoredFile) => Promise<Result>,
) => Promise<Result>;

/**
 * Removes a received file that gets no link; one whose link was committed after all stays. It never rejects: what cannot be
 * removed now is left to the sweep, and the client gets the error for which the file was discarded. Returns false where the
 * file stays, as while another request than that of `token` has its lock. `mayAppear`: the storage may complete the file
 * later, as one that timed out, so that the sweep removes it again.
 */
export type DiscardFile = (
  fileId: string,
  options?: { token?: string; mayAppear?: boolean },
) => Promise<boolean>;

export type ReceiveParts = {
  files: FileStore;
  uploads: UploadLedger;
  uploadSpace: UploadSpace;
  quota: StorageQuota;
  clock: Clock;
  newFileId: () => string;
};

/** The ledger has a file before its first byte is written, so the sweep finds what a crash leaves. */
export function prepareReceiveFile(parts: ReceiveParts): ReceiveFile {
  const { files, uploads, uploadSpace, quota, clock, newFileId } = parts;
  const discard = prepareDiscardFile(parts);

  return async ({ announcedBytes, maxBytes, quotaOwner, files: sent }, use) => {
    const space = await uploadSpace.reserve(announcedBytes);
    const reading = sent[Symbol.asyncIterator]();
    try {
      const arriving = joinFiles(await readFirst(reading), reading);
      const fileId = newFileId();
      const wanted = { quotaOwner, bytes: announcedBytes || maxBytes, quota };
      if (await uploads.begin(fileId, clock(), undefined, wanted)) throw new QuotaExceededError();
      const failures: unknown[] = [];
      const bytes = passOn(arriving.bytes, arriving.digest, orThrow(space), (error) => failures.push(error));
      let isStored = false;
      try {
        await storeFile(files, fileId, bytes);
        isStored = true;
        return await use({ fileId, ...arriving.end() });
      } catch (error) {
        // A storage that failed may have the file later: the ledger keeps it for the sweep.
        await discard(fileId, { mayAppear: !isStored && !failures.includes(error) });
        throw error;
      }
    } finally {
      await reading.return?.();
      space.release();
    }
  };
}

/** Returns the first file, without which a request leaves no trace. */
async function readFirst(reading: AsyncIterator<SentFile, unknown, undefined>): Promise<SentFile> {
  const first = await reading.next();
  if (first.done) throw new UnfitFileError(FILE_MISSING);
  return first.value;
}

const FILE_MISSING: FieldError = { field: 'file', code: 'FILE_MISSING', text: 'must not be null' };
const FILE_EMPTY: FieldError = { field: 'file', code: 'FILE_EMPTY', text: 'must not be empty' };

const orThrow =
  (space: SpaceReservation): MayContinue =>
  (bytes) => {
    if (space.receive(bytes)) return true;
    throw new TooLittleSpaceError();
  };

/** Stores a file whose size is not known before. The caller removes what an error leaves of it. */
export async function storeFile(
  files: Pick<FileStore, 'append' | 'complete'>,
  fileId: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> {
  const arrived = await files.append(fileId, NOTHING_ARRIVED, bytes);
  if (!arrived || !(await files.complete(fileId, arrived)))
    throw new Error(`file ${fileId} was removed while it was stored`);
}

/** Called with the size of each chunk. Returns false to end the bytes before it; throws to let them fail. */
type MayContinue = (bytes: number) => boolean;

/**
 * Passes the bytes of a file on to its storage, and adds them to its digest. Each way in for files ends here. `onFailure`
 * gets the error with which the bytes end.
 */
export async function* passOn(
  bytes: AsyncIterable<Uint8Array>,
  digest: FilesDigestStream | undefined,
  mayContinue: MayContinue,
  onFailure?: (error: unknown) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const chunk of bytes) {
      if (!mayContinue(chunk.length)) return;
      digest?.add(chunk);
      yield chunk;
    }
  } catch (error) {
    onFailure?.(error);
    throw error;
  }
}

/** Reads files as `ReceiveFile` does, but does not store them, as for a repeated request: the id is empty. */
export const digestFile: ReceiveFile = async ({ files: sent }, use) => {
  const reading = sent[Symbol.asyncIterator]();
  const { bytes, digest, end } = joinFiles(await readFirst(reading), reading);
  for await (const chunk of bytes) digest.add(chunk);
  return use({ fileId: '', ...end() });
};

/** Joins the bytes of files, and ends the digest of each. */
function joinFiles(first: SentFile, rest: AsyncIterator<SentFile, unknown, undefined>) {
  const digest = createFilesDigest();
  const names: (string | undefined)[] = [];

  async function* bytes(): AsyncGenerator<Uint8Array, void, undefined> {
    for (let file: SentFile | undefined = first; file; ) {
      yield* file.bytes;
      digest.endFile();
      names.push(file.fileName);
      const next = await rest.next();
      file = next.done ? undefined : next.value;
    }
  }

  return {
    bytes: bytes(),
    digest,
    end() {
      const { parts, ...whole } = digest.end(cleanSetNames(names));
      if (whole.sizeBytes === 0) throw new UnfitFileError(FILE_EMPTY);
      if (!parts) return { ...whole, fileName: cleanFileName(names[0]) };
      return { ...whole, fileName: toZipName(parts.map(({ fileName }) => fileName)), ...toSet(parts) };
    },
  };
}

/** Prepares the one removal of received files: after a failure, and when their client removes them. */
export function prepareDiscardFile({ files, uploads }: Pick<ReceiveParts, 'files' | 'uploads'>): DiscardFile {
  return async (fileId, { token, mayAppear = false } = {}) => {
    try {
      if (!(await uploads.abandon(fileId, token))) return false;
      await files.remove(fileId);
      if (!mayAppear) await uploads.delete(fileId);
    } catch {
      // The ledger still has it.
    }
    return true;
  };
}
