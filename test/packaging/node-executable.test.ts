import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { type TestContext, test } from 'node:test';
import { findNode } from '../../packaging/node-executable.ts';
import { freePort } from '../support/process.ts';
import { temporaryDirectory } from '../support/service.ts';

const VERSION = '26.99.0';
const NAME = `node-v${VERSION}-${process.platform}-${process.arch}`;
const ARCHIVE = `${NAME}.tar.gz`;

/** Publishes a small archive with its checksum, or with this one, in a directory and on the loopback. */
async function publish(t: TestContext, sha256?: string) {
  const directory = join(temporaryDirectory(t), `v${VERSION}`);
  mkdirSync(join(directory, NAME, 'bin'), { recursive: true });
  writeFileSync(join(directory, NAME, 'bin/node'), 'the program', { mode: 0o755 });
  writeFileSync(join(directory, NAME, 'LICENSE'), 'the licence');
  const archive = join(directory, ARCHIVE);
  execFileSync('tar', ['--create', '--gzip', `--file=${archive}`, `--directory=${directory}`, NAME]);
  const digest = sha256 ?? createHash('sha256').update(readFileSync(archive)).digest('hex');
  writeFileSync(
    join(directory, 'SHASUMS256.txt'),
    `${'0'.repeat(64)}  other.tar.gz\n${digest}  ${ARCHIVE}\n`,
  );
  const server = createServer(({ url = '' }, response) => {
    const path = join(directory, '..', url);
    if (url.startsWith(`/v${VERSION}/`)) response.end(readFileSync(path));
    else response.writeHead(404).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server[Symbol.asyncDispose]());
  return { archive, mirror: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('packages take the archive of a mirror or of a file, with its published checksum', async (t) => {
  const { archive, mirror } = await publish(t);
  for (const source of [{ mirror }, { mirror: 'http://unused.invalid', archive }]) {
    const { node, origin } = await findNode(temporaryDirectory(t), { version: VERSION, ...source });
    assert.equal(readFileSync(node.executable, 'utf8'), 'the program');
    assert.equal(readFileSync(node.license, 'utf8'), 'the licence');
    assert.match(origin, /^Node 26\.99\.0 of .*\/v26\.99\.0, with its published checksum$/);
  }
});

test('an archive with another checksum, or with none, is refused', async (t) => {
  const { archive, mirror } = await publish(t, 'f'.repeat(64));
  const find = (version: string, source: { mirror: string; archive?: string }) =>
    findNode(temporaryDirectory(t), { version, ...source });
  for (const source of [{ mirror }, { mirror, archive }]) {
    await assert.rejects(find(VERSION, source), /has the SHA-256 \w{64}, but SHASUMS256\.txt says f{64}/);
  }
  await assert.rejects(
    find('26.98.0', { mirror }),
    /v26\.98\.0\/SHASUMS256\.txt: HTTP 404\. .*POSTERN_NODE_ARCHIVE/,
  );
  const alone = join(temporaryDirectory(t), ARCHIVE);
  writeFileSync(alone, '');
  await assert.rejects(find(VERSION, { mirror, archive: alone }), /has no SHASUMS256\.txt: download it too/);
  const renamed = join(archive, '..', 'other-name.tar.gz');
  writeFileSync(renamed, '');
  await assert.rejects(find(VERSION, { mirror, archive: renamed }), /does not list other-name\.tar\.gz/);
});

test('without a network, packages take the Node that runs this program, and say why', async (t) => {
  const mirror = `http://127.0.0.1:${await freePort()}`;
  const { node, origin } = await findNode(temporaryDirectory(t), { version: VERSION, mirror });
  assert.equal(execFileSync(node.executable, ['--version'], { encoding: 'utf8' }).trim(), process.version);
  assert.match(readFileSync(node.license, 'utf8'), /Node\.js is licensed/);
  assert.match(origin, /of the npm package, because 127\.0\.0\.1:\d+ cannot be reached \(.*ECONNREFUSED/);
});
