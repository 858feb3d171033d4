import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { codeOf } from '../common/error-details.ts';

/** A block is written when it reaches this size, or when its first line reaches this age. */
const BLOCK_CHARACTERS = 64 * 1024;
const BLOCK_AGE_MS = 50;

/** The time after which the rest of a block is tried again. A pipe holds 64 KiB, so a reader gets up to 13 MB/s. */
const RETRY_MS = 5;

/** Room for ten thousand attempts, whose lines wait for a reader that has fallen behind. */
const MAX_UNWRITTEN_BYTES = 4 * 1024 ** 2;

/** The end of the process waits this long for a reader. */
const FLUSH_MS = 500;

const LINE_FEED = 0x0a;

/**
 * Writes bytes and never waits. Returns how many were taken, 0 while the reader is behind. Throws when nothing can be
 * written at all: the reader is gone, or the disk is full.
 */
export type TryWrite = (bytes: Uint8Array) => number;

/** The bounds of a writer. Tests choose smaller ones. */
type Bounds = { maxUnwrittenBytes: number; flushMs: number };

/**
 * Creates a writer of lines, in blocks of whole lines and in their order: one system call for hundreds of lines, and no
 * other work per line.
 *
 * It never waits for the reader, except to flush. Blocks that the reader has not taken are kept up to a bound. Beyond
 * it, lines are dropped and counted until half of the blocks are taken.
 *
 * @param describeDropped returns the line that takes the place of dropped lines
 */
export function createBlockWriter(
  tryWrite: TryWrite,
  describeDropped: (lines: number) => string,
  { maxUnwrittenBytes, flushMs }: Bounds = { maxUnwrittenBytes: MAX_UNWRITTEN_BYTES, flushMs: FLUSH_MS },
) {
  const blocks = createBlockQueue(tryWrite);
  let pending = '';
  let timer: NodeJS.Timeout | undefined;
  let isDropping = false;
  let droppedLines = 0;
  let reportedLines = 0;

  const allDroppedLines = (): number => droppedLines + blocks.lostLines();

  function reportDropped(): void {
    const lines = allDroppedLines() - reportedLines;
    if (lines === 0) return;
    pending += describeDropped(lines);
    reportedLines += lines;
  }

  function writeAll(): void {
    blocks.add(pending);
    pending = '';
    blocks.write();
  }

  function advance(): void {
    clearTimeout(timer);
    timer = undefined;
    writeAll();
    if (blocks.bytes() > maxUnwrittenBytes) isDropping = true;
    else if (blocks.bytes() <= maxUnwrittenBytes / 2) {
      isDropping = false;
      if (blocks.areTaken()) reportDropped();
    }
    if (blocks.bytes() > 0) timer = setTimeout(advance, RETRY_MS).unref();
    else if (pending !== '') timer = setTimeout(advance, BLOCK_AGE_MS);
  }

  return {
    write(line: string): void {
      if (isDropping) {
        droppedLines += 1;
        return;
      }
      pending += line;
      if (pending.length > BLOCK_CHARACTERS) advance();
      else timer ??= setTimeout(advance, BLOCK_AGE_MS);
    },
    /** Writes every line so far. Gives up when the reader takes too long. */
    flush(): void {
      const giveUpAt = performance.now() + flushMs;
      reportDropped();
      for (writeAll(); blocks.bytes() > 0 && performance.now() < giveUpAt; blocks.write()) sleep(RETRY_MS);
    },
    /** Returns how many lines were dropped so far. */
    droppedLines: allDroppedLines,
  };
}

/** Creates a queue of the blocks that a reader has not taken. */
function createBlockQueue(tryWrite: TryWrite) {
  const unwritten: Buffer[] = [];
  let bytes = 0;
  let lostLines = 0;
  let areTaken = true;
  let lastByte = LINE_FEED;

  /** Writes as `tryWrite` does. What follows a loss begins on a line of its own. */
  function take(block: Uint8Array): number {
    const isLineBroken = !areTaken && lastByte !== LINE_FEED;
    if (isLineBroken && tryWrite(Uint8Array.of(LINE_FEED)) === 0) return 0;
    if (isLineBroken) lastByte = LINE_FEED;
    const written = tryWrite(block);
    lastByte = block[written - 1] ?? lastByte;
    areTaken = true;
    return written;
  }

  /** Returns how many bytes of a block need not be written again. */
  function write(block: Buffer): number {
    try {
      return take(block);
    } catch {
      areTaken = false;
      lostLines += countLines(block); // the service must not stop for its log
      return block.length;
    }
  }

  return {
    add(lines: string): void {
      if (lines === '') return;
      const block = Buffer.from(lines);
      unwritten.push(block);
      bytes += block.length;
    },
    /** Writes what the reader takes now. */
    write(): void {
      for (let [block] = unwritten; block; [block] = unwritten) {
        const written = write(block);
        bytes -= written;
        if (written < block.length) {
          unwritten[0] = block.subarray(written);
          return;
        }
        unwritten.shift();
      }
    },
    bytes: (): number => bytes,
    /** Returns how many lines could not be written at all. */
    lostLines: (): number => lostLines,
    /** Returns false when the last block could not be written at all. */
    areTaken: (): boolean => areTaken,
  };
}

function countLines(block: Uint8Array): number {
  return block.reduce((lines, byte) => (byte === LINE_FEED ? lines + 1 : lines), 0);
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

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

/** Returns whether writing waits for another process, as it never does for a file. */
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
