import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ROOT } from '../support/documents.ts';
import { makeExport, toNdjson } from '../support/exported-history.ts';
import { json, member, send } from '../support/http-client.ts';
import { openLink, shortCodeOf } from '../support/links.ts';
import { LOG, OF_LINK } from '../support/log-manipulations.ts';
import { file as filePart, sendForm } from '../support/multipart.ts';
import { type Exit, QUICK_STARTS, startCommand } from '../support/process.ts';
import { startService, temporaryDirectory } from '../support/service.ts';

/** Runs the command in the project without any setting. `input`: a file for its standard input. */
function verify(t: TestContext, flags: readonly string[], input = '/dev/null'): Promise<Exit> {
  const script = `exec "$0" cli/main.ts verify "$@" < "${input}"`;
  const command = ['bash', '-c', script, process.execPath, ...flags];
  return startCommand(t, command, { cwd: ROOT, env: QUICK_STARTS }).exited;
}

test('postern verify --export', { concurrency: 2 }, async (t) => {
  const directory = temporaryDirectory(t);
  const file = join(directory, 'history.ndjson');
  const { lines, heads } = makeExport();
  writeFileSync(file, toNdjson(lines));
  const knownFingerprint = heads[2]?.fingerprint ?? '';

  await t.test('postern verify confirms a file without a store and without settings', async (t) => {
    const { code, stdout, stderr } = await verify(t, [
      '--export',
      file,
      `--fingerprint=${knownFingerprint.toUpperCase()}`,
    ]);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^Checked the history of link L0000001: 6 entries, complete and unchanged\.\n/);
    assert.match(
      stdout,
      new RegExp(
        `The fingerprint ${knownFingerprint} is that of entry 2, of 2026-06-15T23:52:00\\.000Z: entries 1 to 2 are unchanged`,
      ),
    );
  });

  await t.test('postern verify fails if nothing that was kept was compared', async (t) => {
    for (const [text, code] of [
      ['\n', 1],
      [await LOG.proof(OF_LINK[3] ?? '', 4, 10), 0],
    ] as const) {
      const kept = join(directory, 'kept.txt');
      writeFileSync(kept, text);
      const exit = await verify(t, ['--export', file, `--evidence=${kept}`]);
      assert.deepEqual(
        [exit.code, exit.stderr],
        [code, code === 0 ? '' : 'postern: what you kept was not compared with the history\n'],
      );
      assert.match(
        exit.stdout,
        code === 0 ? /Up to entry 4, the history is the one/ : /No checkpoint or proof that you kept/,
      );
    }
  });

  await t.test('postern verify reads standard input', async (t) => {
    const { code, stdout, stderr } = await verify(t, ['--export', '-'], file);
    assert.deepEqual([code, stderr, /6 entries, complete/.test(stdout)], [0, '', true]);
  });

  await t.test('postern verify lists at most 100 of many differences, and exits with code 1', async (t) => {
    const changed = join(directory, 'changed.ndjson');
    writeFileSync(changed, toNdjson([lines[0], ...Array.from({ length: 130 }, () => ({ kind: 'VIEW' }))]));
    const { code, stdout, stderr } = await verify(t, [`--export=${changed}`]);
    const printed = stdout.trimEnd().split('\n');
    assert.deepEqual([code, printed.length, printed.at(-1)], [1, 101, 'and 31 more']);
    assert.equal(stderr, 'postern: there are 131 differences\n');
  });

  for (const [what, flags, expected] of [
    ['a missing file', ['--export', join(directory, 'none')], /there is no file \/.*\/none$/m],
    ['an empty name', ['--export='], /--export: the name of the file is missing/],
    [
      'a fingerprint without a history',
      [`--fingerprint=${knownFingerprint}`],
      /needs either a short code, --export FILE or --sha256 S/,
    ],
    ['a missing file to compare', ['--export', file, '--file=none'], /there is no file \/.*\/none$/m],
    [
      'half a fingerprint',
      ['--export', file, '--fingerprint=ab12'],
      /--fingerprint: "ab12" is not 64 hexadecimal digits\n {2}Copy all/,
    ],
    [
      'the files of a store with an export',
      ['--export', file, '--read-files'],
      /--read-files is for a whole store\n {2}Leave out/,
    ],
  ] as const) {
    await t.test(`postern verify refuses ${what}`, async (t) => {
      const { code, stdout, stderr } = await verify(t, flags);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, expected);
    });
  }
});

test('a history that the service exports is confirmed, also with earlier fingerprints', async (t) => {
  const service = await startService(t);
  const created = await sendForm(service, [filePart('x'.repeat(1000))]);
  const shortCode = shortCodeOf(created);
  const token = { 'x-link-token': String(created.headers['x-link-token']) };
  const history = `/api/links/${shortCode}/history`;
  const fingerprint = async () =>
    member(json(await send(service, history, { headers: token })), 'fingerprint');
  const knownFingerprint = String(await fingerprint());
  for (let tries = 0; tries < 3; tries++) await openLink(service, shortCode);
  await send(service, `/l/${shortCode}`, { method: 'DELETE' });
  const exported = await send(service, history, { headers: { ...token, accept: 'application/x-ndjson' } });
  const file = join(temporaryDirectory(t), 'history.ndjson');
  writeFileSync(file, exported.body);
  const copy = join(temporaryDirectory(t), 'copy');
  writeFileSync(copy, 'x'.repeat(1000));
  const flags = ['--export', file, `--fingerprint=${knownFingerprint}`, '--file', copy];
  const { code, stdout, stderr } = await verify(t, flags);
  assert.deepEqual([code, stderr], [0, '']);
  assert.ok(stdout.includes(`${copy} is the file of the link`), stdout);
  assert.match(stdout, new RegExp(`fingerprint ${knownFingerprint} is that of entry 1,`));

  const filtered = await send(service, `${history}?result=SUCCESS`, {
    headers: { ...token, accept: 'application/x-ndjson' },
  });
  writeFileSync(file, filtered.body);
  assert.match(
    (await verify(t, ['--export', file])).stdout,
    /the export was filtered, .* lacks the entries 1, \d+;/,
  );
});
