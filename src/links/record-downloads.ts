import type { Attempt } from './attempt.ts';
import type { EpochMs } from './link.ts';
import type { LinkStore, OpenFile } from './ports.ts';

/** The files of granted attempts. Each records how its download ended. */
export type DownloadRecorder = {
  /** Returns the file of a granted attempt, which records its end once it was sent, or could not be sent. */
  observe(file: OpenFile, attempt: Pick<Attempt, 'id' | 'shortCode'>): OpenFile;
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

  async function recordEnd(
    sending: Promise<void>,
    file: OpenFile,
    attempt: Pick<Attempt, 'id' | 'shortCode'>,
  ): Promise<void> {
    const isSentCompletely = await sending.then(
      () => true,
      () => false,
    );
    const at = clock();
    const { id: attemptId, shortCode } = attempt;
    const bytesSent = isSentCompletely ? file.sizeBytes : file.sentBytes;
    try {
      await links.recordDownload({
        id: newDownloadId(at),
        at,
        shortCode,
        attemptId,
        bytesSent,
        isSentCompletely,
      });
    } catch (error) {
      onError(error);
    }
  }

  return {
    observe: (file, attempt) => ({
      sizeBytes: file.sizeBytes,
      get sentBytes() {
        return file.sentBytes;
      },
      sendTo(out) {
        const sending = file.sendTo(out);
        const recorded = recordEnd(sending, file, attempt).finally(() => unsettled.delete(recorded));
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
