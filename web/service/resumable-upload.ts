import type { DetailedError, FileSource, Upload as TusUpload } from 'tus-js-client';
import { createPartSize } from '../../client/part-size.ts';
import { credentialHeaders, loadKey, reportRefusal } from './api-key.ts';
import { type Outcome, type Refusal, toRefusal } from './outcome.ts';
import { type Progress, prepareMeasure, unmeasured } from './progress.ts';
import { request, serviceUrl, toDocument, withJson } from './requests.ts';
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

/** The size that passed a proxy with a limit, for the next upload of this page. */
let knownChunkBytes = Number.POSITIVE_INFINITY;

/** The state of an upload. */
type Course = {
  plan: UploadPlan;
  progress: ReturnType<typeof followProgress>;
  /** The sender of the upload that was created, or is unfinished. */
  sender?: TusUpload;
  isPaused: boolean;
  isCancelled: boolean;
  finish(outcome: Outcome<string>): void;
};

/** Uploads content by the protocol of tus, in chunks. */
export function uploadResumably(plan: UploadPlan): ResumableUpload {
  const { promise: outcome, resolve: finish } = Promise.withResolvers<Outcome<string>>();
  const course: Course = {
    plan,
    progress: followProgress(plan),
    isPaused: false,
    isCancelled: false,
    finish,
  };
  const restart = (): void => {
    if (course.isPaused || course.progress.state === 'SENDING') return;
    void course.sender?.abort();
    course.sender?.start();
  };
  // A browser that is online again need not wait for the next try.
  addEventListener('online', restart);
  void outcome.finally(() => removeEventListener('online', restart));
  const { unfinishedId } = plan;
  const isOver = unfinishedId === undefined ? create(course) : send(course, unfinishedId);
  isOver.catch(() => finish({ kind: 'UNREACHABLE' }));
  return { outcome, ...controlsOf(course) };
}

function controlsOf(course: Course): Omit<ResumableUpload, 'outcome'> {
  return {
    pause: () => {
      course.isPaused = true;
      void course.sender?.abort();
      course.progress.stop('PAUSED');
    },
    resume: () => {
      course.isPaused = false;
      course.progress.goOn();
      course.sender?.start();
    },
    cancel: () => {
      course.isCancelled = true;
      course.progress.silence();
      // It tries again while the service still ends the request that is aborted. What remains is deleted when it expires.
      course.sender?.abort(true).catch(() => undefined);
      course.finish({ kind: 'CANCELLED' });
    },
  };
}

/** Reports the progress of an upload, until it is cancelled. */
function followProgress({ content, onProgress }: UploadPlan) {
  const total = sizeOf(content);
  let measure: ReturnType<typeof prepareMeasure> | undefined;
  let latest = unmeasured(0, total);
  let isSilent = false;
  const report = (progress: Progress): void => {
    latest = progress;
    if (!isSilent) onProgress(progress);
  };
  return {
    total,
    get state() {
      return latest.state;
    },
    sent(sentBytes: number): void {
      measure ??= prepareMeasure(performance.now(), sentBytes);
      report(measure(performance.now(), sentBytes, total));
    },
    stop(state: 'RETRYING' | 'PAUSED'): void {
      measure = undefined;
      report({ ...unmeasured(latest.sentBytes, total), state });
    },
    goOn: () => report({ ...latest, state: 'SENDING' }),
    silence(): void {
      isSilent = true;
    },
  };
}

async function create(course: Course): Promise<void> {
  const { plan, finish } = course;
  const created = await createUpload(plan);
  if (created.kind !== 'DONE') return finish(course.isCancelled ? { kind: 'CANCELLED' } : created);
  if (course.isCancelled) return void (await deleteUpload(plan.path, created.value));
  plan.onCreated(created.value);
  await send(course, created.value);
}

/** Sends what the service does not have yet, in parts that become smaller where a proxy lets none pass. */
async function send(course: Course, id: string): Promise<void> {
  const { Upload } = await import('tus-js-client');
  const { plan, progress, finish } = course;
  const key = loadKey();
  const parts = partsOf(plan, progress.total);
  const sender = new Upload(plan.content instanceof Blob ? plan.content : new Blob(), {
    uploadUrl: serviceUrl(uploadPath(plan.path, id)).href,
    uploadSize: progress.total,
    chunkSize: parts.bytes,
    headers: { accept: 'application/json', ...credentialHeaders(key) },
    retryDelays: RETRY_DELAYS_MS,
    storeFingerprintForResuming: false,
    ...(!(plan.content instanceof Blob) && { fileReader: readerOf(plan.content.stream) }),
    onProgress: progress.sent,
    onChunkComplete: parts.arrived,
    onSuccess: () => finish({ kind: 'DONE', value: id }),
    onShouldRetry: (error) => {
      if (!PASSING_STATUSES.includes(statusOf(error))) return false;
      progress.stop('RETRYING');
      parts.shrink(error, sender);
      return true;
    },
    onError: (error) => {
      if (parts.shrink(error, sender)) return sender.start();
      const status = statusOf(error);
      if (id === plan.unfinishedId && GONE_STATUSES.includes(status)) return void create(course);
      if (status === 401) reportRefusal(key);
      finish(status === 0 ? { kind: 'UNREACHABLE' } : refusalOf(error));
    },
  });
  course.sender = sender;
  if (!course.isPaused) sender.start();
}

/** Returns the size of the parts of an upload. The next upload begins with what passed. */
function partsOf({ chunkBytes }: UploadPlan, total: number) {
  const size = createPartSize(Math.min(chunkBytes, knownChunkBytes));
  return {
    bytes: size.bytes,
    arrived(bytes: number): void {
      size.arrived(bytes);
      if (size.bytes < chunkBytes) knownChunkBytes = size.bytes;
    },
    /** Makes the parts smaller where a proxy did not let one pass. Returns whether it did. */
    shrink(error: Error | DetailedError, sender: TusUpload): boolean {
      const isPart = isDetailed(error) && error.originalRequest?.getMethod() === 'PATCH';
      const isSmaller = isPart && size.shrink(refusalOf(error).code, total);
      sender.options.chunkSize = size.bytes;
      return isSmaller;
    },
  };
}

async function createUpload({ path, files }: UploadPlan): Promise<Outcome<string>> {
  const outcome = await request(path, withJson('POST', { files }));
  if (outcome.kind !== 'DONE') return outcome;
  const created = toDocument<{ uploadId: string }>(outcome.value.body);
  return created.kind === 'DONE' ? { kind: 'DONE', value: created.value.uploadId } : created;
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
