import {
  createFilesDigest,
  type FilesDigest,
  type FilesDigestStream,
  toSet,
} from '../../model/files-digest.ts';
import type { StoredFile } from '../../model/link.ts';
import { type NewUpload, type ResumableUpload, UPLOAD_LOCK_MS } from '../../model/resumable-upload.ts';
import { isFileId } from '../../model/stored-file.ts';
import type { FileStore } from '../../ports/file-store.ts';
import type { StartTimer } from '../../ports/ports.ts';
import { readChunks } from './open-file.ts';
import { passOn, prepareDiscardFile, type ReceiveParts } from './receive-file.ts';
import { QuotaExceededError, type SpaceReservation } from './upload-space.ts';

/** A lock that cannot be renewed for some time is lost: two tries fit into it. */
const RENEW_EACH_MS = UPLOAD_LOCK_MS / 3;

/** An upload that got no byte for so long makes room for others of its file request. */
export const MAX_IDLE_MS = 60_000;

/** The files of uploads whose digests are kept here. A file takes about 200 bytes, and a digest as much as ten files. */
const MAX_KEPT_FILES = 100_000;
const FILES_PER_DIGEST = 10;

/**
 * Why an upload cannot be used. GONE: it does not exist, belongs to another owner, or was removed. OCCUPIED: see `add`.
 * TOO_LITTLE_SPACE: the bytes before count.
 */
export type UploadRefusal = { kind: 'GONE' | 'LOCKED' | 'OTHER_OFFSET' | 'OCCUPIED' | 'TOO_LITTLE_SPACE' };
const GONE = { kind: 'GONE' } as const;
const LOCKED = { kind: 'LOCKED' } as const;

export type UploadAddress = { fileId: string; owner: string };

/** The bytes that a request adds. `announcedBytes`: its size, 0 if it is unknown. `open` returns its bytes, which end early when `signal` is aborted; it may throw to refuse them. */
export type AddBytes = UploadAddress & {
  fromBytes: number;
  announcedBytes: number;
  /** For all uploads of the owner; null without a limit. */
  roomBytes: number | null;
  open: (upload: ResumableUpload, signal: AbortSignal) => AsyncIterable<Uint8Array>;
};

export type ReceivedUpload = { kind: 'RECEIVED'; file: StoredFile };

/** Uploads whose bytes arrive in several requests, of any instances. */
export type ResumeUploads = {
  /** Begins an upload, which takes the space of the owner `quotaOwner`, and returns its id. @throws QuotaExceededError */
  begin(upload: NewUpload, quotaOwner: string): Promise<string>;
  /** Returns an upload. A request of this process that adds bytes to it ends first. */
  find(address: UploadAddress): Promise<{ kind: 'FOUND'; upload: ResumableUpload } | UploadRefusal>;
  /**
   * Adds bytes, and completes the file with its last ones. What arrived before `bytes` ended early counts. Adds none while the
   * other uploads of the owner have `roomBytes`; those that got no byte for a minute make room. So all of them have less than
   * `roomBytes` and one file, but for one piece of each request that adds at this moment.
   */
  add(
    added: AddBytes,
  ): Promise<({ kind: 'ADDED' } & Pick<ResumableUpload, 'offsetBytes' | 'activeAt'>) | UploadRefusal>;
  /** Returns the complete file of an upload. */
  receive(address: UploadAddress): Promise<ReceivedUpload | UploadRefusal | { kind: 'INCOMPLETE' }>;
  /** Removes an upload. */
  remove(address: UploadAddress): Promise<{ kind: 'REMOVED' } | UploadRefusal>;
};

type Parts = ReceiveParts & {
  /** A clock that never jumps. */
  elapsedMs: () => number;
  startTimer: StartTimer;
  newToken: () => string;
  /** Bytes of one request are committed after so many. */
  commitEachBytes: number;
};

/**
 * A lock that a request of this process has. `isHeld` turns false before another process can have it. `hasEnded`: it was
 * ended by a commit.
 */
type HeldLock = { token: string; signal: AbortSignal; isHeld: () => boolean; hasEnded: boolean };

