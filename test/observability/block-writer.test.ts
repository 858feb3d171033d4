import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createBlockWriter } from '../../src/observability/block-writer.ts';
import { until } from '../support/http-client.ts';

/** A reader of the writer's bytes, which takes at most `room` of them until a test gives it more. */
function openReader(room = Number.POSITIVE_INFINITY) {
  const reader = { room, isGone: false, received: '' };
  const tryWrite = (bytes: Uint8Array): number => {
    if (reader.isGone) throw new Error('EPIPE');
    const taken = bytes.subarray(0, Math.min(bytes.length, reader.room));
    reader.room -= taken.length;
    reader.received += Buffer.from(taken).toString('latin1');
    return taken.length;
  };
  return Object.assign(reader, { tryWrite });
}

const describeDropped = (lines: number): string => `dropped ${lines}\n`;
const BOUNDS = { maxUnwrittenBytes: 200_000, flushMs: 30 };
/** Together as large as the size at which a block is written. */
const LINE = `${'x'.repeat(999)}\n`;
const LINES_PER_BLOCK = 66;

const linesOf = ({ received }: { received: string }): string[] => received.split('\n').slice(0, -1);

describe('the writer of log lines', () => {
  test('the writer passes all lines in their order to a reader that is only slow', async () => {
    const reader = openReader(0);
    const { write, droppedLines } = createBlockWriter(reader.tryWrite, describeDropped);
    const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index}`);
    for (const line of lines) write(`${line}\n`);
    await until(() => {
      reader.room = 7_777;
      return linesOf(reader).length === lines.length;
    });
    assert.deepEqual(linesOf(reader), lines);
    assert.equal(droppedLines(), 0);
  });

  test('the writer drops lines beyond its bound, counts them, and reports them once in their place', async () => {
    const reader = openReader(0);
    const { write, droppedLines } = createBlockWriter(reader.tryWrite, describeDropped, BOUNDS);
    for (let line = 0; line < 1_000; line++) write(LINE);
    const kept = 4 * LINES_PER_BLOCK; // the first whole block beyond the bound is the last
    assert.equal(droppedLines(), 1_000 - kept);
    reader.room = Number.POSITIVE_INFINITY;
    await until(() => linesOf(reader).length === kept + 1);
    write('after\n');
    await until(() => reader.received.endsWith('after\n'));
    assert.deepEqual(linesOf(reader).slice(kept), [`dropped ${1_000 - kept}`, 'after']);
    assert.equal(droppedLines(), 1_000 - kept);
  });

  test('the writer takes lines again only when the reader has taken half of the blocks', async () => {
    const reader = openReader(0);
    const { write, droppedLines } = createBlockWriter(reader.tryWrite, describeDropped, BOUNDS);
    for (let line = 0; line < 1_000; line++) write(LINE);
    const before = droppedLines();
    reader.room = LINE.length;
    await until(() => reader.room === 0);
    write(LINE);
    assert.equal(droppedLines(), before + 1);
    reader.room = 3 * LINES_PER_BLOCK * LINE.length;
    await until(() => reader.received.length >= 3 * LINES_PER_BLOCK * LINE.length);
    write(LINE);
    assert.equal(droppedLines(), before + 1);
  });

  test('the writer counts the lines that cannot be written, and reports them when the next ones are', async () => {
    const reader = openReader();
    const { write, flush, droppedLines } = createBlockWriter(reader.tryWrite, describeDropped, BOUNDS);
    reader.isGone = true;
    for (let line = 0; line < 3; line++) write('lost\n');
    await until(() => droppedLines() === 3);
    reader.isGone = false;
    write('next\n');
    await until(() => linesOf(reader).length === 2);
    flush();
    assert.equal(reader.received, 'next\ndropped 3\n');
    assert.equal(droppedLines(), 3);
  });

  test('the writer ends a line of which only the beginning could be written, and counts it', async () => {
    const reader = openReader(8);
    const { write, flush, droppedLines } = createBlockWriter(reader.tryWrite, describeDropped, BOUNDS);
    for (const line of ['first\n', 'second\n', 'third\n']) write(line);
    await until(() => reader.received === 'first\nse');
    reader.isGone = true; // as on a disk that is full
    await until(() => droppedLines() === 2);
    reader.isGone = false;
    reader.room = 0;
    write('next\n');
    flush();
    reader.room = Number.POSITIVE_INFINITY;
    write('last\n');
    flush();
    assert.deepEqual(linesOf(reader), ['first', 'se', 'next', 'dropped 2', 'last']);
    assert.equal(droppedLines(), 2);
  });

  test('the writer flushes to a reader, and gives up when it takes nothing', () => {
    const reader = openReader();
    const { write, flush } = createBlockWriter(reader.tryWrite, describeDropped, BOUNDS);
    write('first\n');
    flush();
    assert.equal(reader.received, 'first\n');
    reader.room = 3;
    write('second\n');
    const startedAt = performance.now();
    flush();
    assert.equal(reader.received, 'first\nsec');
    assert.ok(performance.now() - startedAt >= BOUNDS.flushMs);
  });
});
