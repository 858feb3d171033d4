import { realpathSync } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { LogSize } from '../../links/ports.ts';
import type { Problem } from '../../links/problem.ts';
import type { CheckpointStatus } from './checkpoint-thread.ts';

/**
 * A log of this length is a problem. Without a long reader it has 64 MiB; the longest statistic over a hundred million
 * records lets it grow to half of this under full load.
 */
const GROWING_LOG_BYTES = 1024 * 1024 * 1024;
/** A checkpoint of a long log keeps its thread busy for longer. Then its last status is reported. */
const STATUS_TIMEOUT_MS = 500;

/** Watches the length of a write-ahead log, and whether its checkpoints work. */
export function watchLog(options: {
  path: string;
  growingLogBytes?: number | undefined;
  readStatus: () => Promise<CheckpointStatus>;
}) {
  const { path, growingLogBytes = GROWING_LOG_BYTES, readStatus } = options;
  const logPath = `${realpathSync(path)}-wal`; // SQLite follows links
  let last: CheckpointStatus = { failedCheckpoints: 0, checkpointError: null };

  async function refresh(): Promise<CheckpointStatus> {
    const reading = readStatus().then((status) => {
      last = status;
    });
    await Promise.race([reading, setTimeout(STATUS_TIMEOUT_MS, undefined, { ref: false })]);
    return last;
  }

  return {
    async measure(): Promise<LogSize> {
      const [bytes, { failedCheckpoints }, freeBytes] = await Promise.all([
        readBytes(logPath),
        refresh(),
        readFreeBytes(dirname(logPath)),
      ]);
      return { bytes, failedCheckpoints, freeBytes };
    },
    async findProblems(): Promise<Problem[]> {
      const [bytes, { checkpointError }] = await Promise.all([readBytes(logPath), refresh()]);
      return [
        ...(bytes > growingLogBytes ? (['database_log_growing'] as const) : []),
        ...(checkpointError === null ? [] : (['database_checkpoint_failing'] as const)),
      ];
    },
    explainProblem: (problem: Problem): string | undefined =>
      problem === 'database_checkpoint_failing' ? (last.checkpointError ?? undefined) : undefined,
  };
}

/** Returns the size of the log. A log that cannot be examined is a problem of the file, which the writer watches. */
async function readBytes(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

async function readFreeBytes(directory: string): Promise<number | null> {
  return statfs(directory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => null,
  );
}