export function prepareResumeUploads(parts: Parts): ResumeUploads {
  const { files, uploads, uploadSpace, quota, clock, newFileId } = parts;
  const discardFile = prepareDiscardFile(parts);
  const withLock = prepareWithLock(parts);
  const save = prepareSave(parts);
  const digests = keepDigests();

  /** Removes an upload, or what is left of one that was withdrawn, unless another request has its lock meanwhile. */
  async function discard(upload: ResumableUpload, { token }: HeldLock) {
    digests.take(upload);
    return (await discardFile(upload.fileId, { token })) ? GONE : LOCKED;
  }

  /** Completes a file with all its bytes, unless it is complete. Reads it where this process has not seen all in order. */
  async function complete(upload: ResumableUpload, lock: HeldLock): Promise<FilesDigest | UploadRefusal> {
    const { fileId, offsetBytes, state, sizeBytes, sha256 } = upload;
    if (sha256 !== null) {
      const { parts } = await uploads.readUploadFiles(fileId);
      return { sizeBytes, sha256, ...(parts && { parts }) };
    }
    if (!(await files.complete(fileId, { sizeBytes, offsetBytes, state }))) return discard(upload, lock);
    const seen = digests.take(upload);
    const { files: listed } = await uploads.readUploadFiles(fileId);
    const digest = (seen ?? (await digestStored(files, fileId, listed)))?.end(namesIn(listed));
    if (!digest) return discard(upload, lock);
    return (await save(upload, lock, { offsetBytes, state, digest })) ? digest : LOCKED;
  }

  const extend = prepareExtend(parts, { save, discard, complete, digests });

  return {
    async begin(upload, quotaOwner) {
      (await uploadSpace.reserve(upload.sizeBytes)).release();
      const fileId = newFileId();
      const wanted = { quotaOwner, bytes: upload.sizeBytes, quota };
      if (await uploads.begin(fileId, clock(), upload, wanted)) throw new QuotaExceededError();
      return fileId;
    },
    find: (address) => withLock(address, async (upload) => ({ kind: 'FOUND', upload })),
    async add(added) {
      const space = await uploadSpace.reserve(added.announcedBytes);
      try {
        return await withLock(added, (upload, lock) => extend({ ...added, space }, upload, lock));
      } finally {
        space.release();
      }
    },
    receive: (address) =>
      withLock(address, async (upload, lock) => {
        const { fileId, fileName, sizeBytes, offsetBytes } = upload;
        if (offsetBytes < sizeBytes) return { kind: 'INCOMPLETE' };
        const digest = await complete(upload, lock);
        if ('kind' in digest) return digest;
        const { parts, ...whole } = digest;
        return { kind: 'RECEIVED', file: { fileId, fileName, ...whole, ...(parts && toSet(parts)) } };
      }),
    remove: (address) =>
      withLock(address, async (upload, lock) => {
        const refusal = await discard(upload, lock);
        return refusal === GONE ? { kind: 'REMOVED' } : refusal;
      }),
  };
}

