import process from 'node:process';
import { isMainThread, type Worker } from 'node:worker_threads';

// Loaded into a service before it starts (`--import`): lets a test end one of its threads from outside, as a
// bug in a library or a lack of memory would.

const threads: Worker[] = [];

if (isMainThread) {
  process.on('worker', (worker) => threads.push(worker));
  process.on('SIGUSR2', () => void threads[0]?.terminate());
  process.on('SIGHUP', () => void threads[1]?.terminate());
}
