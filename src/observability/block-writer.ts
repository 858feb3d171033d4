import { writeSync } from 'node:fs';
import { codeOf } from '../error-details.ts';

/** A block is emitted when it reaches this size, or when its first line reaches this age. */
const BLOCK_CHARACTERS = 64 * 1024;
const BLOCK_AGE_MS = 50;
const RETRY_MS = 5;

/**
 * Passes lines to `emit` in blocks of whole lines, in order: one system call, or one message to another thread, for hundreds of lines,
 * and no other work per line.
 */
export function createBlockWriter(emit: (block: string) => void) {
  let pending = '';
  let timer: NodeJS.Timeout | undefined;

  /** Emits every line so far. */
  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (pending === '') return;
    const block = pending;
    pending = '';
    emit(block);
  }

  return {
    write(line: string): void {
      pending += line;
      if (pending.length > BLOCK_CHARACTERS) flush();
      else timer ??= setTimeout(flush, BLOCK_AGE_MS);
    },
    flush,
  };
}

/**
 * Writes a block to a file descriptor, and waits for a reader that falls behind. When nothing can be written
 * at all (the reader is gone, the disk is full), the block is lost: the service must not stop for its log.
 */
export function writeBlock(fd: number, block: string): void {
  let rest = Buffer.from(block);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
}
