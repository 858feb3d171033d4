import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startBreakingProxy } from '../support/breaking-proxy.ts';
import { commandLine } from '../support/command-line.ts';
import { openLink } from '../support/links.ts';
import type { Running } from '../support/process.ts';
import { limitedNginx, startReverseProxy, withoutProxy } from '../support/reverse-proxies.ts';
import { startService } from '../support/service.ts';

const CONTENT = randomBytes(24 * 1024 ** 2);
const FLAGS = ['--app.upload.chunk-size=5MB'];

test('an upload over a line that breaks again and again goes on until it is whole', async (t) => {
  const service = await startService(t, { flags: FLAGS });
  const cli = commandLine(t, await startBreakingProxy(t, service.url, 3_000_000));
  const path = join(cli.directory, 'report.pdf');
  writeFileSync(path, CONTENT);
  const [{ shortCode, sha256 } = {}] = await cli.callJson('upload', path);
  assert.equal(sha256, hash('sha256', CONTENT));
  const opened = await openLink(service, String(shortCode));
  assert.ok(opened.body.equals(CONTENT));
  assert.match(String(opened.headers['content-disposition']), /"report\.pdf"/);
});

for (const [limit, expected] of [
  ['1m', undefined],
  ['60k', /^a proxy in front of \S+ refuses requests of this size: HTTP 413 from nginx\/\S+$/],
] as const) {
  const skip = withoutProxy(limitedNginx(limit));
  test(`an upload through a proxy with a limit of ${limit} is sent in smaller parts, or says why not`, {
    skip,
  }, async (t) => {
    const lines: string[] = [];
    const service = await startService(t, { flags: FLAGS, onLogLine: (line) => lines.push(line) });
    const { url } = await startReverseProxy(t, limitedNginx(limit), service);
    const cli = commandLine(t, url);
    writeFileSync(join(cli.directory, 'report.pdf'), CONTENT.subarray(0, 6_000_000));
    const { code, stdout, stderr } = await cli.run(['upload', 'report.pdf', '--json']);
    if (expected) {
      const { message, remedy } = JSON.parse(stderr).error;
      assert.match(message, expected);
      assert.match(remedy, /client_max_body_size/);
      return assert.equal(code, 1);
    }
    assert.equal(code, 0, stderr);
    assert.equal(JSON.parse(stdout).sha256, hash('sha256', CONTENT.subarray(0, 6_000_000)));
    const parts = lines.filter((line) => line.includes('"method":"PATCH"'));
    assert.equal(parts.length, 10, 'a size that worked is kept');
  });
}

test('an upload that was interrupted says how it goes on, and does so when its command is run again', async (t) => {
  let running: Running | undefined;
  const lines: string[] = [];
  const service = await startService(t, {
    flags: FLAGS,
    onLogLine(line) {
      lines.push(line);
      if (line.includes('"method":"PATCH"')) running?.signal('SIGINT');
    },
  });
  const cli = commandLine(t, service.url);
  writeFileSync(join(cli.directory, 'a.bin'), CONTENT);
  for (const [more, expected] of [
    [['--encrypt'], /^postern: interrupted\n {2}Run the command again: an encrypted upload begins anew\.\n$/],
    [[], /^postern: interrupted\n {2}Run the same command again within a day to continue\.\n$/],
  ] as const) {
    running = cli.start(['upload', 'a.bin', ...more]);
    const ended = await running.exited;
    assert.deepEqual([ended.code, expected.test(ended.stderr)], [130, true], ended.stderr);
  }
  running = undefined;
  const { code, stdout, stderr } = await cli.run(['upload', 'a.bin', '--json']);
  assert.equal(code, 0, stderr);
  assert.equal(JSON.parse(stdout).sha256, hash('sha256', CONTENT));
  const begun = lines.filter((line) => line.includes('"route":"/api/uploads"'));
  assert.equal(begun.length, 2, 'the last run begins no other upload');
  assert.deepEqual(readdirSync(join(cli.directory, '.local/state/postern/uploads')), []);
});

test('a short code that is taken fails at once', async (t) => {
  const cli = commandLine(t, (await startService(t)).url);
  writeFileSync(join(cli.directory, 'a.txt'), 'abc');
  const upload = ['upload', join(cli.directory, 'a.txt'), '--code', 'taken1'];
  assert.equal((await cli.run(upload)).code, 0);
  const { code, stderr } = await cli.run(upload);
  assert.notEqual(code, 0);
  assert.match(stderr, /code of another link/);
});

test('several files and folders become one link, with their names', async (t) => {
  const service = await startService(t);
  const cli = commandLine(t, service.url);
  mkdirSync(join(cli.directory, 'docs/more'), { recursive: true });
  for (const name of ['a.txt', 'docs/b.txt', 'docs/more/c.txt'])
    writeFileSync(join(cli.directory, name), `content of ${name}`);
  writeFileSync(join(cli.directory, 'docs/empty'), '');
  const paths = ['docs', 'a.txt'].map((name) => join(cli.directory, name));
  const { stdout, stderr } = await cli.run(['upload', ...paths]);
  assert.match(stderr, /^Target +docs \+ 1\.zip \(4 files\)$/m);
  assert.doesNotMatch(stderr, /SHA-256/);
  const shortCode = stdout.trim().split('/').at(-1);
  const link = await service.stores.store.find(String(shortCode));
  assert.ok(link?.target.type === 'DOWNLOAD');
  const parts = await service.stores.store.readParts(link.target.file.fileId);
  const names = ['docs/b.txt', 'docs/empty', 'docs/more/c.txt', 'a.txt'];
  assert.deepEqual(
    parts?.map(({ fileName }) => fileName),
    names,
  );
  const digests = names.map((name) => hash('sha256', name === 'docs/empty' ? '' : `content of ${name}`));
  assert.deepEqual(
    parts?.map(({ sha256 }) => sha256),
    digests,
  );
});

test('a folder without files is refused', async (t) => {
  const service = await startService(t);
  const cli = commandLine(t, service.url);
  mkdirSync(join(cli.directory, 'empty'));
  const { code, stderr } = await cli.run(['upload', 'empty/']);
  assert.equal(code, 2);
  assert.match(stderr, /empty\/ has no files/);
});
