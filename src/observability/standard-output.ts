import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { codeOf } from '../error-details.ts';
import type { TryWrite } from './block-writer.ts';

const STANDARD_OUTPUT = 1;

/** Returns a function that writes to standard output and never waits for its reader. */
export function openStandardOutput(): TryWrite {
  const fd = hasReader(STANDARD_OUTPUT) ? openWithoutWaiting() : STANDARD_OUTPUT;
  return (bytes) => {
    try {
      return writeSync(fd, bytes);
    } catch (error) {
      if (codeOf(error) === 'EAGAIN') return 0;
      throw error;
    }
  };
}

/** A write to a file waits for no other process. */
function hasReader(fd: number): boolean {
  const facts = fstatSync(fd);
  return facts.isFIFO() || facts.isSocket() || isatty(fd);
}

/**
 * Opens a pipe or terminal again, because all processes that share an opened one share whether its writes wait.
 */
function openWithoutWaiting(): number {
  try {
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
    return openSync(`/proc/self/fd/${STANDARD_OUTPUT}`, O_WRONLY | O_NONBLOCK | O_NOCTTY);
  } catch {
    // A socket, the pipe of another user, or a system without /proc: Node makes those that are no terminal
    // non-blocking when this stream is created.
    void process.stdout;
    return STANDARD_OUTPUT;
  }
}
