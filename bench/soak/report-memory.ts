import { appendFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { isMainThread, threadId } from 'node:worker_threads';

// Preloaded into the service with --import, also in its threads, which cannot be measured from outside. Its URL names
// the file to which each thread appends its figures as lines of JSON.

/** The memory of one thread of the service, and how long its event loop was late since the last report. */
export type ThreadReport = {
  /** 0 is the thread that serves requests. */
  thread: number;
  heapUsedBytes: number;
  heapTotalBytes: number;
  /** Memory outside of the heap that objects keep, such as buffers. */
  externalBytes: number;
  arrayBuffersBytes: number;
  /** The memory that V8 allocates outside of the heap for itself. */
  mallocedBytes: number;
  longestDelayMs: number;
};

export const REPORT_INTERVAL_MS = 10_000;
const RESOLUTION_MS = 20;

const path = new URL(import.meta.url).searchParams.get('to');
if (path !== null) reportTo(path);

function reportTo(path: string): void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  if (isMainThread) delay.enable();
  const timer = setInterval(() => {
    const { heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage();
    const report: ThreadReport = {
      thread: threadId,
      heapUsedBytes: heapUsed,
      heapTotalBytes: heapTotal,
      externalBytes: external,
      arrayBuffersBytes: arrayBuffers,
      mallocedBytes: getHeapStatistics().malloced_memory,
      longestDelayMs: isMainThread ? delay.max / 1e6 : 0,
    };
    delay.reset();
    appendFileSync(path, `${JSON.stringify(report)}\n`);
  }, REPORT_INTERVAL_MS);
  timer.unref();
}
