import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { connectTo, type Operations } from './calls.ts';

/** Called once when a thread ends although nothing ended it. */
export type OnThreadDeath = (error: Error) => void;

/**
 * Starts the thread of `script` and waits until it serves. When a thread dies later, its pending calls are rejected
 * and it is not replaced: `onDeath` ends the process, and its supervisor starts a clean one.
 *
 * @throws what the thread threw before it served, for example that the schema is newer than the program
 */
export async function startThread<Ops extends Operations<Ops>>(
  script: URL,
  options: { workerData: unknown; onDeath: OnThreadDeath },
) {
  const { workerData, onDeath } = options;
  const worker = new Worker(script, { workerData, env: threadEnvironment() });
  const caller = connectTo<Ops>(worker);
  let isEnding = false;
  let isServing = false;
  let cause: unknown;

  worker.on('error', (error) => {
    cause = error;
  });
  worker.on('exit', () => {
    const error =
      cause instanceof Error ? cause : new Error(`The thread of ${script.pathname} ended`, { cause });
    caller.abandon(error);
    if (isServing && !isEnding) onDeath(error);
  });
  const remote = await caller.remote;
  isServing = true;
  return {
    ...remote,
    /** Ends the thread at once. The caller waits for pending calls first. */
    async end(): Promise<void> {
      isEnding = true;
      await worker.terminate();
    },
  };
}

/** Returns the only variable that a thread needs: the directory of the compile cache. */
function threadEnvironment(): Record<string, string> {
  const cache = getCompileCacheDir();
  return cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) };
}