/** Prepares adding the bytes of a request to an upload, piece by piece. */
function prepareExtend(
  { files, uploads, clock, commitEachBytes }: Parts,
  steps: {
    save: ReturnType<typeof prepareSave>;
    discard(upload: ResumableUpload, lock: HeldLock): Promise<UploadRefusal>;
    complete(upload: ResumableUpload, lock: HeldLock): Promise<FilesDigest | UploadRefusal>;
    digests: ReturnType<typeof keepDigests>;
  },
) {
  const { save, discard, complete, digests } = steps;

  /** Withdraws other uploads that are idle until there is room. Returns false where it is used up by those that are not. */
  async function makeRoom({ fileId, owner }: UploadAddress, roomBytes: number | null): Promise<boolean> {
    while (roomBytes !== null && (await uploads.sumOthers(fileId, owner)) >= roomBytes)
      if ((await uploads.withdraw(owner, clock() - MAX_IDLE_MS, 1)) === 0) return false;
    return true;
  }

  return async (
    { fromBytes, roomBytes, open, space }: AddBytes & { space: SpaceReservation },
    upload: ResumableUpload,
    lock: HeldLock,
  ) => {
    const { fileId, offsetBytes, sizeBytes } = upload;
    if (fromBytes !== offsetBytes) return { kind: 'OTHER_OFFSET' } as const;
    if (offsetBytes === 0)
      digests.keep(fileId, createFilesDigest(sizesIn((await uploads.readUploadFiles(fileId)).files)));
    const sent = open(upload, lock.signal);
    if (upload.sha256 !== null) return added(upload);
    const seen = digests.take(upload);
    let extended = upload;
    let hasSpace = true;
    const mayContinue = (bytes: number): boolean => {
      hasSpace &&= space.receive(bytes);
      return hasSpace && lock.isHeld();
    };
    /** Commits what was appended. Returns false where the lock was lost, or the upload withdrawn. */
    const commit = (after: Pick<ResumableUpload, 'offsetBytes' | 'state'>) =>
      save(extended, lock, { ...after, digest: null });
    for await (const piece of splitIntoPieces(sent, commitEachBytes)) {
      if (!(await makeRoom(upload, roomBytes))) {
        digests.keep(fileId, seen);
        return { kind: 'OCCUPIED' } as const;
      }
      const after = await files.append(fileId, extended, passOn(piece, seen, mayContinue));
      if (!after) return discard(extended, lock);
      const activeAt = clock();
      if (!(await commit(after))) return discard(extended, lock);
      if (after.offsetBytes < extended.offsetBytes) return { kind: 'OTHER_OFFSET' } as const; // the storage lost the last bytes
      extended = { ...extended, offsetBytes: after.offsetBytes, state: after.state, activeAt };
      if (!hasSpace || !lock.isHeld()) break;
    }
    const isUncertain = extended === upload || lock.signal.aborted;
    if (isUncertain && !(await commit(extended))) return discard(extended, lock);
    digests.keep(fileId, seen);
    if (!hasSpace) return { kind: 'TOO_LITTLE_SPACE' } as const;
    if (extended.offsetBytes < sizeBytes) return added(extended);
    const completed = await complete(extended, lock);
    return 'kind' in completed ? completed : added(extended);
  };
}

/** Commits what was added, and ends the lock with the digest. Returns false when the lock was lost. */
function prepareSave({ uploads, clock }: Parts) {
  return async (
    { fileId, offsetBytes: fromBytes }: ResumableUpload,
    lock: HeldLock,
    after: { offsetBytes: number; state: string | null; digest: FilesDigest | null },
  ): Promise<boolean> => {
    const { token } = lock;
    const unlocks = after.digest !== null;
    const isSaved = await uploads.saveUpload({ fileId, token, now: clock(), fromBytes, ...after, unlocks });
    if (isSaved && unlocks) lock.hasEnded = true;
    return isSaved;
  };
}

const added = ({ offsetBytes, activeAt }: ResumableUpload) =>
  ({ kind: 'ADDED', offsetBytes, activeAt }) as const;

