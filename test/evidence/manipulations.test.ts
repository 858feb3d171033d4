import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { createSigner, describeKey, hashHex } from '../../src/core/model/ed25519.ts';
import { toRoot } from '../../src/core/model/merkle-tree.ts';
import { formatHandover, formatVerifierKey } from '../../src/core/model/signed-note.ts';
import { readKept } from '../../src/core/use-cases/history/exported/read-kept.ts';
import { checkExport } from '../../src/tools/commands/check-export.ts';
import { fencedBlocks, readProjectFile } from '../support/documents.ts';
import { toNdjson } from '../support/exported-history.ts';
import {
  doubts,
  ENTRIES,
  exported,
  join as joinKept,
  KEY,
  type Line,
  LOG,
  manipulations,
  OF_LINK,
  TestLog,
  WITNESS_KEY,
} from '../support/log-manipulations.ts';
import { temporaryDirectory } from '../support/service.ts';

async function* toChunks(of: readonly Line[]): AsyncGenerator<Uint8Array> {
  yield Buffer.from(toNdjson(of));
}

const PROGRAM = fencedBlocks(readProjectFile('docs/history-format.md'), 'python')[0]?.text ?? '';
const TOO_LONG = joinKept(KEY, 'x\n\n'.repeat(400_000));
const WITHOUT_PYTHON = spawnSync('python3', ['--version']).error && 'there is no python3';

