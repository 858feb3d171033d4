import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createProgressBar } from '../../src/commands/progress-bar.ts';
import type { Part } from '../../src/move/progress.ts';

const RECORDS: Part = { step: 'copy', what: 'audit', unit: 'rows', done: 0, of: 1_000_000 };

/** What stands on a screen after each of these steps, which are seconds and rows. */
function watched(part: Part, isTerminal: boolean, steps: readonly [seconds: number, done: number][]): string {
  let written = '';
  let now = 0;
  const screen = {
    write(text: string): void {
      written += text;
    },
    isTerminal,
    columns: 80,
    now: () => now,
  };
  const tell = createProgressBar(screen).begin(part);
  for (const [seconds, done] of steps) {
    now = seconds * 1_000;
    tell.at(done);
  }
  tell.end();
  return written;
}

describe('the progress of a move', () => {
  test('is a bar on a terminal, with rate and time left, drawn over itself', () => {
    const written = watched(RECORDS, true, [
      [10, 250_000],
      [10.1, 251_000],
      [40, 1_000_000],
    ]);
    const drawn = written.split('\r').slice(1);
    assert.equal(drawn.length, 3, 'not at each step');
    assert.match(drawn[0] ?? '', /^copy +audit +\[#{4}\.{12}\] 25 % {2}250,000 {2}25,000\/s {2}30 s left *$/);
    assert.match(drawn[2] ?? '', /100 % {2}1,000,000 {2}25,000\/s {2}in 40 s *\n$/);
    for (const line of drawn) assert.equal(line.trimEnd().length < 80 && line.replace('\n', '').length, 79);
  });

  test('is a line now and then where there is no terminal', () => {
    const written = watched(RECORDS, false, [
      [1, 10_000],
      [11, 200_000],
      [12, 300_000],
      [7_200, 1_000_000],
    ]);
    assert.deepEqual(
      written.split('\n').map((line) => line.split('  ').at(-1)),
      ['44 s left', '0 s left', 'in 2 h 0 min', ''],
    );
    assert.doesNotMatch(written, /\r|\[/);
  });

  test('counts the rate from where an earlier run broke off', () => {
    assert.match(watched({ ...RECORDS, done: 900_000 }, false, [[20, 950_000]]), /2,500\/s {2}20 s left/);
  });

  test('tells sizes of files by their unit', () => {
    const files: Part = { step: 'copy', what: 'files', unit: 'bytes', done: 0, of: 2_500_000_000 };
    assert.match(
      watched(files, false, [[100, 1_250_000_000]]),
      /50 % {2}1\.3 GB of 2\.5 GB {2}12\.5 MB\/s {2}1 min 40 s left/,
    );
  });

  test('is silent about what takes no time', () => {
    assert.equal(watched({ ...RECORDS, of: null }, false, [[0.5, 20]]), '');
  });
});
