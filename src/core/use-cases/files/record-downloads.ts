import type { Download } from '../../model/history.ts';
import type { EpochMs } from '../../model/link.ts';
import type { OpenFile } from '../../ports/file-store.ts';
import type { LinkStore } from '../../ports/ports.ts';

/** The part of the file of an attempt that is sent. `reachesEnd`: it is the last part of the file, or all of it. */
export type SentPart = Pick<Download, 'attemptId' | 'shortCode' | 'firstByte'> & { reachesEnd: boolean };

/** The files of granted attempts. Each records how its download ended. */
export type DownloadRecorder = {
  /** Returns a file, or a part of one, which records its end once it was sent, or could not be sent. */
  observe(file: OpenFile, part: SentPart): OpenFile;
  /** Records that nothing of a part was sent. */
  recordUnsent(part: SentPart, lengthBytes: number): Promise<void>;
  /** Resolves once the end of each download that began is recorded. */
  settled(): Promise<void>;
};

/**
 * Prepares recording how downloads end. Nothing waits for the record: an error is reported, and the attempt then has no
 * end of its download, as after a crash.
 */
export function prepareRecordDownloads(parts: {
  links: Pick<LinkStore, 'recordDownload'>;
  clock: () => EpochMs;
  newDownloadId: (at: EpochMs) => string;
  onError: (error: unknown) => void;
}): DownloadRecorder {
  const { links, clock, newDownloadId, onError } = parts;
  const unsettled = new Set<Promise<void>>();

  async function record(
    { reachesEnd, ...part }: SentPart,
    { isSent, bytesSent, lengthBytes }: { isSent: boolean; bytesSent: number; lengthBytes: number },
  ): Promise<void> {
    const at = clock();
    const unsentBytes = lengthBytes - bytesSent;
    const isSentCompletely = isSent && reachesEnd;
    try {
      const id = newDownloadId(at);
      await links.recordDownload({ id, at, ...part, bytesSent, isSentCompletely, unsentBytes });
    } catch (error) {
      onError(error);
    }
  }

  async function recordEnd(sending: Promise<void>, file: OpenFile, part: SentPart): Promise<void> {
    const isSent = await sending.then(
      () => true,
      () => false,
    );
    const lengthBytes = file.sizeBytes;
    await record(part, { isSent, bytesSent: isSent ? lengthBytes : file.sentBytes, lengthBytes });
  }

  return {
    recordUnsent: (part, lengthBytes) => record(part, { isSent: false, bytesSent: 0, lengthBytes }),
    observe: (file, part) => ({
      sizeBytes: file.sizeBytes,
      get sentBytes() {
        return file.sentBytes;
      },
      sendTo(out) {
        const sending = file.sendTo(out);
        const recorded = recordEnd(sending, file, part).finally(() => unsettled.delete(recorded));
        unsettled.add(recorded);
        return sending;
      },
      close: () => file.close(),
    }),
    async settled() {
      while (unsettled.size > 0) await Promise.all(unsettled);
    },
  };
}