describe('manipulations of a history and its log', () => {
  test('an unchanged history passes, with each thing that an outsider may hold', async () => {
    const good = await exported();
    const all = joinKept(
      ...[KEY, formatVerifierKey(WITNESS_KEY), LOG.checkpoint(10), await LOG.consistency(10, 18)],
      ...[await LOG.proof(OF_LINK[3] ?? '', 4, 10), LOG.checkpoint()],
    );
    const olderProof = await LOG.proof(OF_LINK[3] ?? '', 4, 10);
    for (const kept of [undefined, '', KEY, olderProof, all, all.replaceAll('\n', '\r\n'), `\n\n${all}\n`]) {
      const { findings, proved } = await checkExport(toChunks(good), null, undefined, kept);
      assert.deepEqual(findings.shown, []);
      assert.ok(proved.some((text) => text.includes('Up to entry 6')));
      const text = proved.join('\n');
      if (kept === olderProof) assert.match(text, /Up to entry 4, the history is the one of the proof/);
      if (kept === all)
        assert.match(
          text,
          /witness\.example signed this checkpoint at 2026-06-15T12:00:00.000Z.*after the checkpoint of 10 entries.*Up to entry 6, the history was in the log when the checkpoint of 18/s,
        );
      assert.equal(
        proved.some((text) => text.startsWith('The key of the log is')),
        !kept?.includes(KEY),
      );
    }
  });

  test('a checkpoint that is older than the history says which entries it does not cover', async () => {
    const { findings, proved } = await checkExport(
      toChunks(await exported(LOG, { number: 4 })),
      null,
      undefined,
      KEY,
    );
    assert.deepEqual(findings.shown, []);
    assert.match(proved.join('\n'), /Up to entry 4, .*\n.*Entries 5 to 6 are newer/);
  });

  test('a history after a change of keys passes with the old key', async () => {
    const next = new TestLog(ENTRIES, createSigner('links.example/log/1'));
    const last = { size: 18, root: toRoot(hashHex, LOG.leaves()) };
    const handover = LOG.signer.sign(formatHandover({ from: LOG.signer.key, to: next.signer.key, last }));
    const kept = joinKept(KEY, LOG.checkpoint(10), await LOG.consistency(10, 18));
    const { findings } = await checkExport(
      toChunks(await exported(next, { handovers: [handover] })),
      null,
      undefined,
      kept,
    );
    assert.deepEqual(findings.shown, []);
    assert.notEqual(describeKey(next.signer), KEY);
  });

  test('a history passes with a proof of an earlier log, also where nothing connects the two', async () => {
    const next = new TestLog(ENTRIES, createSigner('links.example/log/2'));
    const last = { size: 10, root: toRoot(hashHex, LOG.leaves(10)) };
    const handover = LOG.signer.sign(formatHandover({ from: LOG.signer.key, to: next.signer.key, last }));
    const proof = await LOG.proof(OF_LINK[5] ?? '', 6);
    for (const [handovers, kept] of [
      [[], proof],
      [[handover], joinKept(KEY, proof)],
    ] as const) {
      const lines = await exported(next, { handovers: [...handovers] });
      const { findings, proved } = await checkExport(toChunks(lines), null, undefined, kept);
      assert.deepEqual(findings.shown, []);
      assert.match(proved.join('\n'), /Up to entry 6, the history is the one of the proof/);
    }
  });

  test('a proof whose signature cannot be verified does not name a log', async () => {
    const good = await exported();
    const bare = good.map(({ checkpoint: _, ...line }) => line);
    const proof = await LOG.proof(OF_LINK[5] ?? '', 6);
    const forged = new TestLog(ENTRIES, createSigner('links.example/log/1'));
    for (const [lines, kept] of [
      [bare, proof.replace(/(— \S+ \S{20})./u, '$1A')],
      [bare, await forged.proof(OF_LINK[5] ?? '', 6)],
      [good, await forged.proof(OF_LINK[5] ?? '', 6)],
    ] as const) {
      const { findings, proved } = await checkExport(toChunks(lines), null, undefined, kept);
      assert.deepEqual(findings.shown, []);
      const [vouched] = proved.filter((text) => text.includes('that you kept'));
      assert.equal(vouched, 'Up to entry 6, the history is the one of the proof that you kept.');
    }
  });

  test('each manipulation is found', async () => {
    for (const { what, lines: changed, kept, expected } of await manipulations()) {
      const { findings } = await checkExport(toChunks(changed), null, undefined, kept);
      assert.ok(findings.count > 0, `${what} is not found`);
      assert.match(findings.shown.join('\n'), expected, what);
    }
  });

  test('the time to read what was kept grows with its length', async () => {
    const measure = (count: number): number => {
      const start = process.cpuUsage();
      assert.equal(readKept(hashHex, 'x\n\n'.repeat(count)).isWhole, false);
      const { user, system } = process.cpuUsage(start);
      return user + system;
    };
    const [shorter, longer] = [20_000, 320_000].map(measure);
    assert.ok(shorter && longer && longer < shorter * 80, `${shorter} and ${longer} µs`); // 256 times, if quadratic
  });

  test('a long line in what was kept is no key, checkpoint or proof, and too long a text is refused', async () => {
    for (const line of ['A'.repeat(900_000), `log+01234567+${'A'.repeat(900_000)}`]) {
      const { findings } = await checkExport(toChunks(await exported()), null, undefined, line);
      assert.match(findings.shown.join('\n'), /^a part of what you kept is no key/);
    }
    const { findings } = await checkExport(toChunks(await exported()), null, undefined, TOO_LONG);
    assert.deepEqual(findings.shown, [
      'what you kept has more than 1000000 characters: leave out what is not of this log',
    ]);
  });

  test('what was copied from a PDF is read: without empty lines, with broken lines and other dashes', async () => {
    const texts = [
      ...[KEY, formatVerifierKey(WITNESS_KEY), LOG.checkpoint(), await LOG.proof(OF_LINK[5] ?? '', 6)],
      ...[await LOG.consistency(4, 10), LOG.checkpoint(), await LOG.proof(OF_LINK[3] ?? '', 4, 10)],
    ];
    const whole = readKept(hashHex, joinKept(...texts));
    assert.deepEqual([whole.isWhole, whole.proofs.length, whole.checkpoints.length], [true, 2, 2]);
    for (const width of [1_000, 90, 75, 60])
      for (const dash of ['—', '-', '–\u00a0']) {
        const lines = joinKept(...texts)
          .split('\n')
          .filter((line) => line !== '')
          .flatMap((line) => line.match(new RegExp(`.{1,${width}}`, 'gu')) ?? [])
          .map((line) => line.replace(/^— ?/u, `${dash} `));
        assert.deepEqual(readKept(hashHex, lines.join('\r\n')), whole, `${width} ${dash}`);
      }
    const atSpaces = joinKept(...texts).replaceAll(/^(— \S+) /gmu, '$1\n');
    assert.deepEqual(readKept(hashHex, atSpaces), whole);
    const damaged = `Page 2\n${texts[3]}`;
    const { findings, reason } = await checkExport(toChunks(await exported()), null, undefined, damaged);
    assert.match(findings.shown.join('\n'), /^a part of what you kept is no key/);
    assert.equal(reason, 'unchecked', 'it says nothing about the history');
  });

  test('a check says that a history could be rewritten after what was compared', async () => {
    const good = await exported();
    const older = await LOG.proof(OF_LINK[3] ?? '', 4, 10);
    for (const [kept, expected] of [
      [undefined, /could have rewritten it:/],
      [KEY, /could have rewritten it:/],
      [older, /could have rewritten what follows entry 4, up to entry 6:/],
      [joinKept(older, LOG.checkpoint()), undefined],
      [await LOG.proof(OF_LINK[5] ?? '', 6), undefined],
      [LOG.checkpoint(), undefined],
    ] as const) {
      const { proved } = await checkExport(toChunks(good), null, undefined, kept);
      if (expected) assert.match(proved.join('\n'), expected);
      else assert.doesNotMatch(proved.join('\n'), /could have rewritten/, kept);
    }
  });

  test('a check says whether something that was kept was compared', async () => {
    const good = await exported();
    const bare = good.map(({ checkpoint: _, ...line }) => line);
    const [proof, consistency] = [await LOG.proof(OF_LINK[3] ?? '', 4, 10), await LOG.consistency(10, 18)];
    for (const [lines, kept, reason] of [
      [good, '', 'notCompared'],
      [good, ' \n\n ', 'notCompared'],
      [bare, '', 'notCompared'],
      [good, consistency, 'notCompared'],
      [good, joinKept(KEY, LOG.checkpoint(10)), 'notCompared'],
      [good, joinKept(KEY, LOG.checkpoint(10), consistency), undefined],
      [good, joinKept(LOG.checkpoint(10), LOG.checkpoint()), undefined],
      [good, KEY, undefined],
      [good, formatVerifierKey(WITNESS_KEY), undefined],
      [good, proof, undefined],
      [bare, proof, undefined],
      [good, undefined, undefined],
    ] as const) {
      const checked = await checkExport(toChunks(lines), null, undefined, kept);
      assert.deepEqual([checked.findings.shown, checked.reason], [[], reason], kept ?? 'nothing');
    }
  });

  test('a check says what a checkpoint, a witness or nothing that was kept does not show', async () => {
    for (const { what, lines: changed, kept, expected } of await doubts()) {
      const { findings, proved } = await checkExport(toChunks(changed), null, undefined, kept);
      assert.deepEqual(findings.shown, [], what);
      assert.match(proved.join('\n'), expected, what);
      assert.doesNotMatch(proved.join('\n'), /the history (?:was in the log|is the one)/, what);
    }
  });

  test('the program of the document finds the same', { skip: WITHOUT_PYTHON }, async (t) => {
    const path = join(temporaryDirectory(t), 'kept.txt');
    const run = (of: readonly Line[], kept: string) => {
      writeFileSync(path, kept);
      return spawnSync('python3', ['-c', PROGRAM, `--evidence=${path}`], {
        input: toNdjson(of),
        encoding: 'utf8',
      });
    };
    const all = joinKept(
      KEY,
      formatVerifierKey(WITNESS_KEY),
      LOG.checkpoint(10),
      await LOG.consistency(10, 18),
      await LOG.proof(OF_LINK[3] ?? '', 4, 10),
    );
    const bare = (await exported()).map(({ checkpoint: _, ...line }) => line);
    const good = run(await exported(), all);
    assert.doesNotMatch(good.stdout, /NOT COMPARED/);
    assert.deepEqual([good.stderr, good.status], ['', 0]);
    assert.match(good.stdout, /whole\n.*covered up to entry 6/s);
    for (const { what, lines: changed, kept, expected } of await manipulations()) {
      const { stdout, stderr, status } = run(changed, kept);
      if (/signature|another key/.test(expected.source))
        assert.match(stdout, /DIFFERENCE: .*(?:signature|another key|signed)/, what);
      assert.match(stdout + stderr, /CHANGED|DIFFERENCE|NOT COMPARED|does not know/, what);
      assert.equal(status, 1, what);
      assert.doesNotMatch(stderr, /Traceback/, what);
    }
    for (const { what, lines: changed, kept, expected } of await doubts()) {
      const { stdout, stderr } = run(changed, kept);
      assert.equal(stderr, '', what);
      assert.doesNotMatch(stdout, /CHANGED|DIFFERENCE|was in the log/, what);
      assert.match(stdout, expected, what);
    }
    const olderProof = await LOG.proof(OF_LINK[3] ?? '', 4, 10);
    for (const lines of [await exported(), bare])
      assert.match(run(lines, olderProof).stdout, /whole\n.*up to entry 4, it is the history of the proof/s);
    assert.match(run(bare, TOO_LONG).stdout, /DIFFERENCE: .*more than 1,000,000 characters/);
    const notCompared = run(bare, '');
    assert.match(notCompared.stdout, /whole\nNOT COMPARED: /);
    assert.equal(notCompared.status, 1);
    assert.doesNotMatch(run(await exported(), KEY).stdout, /NOT COMPARED/);
  });
});
