import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createLog } from '../../src/observability/log.ts';
import { openBlockedHostsFile } from '../../src/service/config/blocked-hosts-file.ts';
import { blockedHostsJob } from '../../src/service/jobs/jobs.ts';
import { temporaryDirectory } from '../support/service.ts';

test('a list of blocked hosts is read again only when its file changed', async (t) => {
  const path = join(temporaryDirectory(t), 'hosts.txt');
  writeFileSync(path, '\ufeffevil.example\n');
  const file = await openBlockedHostsFile(path);
  assert.deepEqual([...file.current()], ['evil.example']);
  const first = file.current();
  assert.equal(await file.refresh(), false);
  assert.equal(file.current(), first);

  writeFileSync(path, 'longer.evil.example\n');
  assert.equal(await file.refresh(), true);
  assert.deepEqual([...file.current()], ['longer.evil.example']);

  writeFileSync(`${path}.new`, 'renamed.evil.example'.slice(0, 19).concat('\n'));
  renameSync(`${path}.new`, path);
  assert.equal(await file.refresh(), true, 'also when it was replaced by one of the same size');
});

test('the last list applies while the file cannot be used', async (t) => {
  const path = join(temporaryDirectory(t), 'hosts.txt');
  writeFileSync(path, 'evil.example');
  const file = await openBlockedHostsFile(path);
  const last = file.current();
  for (const [damage, expected] of [
    [() => rmSync(path), /cannot be read \(ENOENT\)/],
    [() => mkdirSync(path), /not a file/],
    [() => rmSync(path, { recursive: true }), /cannot be read/],
    [() => writeFileSync(path, 'good.example\n*.bad'), /^Error: line 2: /],
    [() => writeFileSync(path, Buffer.from([0xff])), /must be UTF-8/],
    [() => writeFileSync(path, '#'.repeat(4 * 1024 ** 2 + 1)), /at most 4 MiB/],
  ] as const) {
    damage();
    await assert.rejects(file.refresh(), expected);
    assert.equal(file.current(), last);
  }
  writeFileSync(path, 'evil.example\nworse.example');
  assert.equal(await file.refresh(), true);
  assert.equal(file.current().size, 2);
});

test('the job logs each reload, and each cause of a failure once', async () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const outcomes = [false, 'gone', 'gone', 'not UTF-8', true, 'gone', false, 'gone'];
  const refresh = async (): Promise<boolean> => {
    const outcome = outcomes.shift() ?? false;
    if (typeof outcome === 'string') throw new Error(outcome);
    return outcome;
  };
  const job = blockedHostsJob(refresh, log);
  while (outcomes.length > 0) await job.run(new AbortController().signal);
  const logged = lines.map((line) => JSON.parse(line)).map(({ level, msg, reason }) => [level, msg, reason]);
  assert.deepEqual(logged, [
    ['warn', 'blocked_hosts_unusable', 'gone'],
    ['warn', 'blocked_hosts_unusable', 'not UTF-8'],
    ['info', 'blocked_hosts_reloaded', undefined],
    ['warn', 'blocked_hosts_unusable', 'gone'],
    ['warn', 'blocked_hosts_unusable', 'gone'],
  ]);
});
