import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { openHandles, residentMemory } from '../../test/support/process-figures.ts';
import type { LoadFigures } from './mixed-load.ts';
import type { ThreadReport } from './report-memory.ts';

/** The figures of the service at one moment; those of the load are of the time since the sample before. */
export type Sample = {
  residentBytes: number;
  /** Of the thread that serves requests. */
  heapUsedBytes: number;
  heapTotalBytes: number;
  /** Outside of the heap: of all objects, and of buffers among them. */
  externalBytes: number;
  arrayBuffersBytes: number;
  /** The heaps of all other threads together. */
  otherHeapsBytes: number;
  /** Without the connections of the load. */
  descriptors: number;
  connections: number;
  threads: number;
  longestDelayMs: number;
  walBytes: number;
  p99Ms: number;
  actions: number;
  /** Actions that were left out because too many others had no response yet. */
  skipped: number;
  /** Requests that were sent again, because the service closed an idle connection. */
  resent: number;
  errors: number;
};

/** The process and the files that have the figures of a service. */
export type SampledService = { pid: number; reportPath: string; databasePath: string };

/** Takes a sample of a process on Linux, whose threads report to a file. */
export function takeSample(
  { pid, reportPath, databasePath }: SampledService,
  load: LoadFigures & { connections: number; resent: number },
): Sample {
  const reports = readReports(reportPath);
  const { heapUsedBytes, heapTotalBytes, externalBytes, arrayBuffersBytes, longestDelayMs } =
    reports.get(0) ?? NO_REPORT;
  const others = [...reports.values()].filter(({ thread }) => thread !== 0);
  return {
    residentBytes: residentMemory(pid).nowBytes,
    heapUsedBytes,
    heapTotalBytes,
    externalBytes,
    arrayBuffersBytes,
    otherHeapsBytes: others.reduce((sum, report) => sum + report.heapTotalBytes, 0),
    descriptors: openHandles(pid) - load.connections,
    connections: load.connections,
    threads: readdirSync(`/proc/${pid}/task`).length,
    longestDelayMs,
    walBytes: sizeOf(`${databasePath}-wal`),
    p99Ms: load.p99Ms,
    actions: load.actions,
    skipped: load.skipped,
    resent: load.resent,
    errors: load.errors.length,
  };
}

const NO_REPORT = {
  heapUsedBytes: Number.NaN,
  heapTotalBytes: Number.NaN,
  externalBytes: Number.NaN,
  arrayBuffersBytes: Number.NaN,
  longestDelayMs: Number.NaN,
};

/** Returns the last report of each thread. */
function readReports(path: string): Map<number, ThreadReport> {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
  const reports: ThreadReport[] = lines.map((line) => JSON.parse(line));
  return new Map(reports.map((report) => [report.thread, report]));
}

function sizeOf(path: string): number {
  return existsSync(path) ? statSync(path).size : 0;
}
