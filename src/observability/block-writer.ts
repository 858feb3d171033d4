import { writeSync } from 'node:fs';

/** A block is passed on when it has grown to this, or when its first line is this old. */
const BLOCK_CHARACTERS = 64 * 1024;
const BLOCK_AGE_MS = 50;
const RETRY_MS = 5;

/** Gathers lines into blocks of whole lines, in their order. */
export type BlockWriter = {
  write(line: string): void;
  /** Passes on every line so far. */
  flush(): void;
};

/**
 * Passes lines on to `emit` in blocks: one system call, or one message to another thread, for hundreds of
 * lines, and no bookkeeping per line.
 */
export function createBlockWriter(emit: (block: string) => void): BlockWriter {
  let gathering = '';
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (gathering === '') return;
    const block = gathering;
    gathering = '';
    emit(block);
  }

  return {
    write(line) {
      gathering += line;
      if (gathering.length > BLOCK_CHARACTERS) flush();
      else timer ??= setTimeout(flush, BLOCK_AGE_MS);
    },
    flush,
  };
}

/**
 * Writes a block to a file descriptor. A reader that falls behind is waited for. Where nothing can be written
 * at all (the reader is gone, the disk is full) the block is lost: the service is worth more than its log.
 */
export function writeBlock(fd: number, block: string): void {
  let rest = Buffer.from(block);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      if (!isTryAgain(error)) return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
}

function isTryAgain(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}
