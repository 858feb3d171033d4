import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Calls, callsTo, type Operations } from './calls.ts';

/** Told once, when a thread ends that nobody asked to end. */
export type OnThreadDeath = (error: Error) => void;

/** A thread of this process that serves calls. */
export type Thread<Ops extends Operations> = Calls<Ops> & {
  /** Ends the thread. What should be answered before is for the caller to wait for. */
  end(): Promise<void>;
};

/** Threads allocate little that lives long: small young generations keep the whole within its memory. */
const YOUNG_GENERATION_MB = 24;

/**
 * Starts the thread of `script` and waits until it serves. A thread that dies later takes what it had not
 * answered with it and is not replaced: `onDeath` ends the process, and whoever runs it starts a clean one.
 *
 * @throws what the thread threw before it served, for example that the schema is newer than the program
 */
export async function startThread<Ops extends Operations & { ready: (_: null) => void }>(
  script: URL,
  options: { workerData: unknown; onDeath: OnThreadDeath },
): Promise<Thread<Ops>> {
  const { workerData, onDeath } = options;
  const worker = new Worker(script, {
    workerData,
    env: threadEnvironment(),
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
  const calls = callsTo<Ops>(worker);
  let isEnding = false;
  let isServing = false;
  let cause: unknown;

  worker.on('error', (error) => {
    cause = error;
  });
  worker.on('exit', () => {
    const error =
      cause instanceof Error ? cause : new Error(`The thread of ${script.pathname} ended`, { cause });
    calls.abandon(error);
    if (isServing && !isEnding) onDeath(error);
  });
  const ready: Calls<{ ready: (_: null) => void }> = calls;
  await ready.call('ready', null);
  isServing = true;
  return {
    ...calls,
    async end() {
      isEnding = true;
      await worker.terminate();
    },
  };
}

/** A thread needs nothing of the environment but where the code that is compiled already lies. */
function threadEnvironment(): Record<string, string> {
  const cache = getCompileCacheDir();
  return cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) };
}
