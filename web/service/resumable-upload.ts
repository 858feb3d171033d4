import type { DetailedError, FileSource, Upload as TusUpload } from 'tus-js-client';
import { createPartSize } from '../../client/part-size.ts';
import { credentialHeaders, loadKey, reportRefusal } from './api-key.ts';
import { type Outcome, type Refusal, toRefusal } from './outcome.ts';
import { type Progress, prepareMeasure, unmeasured } from './progress.ts';
import { request, requestJson, serviceUrl } from './requests.ts';
import type { UploadedFile } from './unfinished-uploads.ts';

/** The path below which the service takes uploads. */
export const UPLOADS_PATH = 'api/uploads';

/** The bytes of an upload: those of its files, one after the other. A stream is read once, and cannot go on in another tab. */
export type UploadContent = Blob | { sizeBytes: number; stream: ReadableStream<Uint8Array<ArrayBuffer>> };

export type UploadPlan = {
  /** The path below which uploads are created. */
  path: string;
  files: UploadedFile[];
  content: UploadContent;
  /** The most bytes of one request. */
  chunkBytes: number;
  /** The id of an upload of the same content that is not finished. */
  unfinishedId?: string | undefined;
  onProgress(progress: Progress): void;
  /** Takes the id of a new upload. */
  onCreated(id: string): void;
};

/** An upload that survives lost connections. Its outcome is the id of the finished upload. */
export type ResumableUpload = {
  outcome: Promise<Outcome<string>>;
  pause(): void;
  resume(): void;
  /** Ends the upload, and deletes what was sent. */
  cancel(): void;
};

/** A lost connection is tried again for about three hours. A success starts the list anew. */
export const RETRY_DELAYS_MS = [0, 1_000, 3_000, ...Array.from({ length: 2_160 }, () => 5_000)];
/** Statuses of errors that pass. 409: the offset has moved, so it is read again. 423: the former request has not ended yet. */
const PASSING_STATUSES = [0, 408, 409, 423, 429, 500, 502, 503, 504];
/** An upload that has ended, or is unknown. */
export const GONE_STATUSES = [404, 410];

/** The size that passed a proxy with a limit, for the next upload of this tab. */
let knownChunkBytes = Number.POSITIVE_INFINITY;

/** Uploads content by the protocol of tus, in chunks. */
export function uploadResumably(plan: UploadPlan): ResumableUpload {
  const total = sizeOf(plan.content);
  const { promise: outcome, resolve } = Promise.withResolvers<Outcome<string>>();
  let upload: TusUpload | undefined;
  let id = plan.unfinishedId;
  let isPaused = false;
  let isCancelled = false;
  let measure: ReturnType<typeof prepareMeasure> | undefined;
  let latest = unmeasured(0, total);

  const report = (progress: Progress): void => {
    latest = progress;
    if (!isCancelled) plan.onProgress(progress);
  };
  const onProgress = (sentBytes: number): void => {
    measure ??= prepareMeasure(performance.now(), sentBytes);
    report(measure(performance.now(), sentBytes, total));
  };
  const stop = (state: 'RETRYING' | 'PAUSED'): void => {
    measure = undefined;
    report({ ...unmeasured(latest.sentBytes, total), state });
  };
  const restart = (): void => {
    if (isPaused || latest.state === 'SENDING') return;
    void upload?.abort();
    upload?.start();
  };
  // A browser that is online again need not wait for the next try.
  addEventListener('online', restart);
  void outcome.finally(() => removeEventListener('online', restart));

  async function create(): Promise<void> {
    const created = await createUpload(plan);
    if (created.kind !== 'DONE') return resolve(isCancelled ? { kind: 'CANCELLED' } : created);
    id = created.value;
    if (isCancelled) return void (await deleteUpload(plan.path, id));
    plan.onCreated(id);
    await send(id);
  }
  async function send(id: string): Promise<void> {
    const { Upload } = await import('tus-js-client');
    const key = loadKey();
    const partSize = createPartSize(Math.min(plan.chunkBytes, knownChunkBytes));
    const uploading = new Upload(plan.content instanceof Blob ? plan.content : new Blob(), {
      uploadUrl: serviceUrl(uploadPath(plan.path, id)).href,
      uploadSize: total,
      chunkSize: partSize.bytes,
      headers: { accept: 'application/json', ...credentialHeaders(key) },
      retryDelays: RETRY_DELAYS_MS,
      storeFingerprintForResuming: false,
      ...(!(plan.content instanceof Blob) && { fileReader: readerOf(plan.content.stream) }),
      onProgress,
      onChunkComplete: (bytes) => {
        partSize.arrived(bytes);
        if (partSize.bytes < plan.chunkBytes) knownChunkBytes = partSize.bytes;
      },
      onSuccess: () => resolve({ kind: 'DONE', value: id }),
      onShouldRetry: (error) => {
        const isPassing = PASSING_STATUSES.includes(statusOf(error));
        if (!isPassing) return false;
        stop('RETRYING');
        shrink(error);
        return true;
      },
      onError: (error) => {
        if (shrink(error)) return uploading.start();
        const status = statusOf(error);
        if (id === plan.unfinishedId && GONE_STATUSES.includes(status)) return void create();
        if (status === 401) reportRefusal(key);
        resolve(status === 0 ? { kind: 'UNREACHABLE' } : refusalOf(error));
      },
    });
    /** Makes the parts smaller where a proxy did not let one pass. */
    const shrink = (error: Error | DetailedError): boolean => {
      const isPart = isDetailed(error) && error.originalRequest?.getMethod() === 'PATCH';
      const isSmaller = isPart && partSize.shrink(refusalOf(error).code, total);
      uploading.options.chunkSize = partSize.bytes;
      return isSmaller;
    };
    upload = uploading;
    if (!isPaused) upload.start();
  }
  const fail = (): void => resolve({ kind: 'UNREACHABLE' });
  (id === undefined ? create() : send(id)).catch(fail);

  return {
    outcome,
    pause: () => {
      isPaused = true;
      void upload?.abort();
      stop('PAUSED');
    },
    resume: () => {
      isPaused = false;
      report({ ...latest, state: 'SENDING' });
      upload?.start();
    },
    cancel: () => {
      isCancelled = true;
      // It tries again while the service still ends the request that is aborted. What remains is deleted when it expires.
      upload?.abort(true).catch(() => undefined);
      resolve({ kind: 'CANCELLED' });
    },
  };
}

