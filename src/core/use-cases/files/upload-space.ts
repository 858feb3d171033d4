import type { FileStore } from '../../ports/file-store.ts';

/** The time for which a measurement of the free space is used. Bytes that arrive meanwhile are subtracted from it. */
const MEASURE_EACH_MS = 1_000;

/** The free space of the storage, and whether an upload of a byte would be received. */
export type StorageSpace = { freeBytes: number; minFreeBytes: number; acceptsUploads: boolean };

/** The space that one upload needs, until it is released. */
export type SpaceReservation = {
  /** Counts bytes that arrived. Returns false when the upload must end, because too little space is left. */
  receive(bytes: number): boolean;
  release(): void;
};

/** Thrown for an upload that would leave less than the minimum. */
export class TooLittleSpaceError extends Error {
  override name = 'TooLittleSpaceError';
}

/** Thrown for an upload for which the quota of its owner, or that of the service, has no room. */
export class QuotaExceededError extends Error {
  override name = 'QuotaExceededError';
}

/** Keeps a minimum of the storage free from uploads: it is left to the database, if that is on the same disk. */
export type UploadSpace = {
  /**
   * Reserves space for an upload of this size, 0 if unknown.
   *
   * @throws TooLittleSpaceError
   */
  reserve(announcedBytes: number): Promise<SpaceReservation>;
  /** Returns null for a storage without a known limit, such as a bucket. */
  read(): Promise<StorageSpace | null>;
};

/**
 * Prepares the reservation of space. Bytes that a running upload announced and has not sent yet count as used,
 * up to as many as it has sent. So the first of two uploads that do not both fit may end, and a client that
 * announces much and sends little takes nothing from others. A disk whose space cannot be measured refuses nothing: writing to it shows what is wrong.
 *
 * @param minFreeBytes 0 refuses no upload
 * @param nowMs a clock that never jumps
 */
export function prepareUploadSpace(parts: {
  files: Pick<FileStore, 'freeBytes'>;
  minFreeBytes: number;
  nowMs: () => number;
}): UploadSpace {
  const { minFreeBytes } = parts;
  const free = measureFreeSpace(parts);
  /** Bytes that are kept for the rest of running uploads. */
  let keptBytes = 0;

  function hasSpaceFor(bytes: number): boolean {
    const freeBytes = free.read();
    if (minFreeBytes === 0 || freeBytes === null) return true;
    return freeBytes - free.arrivedBytes() - keptBytes - bytes >= minFreeBytes;
  }

  return {
    async reserve(bytes) {
      await free.refresh();
      if (!hasSpaceFor(bytes)) throw new TooLittleSpaceError();
      let receivedBytes = 0;
      let keptForThis = 0;
      const keep = (restBytes: number): void => {
        keptBytes += restBytes - keptForThis;
        keptForThis = restBytes;
      };
      return {
        receive(chunkBytes) {
          receivedBytes += chunkBytes;
          free.countArrived(chunkBytes);
          keep(Math.min(Math.max(bytes - receivedBytes, 0), receivedBytes));
          void free.refresh();
          return hasSpaceFor(0);
        },
        release: () => keep(0),
      };
    },
    async read() {
      await free.refresh();
      const freeBytes = free.read();
      return freeBytes === null ? null : { freeBytes, minFreeBytes, acceptsUploads: hasSpaceFor(1) };
    },
  };
}

/** Returns the measured free space, null if it cannot be measured, and counts the bytes that arrive meanwhile. */
function measureFreeSpace({ files, nowMs }: { files: Pick<FileStore, 'freeBytes'>; nowMs: () => number }) {
  let freeBytes: number | null = null;
  let measuredAt = Number.NEGATIVE_INFINITY;
  let measuring: Promise<void> | undefined;
  /** Bytes that arrived and that the last measurement may not contain. */
  let arrivedBytes = 0;

  async function measure(): Promise<void> {
    const arrivedBefore = arrivedBytes;
    freeBytes = await files.freeBytes().catch(() => null);
    arrivedBytes -= arrivedBefore;
    measuredAt = nowMs();
    measuring = undefined;
  }

  return {
    read: () => freeBytes,
    arrivedBytes: () => arrivedBytes,
    countArrived(bytes: number): void {
      arrivedBytes += bytes;
    },
    /** Measures again where the last measurement is old; concurrent callers share one. */
    async refresh(): Promise<void> {
      if (nowMs() - measuredAt < MEASURE_EACH_MS) return;
      measuring ??= measure();
      await measuring;
    },
  };
}
