import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import type { ProgressStep } from '../../src/core/ports/progress.ts';
import { createProgressBar } from '../../src/tools/commands/progress-bar.ts';

/** Returns the text of a step that reaches `done`. The stream is no terminal. */
function showStep(step: ProgressStep, done: number): string {
  let written = '';
  const stream = new Writable({
    write(chunk, _encoding, callback) {
      written += chunk;
      callback();
    },
  });
  const bar = createProgressBar(stream, false).begin(step);
  bar.update(done);
  bar.end();
  return written;
}

test('a step is a first and a last line where there is no terminal', () => {
  const lines = showStep({ label: 'copy rows', unit: 'rows', total: 1_000_000 }, 250_000).split('\n');
  assert.equal(lines.length, 3);
  assert.match(lines[0] ?? '', /^copy rows +0 %, 0 of 1,000,000, /);
  assert.match(lines[1] ?? '', /^copy rows +25 %, 250,000 of 1,000,000, .* left$/);
  assert.equal(lines[2], '');
});

test('files are shown in megabytes', () => {
  const text = showStep({ label: 'copy files', unit: 'bytes', total: 2_500_000_000 }, 1_250_000_000);
  assert.match(text, /50 %, 1250\.0 MB of 2500\.0 MB/);
});

test('a step without a total is not shown', () => {
  assert.equal(showStep({ label: 'Download', unit: 'bytes', total: undefined }, 20), '');
});

test('a total that was estimated too low grows with what is done', () => {
  const lines = showStep({ label: 'copy rows', unit: 'rows', total: 1 }, 12).split('\n');
  assert.match(lines.at(-2) ?? '', /^copy rows +100 %, 12 of 12, /);
});
