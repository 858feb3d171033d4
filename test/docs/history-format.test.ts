import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { checkExport } from '../../src/commands/check-export.ts';
import { toFingerprint } from '../../src/links/chain.ts';
import { fencedBlocks, readProjectFile } from '../support/documents.ts';
import { makeExport, toNdjson } from '../support/exported-history.ts';
import { temporaryDirectory } from '../support/service.ts';

const DOCUMENT = readProjectFile('docs/history-format.md');
const [EXPORT = ''] = textsOf('json');
const [FIRST = '', SECOND = ''] = textsOf('text');
const [PROGRAM = ''] = textsOf('python');
const WITHOUT_PYTHON = spawnSync('python3', ['--version']).error && 'there is no python3';

function textsOf(language: string): string[] {
  return fencedBlocks(DOCUMENT, language).map(({ text }) => text);
}

async function* toChunks(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

describe('docs/history-format.md', () => {
  test('the document shows an export that verify confirms', async () => {
    assert.deepEqual((await checkExport(toChunks(EXPORT), null)).findings.shown, []);
  });

  test('the document computes the fingerprints of its example', () => {
    let before = '';
    for (const block of [FIRST, SECOND]) {
      const [text = '', fingerprint] = block.trimEnd().split('\n');
      assert.ok(text.startsWith(before));
      assert.equal(toFingerprint('', text), fingerprint);
      before = fingerprint ?? '';
    }
    assert.ok(EXPORT.includes(`"fingerprint":"${before}"`));
  });

  test('the document has a program that checks an export', { skip: WITHOUT_PYTHON }, (t) => {
    const env = { ...process.env, PYTHONIOENCODING: 'latin-1' }; // as of a locale
    const run = (input: string, ...paths: string[]) =>
      spawnSync('python3', ['-c', PROGRAM, ...paths], { input, encoding: 'utf8', env });
    const { lines, heads } = makeExport();
    const { stdout, stderr } = run(toNdjson(lines));
    assert.equal(stderr, '');
    const printed = stdout.trimEnd().split('\n');
    assert.equal(printed.pop(), 'whole');
    const fingerprints = heads.slice(1).map(({ fingerprint }) => fingerprint);
    assert.deepEqual(
      printed.map((line) => line.split(' ')[2]),
      fingerprints,
    );
    assert.match(run(toNdjson(lines).replace('192.0.2.1', '192.0.2.2')).stdout, /CHANGED\n$/);

    const directory = temporaryDirectory(t);
    const [same, other] = [join(directory, 'same'), join(directory, 'other')];
    writeFileSync(same, 'Contract\n');
    writeFileSync(other, 'contract\n');
    assert.match(run(EXPORT, same, other).stdout, /\nwhole\nsame file\nOTHER FILE\n$/);
  });
});
