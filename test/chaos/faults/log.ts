import process from 'node:process';
import { eventually } from '../../drive/arena.ts';
import type { Arena } from '../arena.ts';

const STOPS_WITHIN_MS = 10_000;
/** A service that waits for the reader gives none. */
const MIN_RESPONSES = 10;
const RESPONDS_WITHIN_MS = 5_000;

/** Stops reading the log, lets the clients go on, and stops the service before the log is read again. */
export async function logReaderStalled(arena: Arena): Promise<void> {
  const { clients } = arena;
  const stalled = arena.process();
  const goOn = stalled.pauseOutput();
  // The pipe and the buffers of both sides take the first lines.
  await arena.hold();
  const { length } = clients.history.entries;
  const responses = () =>
    clients.history.entries.slice(length).filter(({ outcome }) => outcome !== undefined).length;
  const respondsWithinMs = RESPONDS_WITHIN_MS * arena.patience;
  if (!(await eventually(async () => responses() >= MIN_RESPONSES, respondsWithinMs)))
    arena.report(`Only ${responses()} requests got a response while nothing read the log`);
  const stopped = arena.stop();
  const hasStopped = await eventually(async () => !isRunning(stalled.pid), STOPS_WITHIN_MS);
  if (!hasStopped) arena.report('The service did not stop within 10 s while nothing read the log');
  goOn();
  await stopped;
  await arena.start();
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
