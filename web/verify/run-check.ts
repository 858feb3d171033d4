import { prepareWorkers } from '../service/prepare-workers.ts';
import type { CheckedFiles, ChosenFiles, Compare } from './check-files.ts';
import type { CheckMessage, StartCheck, ToReader, ToRunner } from './check-worker.ts';
import workerUrl from './check-worker.ts?worker&url';

/** The chain is checked one entry after another, so more would wait for it. */
const MAX_READERS = 6;

const createWorker = prepareWorkers(workerUrl);
// Now, so that the page works without a connection from then on.
const runner = startWorkers(Math.min(MAX_READERS, navigator.hardwareConcurrency || 1));

function startWorkers(readers: number): Worker {
  const ports = Array.from({ length: readers }, () => {
    const { port1, port2 } = new MessageChannel();
    createWorker().postMessage({ port: port1 } satisfies ToReader, [port1]);
    return port2;
  });
  const worker = createWorker();
  worker.postMessage({ readers: ports } satisfies ToRunner, ports);
  return worker;
}

/**
 * Checks an exported history in worker threads, one check at a time. Fails if a file cannot be read.
 *
 * @param onProgress gets the part that is done, from 0 to 1
 */
export function runCheck(
  files: ChosenFiles,
  compare: Compare,
  onProgress: (done: number) => void,
): Promise<CheckedFiles> {
  return new Promise((resolve, reject) => {
    runner.onmessage = ({ data }: MessageEvent<CheckMessage>) => {
      if ('done' in data) onProgress(data.done);
      else if ('check' in data) resolve(data.check);
      else reject(new Error('The check failed.'));
    };
    runner.onerror = ({ message }) => reject(new Error(message || 'The worker failed.'));
    runner.postMessage({ files, compare } satisfies StartCheck);
  });
}
