import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { toFingerprint } from '../../src/core/model/chain.ts';
import { hashHex } from '../../src/core/model/ed25519.ts';
import { PERSONAL_DETAILS } from '../../src/core/model/hashed-text.ts';
import { toLeafHash } from '../../src/core/model/merkle-tree.ts';
import { checkExport } from '../../src/tools/commands/check-export.ts';
import { fencedBlocks, readProjectFile } from '../support/documents.ts';
import { makeExport, PARTS, toNdjson } from '../support/exported-history.ts';
import { makeFullHistories } from '../support/full-histories.ts';
import { temporaryDirectory } from '../support/service.ts';

const DOCUMENT = readProjectFile('docs/history-format.md');
const [ERASED = '', EXPORT = ''] = textsOf('json');
/** The export of the example after the erasure of its visitor. */
const WITHOUT_VISITOR = EXPORT.replace(/^.*"ATTEMPT","number":2,.*$/m, ERASED.trimEnd());
const [TREE = '', PERSONAL = '', FIRST = '', SECOND = ''] = textsOf('text');
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
    assert.deepEqual((await checkExport(toChunks(WITHOUT_VISITOR), null)).findings.shown, []);
  });

  test('the document computes the fingerprints of its example', () => {
    const hashes = [PERSONAL, FIRST, SECOND].map((block) => {
      const [text = '', hash = ''] = block.trimEnd().split('\n');
      assert.equal(toFingerprint('', text), hash);
      return hash;
    });
    assert.ok(FIRST.includes(`"personalSha256":"${hashes[0]}"`));
    assert.ok(SECOND.startsWith(`${hashes[1]}{`));
    assert.ok(EXPORT.includes(`"fingerprint":"${hashes[2]}"`));
  });

  test('the document has an export whose checkpoint its key vouches for', async () => {
    const key = /"key":"([^"]+)"/.exec(EXPORT)?.[1];
    const { findings, proved } = await checkExport(toChunks(EXPORT), null, undefined, key);
    assert.deepEqual(findings.shown, []);
    assert.match(proved.join('\n'), /Up to entry 2, .* checkpoint of 4 entries of the log links\.example/);
    const hashes = Array.from(TREE.matchAll(/[0-9a-f]{64}/g), ([hash]) => hash);
    const [leaf = '', right = '', left = '', root] = hashes;
    assert.equal(toLeafHash(hashHex, SECOND.trimEnd().slice(-64)), leaf);
    assert.equal(hashHex(`01${left}${hashHex(`01${leaf}${right}`)}`), root);
  });

  test('the document names every detail of an entry', () => {
    const details = makeFullHistories().flatMap(({ entries }) =>
      entries.flatMap((entry) => ('details' in entry ? Object.keys(entry.details) : [])),
    );
    assert.deepEqual(
      details.filter((name) => !DOCUMENT.includes(`\`${name}\``) && !PERSONAL_DETAILS.has(name)),
      [],
    );
  });

  test('the document has a program that checks an export', { skip: WITHOUT_PYTHON }, async (t) => {
    const env = { ...process.env, PYTHONIOENCODING: 'latin-1' }; // as of a locale
    const run = (input: string, ...paths: string[]) =>
      spawnSync('python3', ['-c', PROGRAM, ...paths], { input, encoding: 'utf8', env });
    const { lines, heads } = makeExport();
    const { stdout, stderr, status } = run(toNdjson(lines));
    assert.equal(stderr, '');
    const printed = stdout.trimEnd().split('\n');
    assert.equal(printed.pop(), 'whole');
    assert.equal(status, 0);
    const fingerprints = heads.slice(1).map(({ fingerprint }) => fingerprint);
    assert.deepEqual(
      printed.map((line) => line.split(' ')[2]),
      fingerprints,
    );
    const changed = run(toNdjson(lines).replace('192.0.2.1', '192.0.2.2'));
    assert.match(changed.stdout, /CHANGED\n$/);
    assert.equal(changed.status, 1);
    assert.match(
      run(toNdjson(makeExport({ withoutVisitor: true }).lines)).stdout,
      / erased\n.* erased\n.*\nwhole\n$/s,
    );
    assert.match(run(WITHOUT_VISITOR).stdout, /^1 .* \n2 .* erased\nwhole\ncovered up to entry 2 .*\n$/);
    assert.match(
      run(WITHOUT_VISITOR.replace('"userAgent":null', '"userAgent":""')).stderr,
      /^entry 2 .*: CHANGED\n$/,
    );
    assert.match(run(EXPORT.replace('"format":1', '"format":2')).stderr, /^entry 2 has the format 2, which/);

    for (const areErased of [false, true])
      for (const { lines: full, entries } of makeFullHistories({ areErased })) {
        const text = toNdjson(full);
        assert.deepEqual((await checkExport(toChunks(text), null)).findings.shown, []);
        assert.match(run(text).stdout, new RegExp(`^${'.*\\n'.repeat(entries.length)}whole\n$`));
      }

    const several = toNdjson(makeExport({ parts: PARTS }).lines);
    assert.match(run(several).stdout, /\n\w{64} "lease\.pdf"\n\w{64} "plan\.pdf"\nwhole\n$/);
    assert.match(run(several.replace('plan.pdf', 'flan.pdf')).stderr, /another list of files: CHANGED\n$/);

    const directory = temporaryDirectory(t);
    const [same, other] = [join(directory, 'same'), join(directory, 'other')];
    writeFileSync(same, 'Contract\n');
    writeFileSync(other, 'contract\n');
    assert.equal(run(EXPORT, same).status, 0);
    const compared = run(EXPORT, same, other);
    assert.match(compared.stdout, /\nwhole\ncovered .*\nsame file\nOTHER FILE\n$/);
    assert.equal(compared.status, 1);
    const kept = run(EXPORT, `--evidence=${same}`);
    assert.match(kept.stdout, /\nwhole\nDIFFERENCE: /);
    assert.equal(kept.status, 1);
  });
});