async function createUpload({ path, files }: UploadPlan): Promise<Outcome<string>> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ files });
  const outcome = await requestJson<{ uploadId: string }>(path, { method: 'POST', headers, body });
  return outcome.kind === 'DONE' ? { kind: 'DONE', value: outcome.value.uploadId } : outcome;
}

const TUS = { 'tus-resumable': '1.0.0' };

function uploadPath(path: string, id: string): string {
  return `${path}/${encodeURIComponent(id)}`;
}

/** Returns how many bytes of an upload have arrived. */
export async function readOffset(path: string, id: string): Promise<Outcome<number>> {
  const outcome = await request(uploadPath(path, id), { method: 'HEAD', headers: TUS });
  return outcome.kind === 'DONE' ? { kind: 'DONE', value: Number(outcome.value.uploadOffset) } : outcome;
}

/** Deletes an upload, if the service can be reached. Returns true if it had ended already. */
export async function deleteUpload(path: string, id: string): Promise<boolean> {
  const outcome = await request(uploadPath(path, id), { method: 'DELETE', headers: TUS });
  return outcome.kind === 'REFUSED' && GONE_STATUSES.includes(outcome.status);
}

function sizeOf(content: UploadContent): number {
  return content instanceof Blob ? content.size : content.sizeBytes;
}

const isDetailed = (error: Error | DetailedError): error is DetailedError => 'originalResponse' in error;

/** Returns the status of the response, or 0 without one. */
function statusOf(error: Error | DetailedError): number {
  return (isDetailed(error) && error.originalResponse?.getStatus()) || 0;
}

function refusalOf(error: Error | DetailedError): Refusal {
  const response = isDetailed(error) ? error.originalResponse : null;
  return toRefusal(statusOf(error), response?.getBody() ?? '', (name) => response?.getHeader(name));
}

/**
 * Reads a stream in chunks: the next one while one is sent, which is held for a further try. The reader of the library
 * copies all that it holds at each piece.
 */
function readerOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const reader = stream.getReader();
  let start = 0;
  let held = new Blob();
  let ahead: Promise<Blob> | undefined;
  let isDone = false;
  async function read(bytes: number): Promise<Blob> {
    const pieces: BlobPart[] = [];
    for (let count = 0; count < bytes && !isDone; ) {
      const { value, done } = await reader.read();
      isDone = done;
      if (value) pieces.push(value);
      count += value?.byteLength ?? 0;
    }
    return new Blob(pieces);
  }
  const source: FileSource = {
    size: 0,
    async slice(from, to) {
      if (from < start) throw new Error(`The bytes from ${from} on are no longer held`);
      held = held.slice(from - start);
      start = from;
      while (held.size < to - from && (ahead || !isDone)) {
        const next = await (ahead ?? read(to - from - held.size));
        ahead = undefined;
        held = new Blob([held, next]);
      }
      if (!isDone) ahead ??= read(to - from);
      ahead?.catch(() => undefined); // the next call fails with it
      return { value: held.slice(0, to - from), done: isDone && !ahead && held.size <= to - from };
    },
    close: () => void reader.cancel(),
  };
  return { openFile: async () => source };
}