/** Splits bytes into pieces of at most `maxBytes`. Each is read before the next one is waited for; no bytes are no piece. */
async function* splitIntoPieces(
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<AsyncIterable<Uint8Array>> {
  const chunks: AsyncIterator<Uint8Array, unknown, undefined> = bytes[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array();
  async function hasMore(): Promise<boolean> {
    while (rest.length === 0) {
      const next = await chunks.next();
      if (next.done) return false;
      rest = next.value;
    }
    return true;
  }
  async function* piece(): AsyncGenerator<Uint8Array> {
    for (let wantedBytes = maxBytes; wantedBytes > 0 && (await hasMore()); ) {
      const chunk = rest.subarray(0, wantedBytes);
      rest = rest.subarray(chunk.length);
      wantedBytes -= chunk.length;
      yield chunk;
    }
  }
  while (await hasMore()) yield piece();
}

/** Keeps the digests of uploads whose bytes this process has seen from the first one on, the latest ones. */
export function keepDigests() {
  const kept = new Map<string, FilesDigestStream>();
  let keptFiles = 0;

  function remove(fileId: string): FilesDigestStream | undefined {
    const digest = kept.get(fileId);
    if (digest) keptFiles -= digest.fileCount + FILES_PER_DIGEST;
    kept.delete(fileId);
    return digest;
  }

  return {
    /** Removes the digest of all bytes that an upload has; undefined where this process has not seen all. */
    take({ fileId, offsetBytes }: ResumableUpload): FilesDigestStream | undefined {
      const digest = remove(fileId);
      return digest?.bytes() === offsetBytes ? digest : undefined;
    },
    keep(fileId: string, digest: FilesDigestStream | undefined): void {
      remove(fileId);
      if (!digest) return;
      kept.set(fileId, digest);
      keptFiles += digest.fileCount + FILES_PER_DIGEST;
      for (const oldest of kept.keys()) {
        if (keptFiles <= MAX_KEPT_FILES) break;
        remove(oldest);
      }
    },
  };
}

const sizesIn = (files: NewUpload['files']) => files?.map(({ sizeBytes }) => sizeBytes);
const namesIn = (files: NewUpload['files']) => files?.map(({ fileName }) => fileName) ?? [];

/** Computes the digests of a stored file by reading it. */
async function digestStored(files: FileStore, fileId: string, listed: NewUpload['files']) {
  const file = await files.open(fileId);
  const digest = createFilesDigest(sizesIn(listed));
  if (file) await readChunks(file, digest.add);
  return file && digest;
}

/**
 * Prepares work with the lock of an upload. A request of this process that has it ends first. The lock is renewed until
 * the work ends. Where it is lost, or another instance waits for it, the signal is aborted.
 */
function prepareWithLock(parts: Parts) {
  const { uploads, clock, newToken } = parts;
  const running = new Map<string, { owner: string; abort: () => void; ended: Promise<void> }>();

  return async <Result>(
    { fileId, owner }: UploadAddress,
    work: (upload: ResumableUpload, lock: HeldLock) => Promise<Result>,
  ): Promise<Result | UploadRefusal> => {
    if (!isFileId(fileId)) return GONE;
    for (let before = running.get(fileId); before; before = running.get(fileId)) {
      if (before.owner !== owner) return GONE;
      before.abort();
      await before.ended;
    }
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const controller = new AbortController();
    const abort = () => controller.abort();
    running.set(fileId, { owner, abort, ended });
    const token = newToken();
    const { isHeld, stop } = renewLock(parts, { fileId, token }, abort);
    const lock: HeldLock = { token, isHeld, signal: controller.signal, hasEnded: false };
    try {
      const upload = await uploads.lock({ fileId, token, now: clock() }, owner);
      if (upload === 'gone') return GONE;
      if (upload === 'locked') return LOCKED;
      return await work(upload, lock);
    } finally {
      stop();
      if (!lock.hasEnded) await uploads.unlock({ fileId, token, now: clock() }).catch(() => undefined); // it ends by itself
      running.delete(fileId);
      end();
    }
  };
}

/** Renews a lock from now on. Calls `onLost` where it is lost, or another instance waits for it. */
function renewLock(
  { uploads, clock, elapsedMs, startTimer }: Parts,
  lock: { fileId: string; token: string },
  onLost: () => void,
): { isHeld: () => boolean; stop: () => void } {
  let renewedAt = elapsedMs();
  let stop = startTimer(renew, RENEW_EACH_MS);
  const isHeld = () => elapsedMs() - renewedAt < UPLOAD_LOCK_MS;

  function renew(): void {
    const sentAt = elapsedMs();
    if (!isHeld()) onLost();
    stop = startTimer(renew, RENEW_EACH_MS);
    uploads.renewLock({ ...lock, now: clock() }).then(
      (isRenewed) => {
        if (isRenewed) renewedAt = sentAt;
        else onLost();
      },
      () => undefined, // the next one may succeed
    );
  }
  return { isHeld, stop: () => stop() };
}
