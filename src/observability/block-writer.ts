import { writeSync } from 'node:fs';

/** A block is written when it has grown to this, or when its first line is this old. */
const BLOCK_CHARACTERS = 64 * 1024;
const BLOCK_AGE_MS = 50;
const RETRY_MS = 5;

export type BlockWriter = {
  write(line: string): void;
  /** Returns when every line so far is out. */
  flush(): void;
};

/**
 * Writes lines to a file descriptor in blocks of whole lines, in their order: one system call for hundreds of
 * lines, and no bookkeeping per line. A reader that falls behind is waited for. Where lines cannot be written
 * at all (the reader is gone, the disk is full) they are lost: the service is worth more than its log.
 */
export function createBlockWriter(fd: number): BlockWriter {
  let gathering = '';
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    let rest = Buffer.from(gathering);
    gathering = '';
    while (rest.length > 0) {
      try {
        rest = rest.subarray(writeSync(fd, rest));
      } catch (error) {
        if (!isTryAgain(error)) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
      }
    }
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

function isTryAgain(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}
