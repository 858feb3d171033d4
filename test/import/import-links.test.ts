import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { ImportRecord } from '../../src/core/model/import-record.ts';
import { prepareImportLinks } from '../../src/core/use-cases/create/import-links.ts';
import { openPlannedLinks } from '../../src/tools/import/planned-links.ts';
import { readRecords } from '../../src/tools/import/read-records.ts';
import { sendRecords } from '../../src/tools/import/send-records.ts';

const FILE =
  'shortCode,targetUrl\none,https://example.com/a\none,https://example.com/b\none,https://example.com/a\n';

async function importFile(onConflict: 'skip' | 'fail', { file = FILE, isStopped = false } = {}) {
  using planned = openPlannedLinks();
  async function* chunks() {
    yield Buffer.from(file);
  }
  const results: string[] = [];
  const sent: number[] = [];
  const end = await sendRecords({
    ...{ records: readRecords(chunks(), 'csv'), planned, onConflict, isStopped: () => isStopped },
    async send(records) {
      sent.push(records.length);
      return records.map(({ targetUrl }) => ({
        ...{ result: 'IMPORTED', targetUrl: targetUrl ?? '', isPaused: false, views: 0, remarks: [] },
      }));
    },
    report: async ({ result }) => void results.push(result),
  });
  return { end, results, sent };
}

test('a dry run skips a short code that an earlier line has, or ends there', async () => {
  const results = ['IMPORTED', 'SKIPPED', 'ALREADY_THERE'];
  assert.deepEqual(await importFile('skip'), { end: 'whole', results, sent: [3] });
  assert.deepEqual(await importFile('fail'), { end: 'conflict', results, sent: [3] });
});

test('an import that is stopped ends before the next batch', async () => {
  assert.deepEqual(await importFile('skip', { isStopped: true }), { end: 'stopped', results: [], sent: [] });
});

test('no request of an import has more than 500 links, or far more than 2 MB', async () => {
  const lines = (count: number, target: string) =>
    Array.from({ length: count }, (_, index) => `code${index},https://example.com/${target}\n`).join('');
  const file = (count: number, target: string) => `shortCode,targetUrl\n${lines(count, target)}`;
  assert.ok(Math.max(...(await importFile('skip', { file: file(1_200, 'a') })).sent) <= 500);
  const { sent, results } = await importFile('skip', { file: file(600, 'a'.repeat(8_000)) });
  assert.equal(results.length, 600);
  assert.ok(Math.max(...sent) <= 260, String(sent));
});

test('an import leaves room for the passwords of visitors', async () => {
  let [running, most] = [0, 0];
  const importLinks = prepareImportLinks({
    links: { create: async () => 'created', find: async () => undefined },
    ...{ clock: () => 0, newIdAndSalt: () => ({ id: 'id', salt: 'salt' }) },
    passwordQueue: { run: (_, work) => work() },
    passwords: {
      async hash() {
        most = Math.max(most, ++running);
        await setImmediate();
        running -= 1;
        return 'hash';
      },
      verify: async () => false,
    },
  });
  const record = (index: number): ImportRecord => ({
    ...{ shortCode: `code${index}`, host: null, targetUrl: 'https://example.com/', createdAt: null },
    ...{ startsAt: null, expiresAt: null, maxViews: null, views: null, label: null, note: null, tags: [] },
    ...{ recipient: null, forwardPath: false, forwardQuery: false, password: 'secret', refusals: [] },
    ...{ losses: [] },
  });
  const results = await importLinks(
    {
      ...{ from: 'csv', timeZone: 'UTC', withRefusal: 'pause', shortPath: '/l/', isDryRun: false },
      targets: { baseUrl: 'https://links.example', hosts: new Map(), blockedHosts: () => new Set() },
      records: Array.from({ length: 500 }, (_, index) => record(index)),
    },
    { kind: 'COMMAND', name: 'import', ipAddress: null },
  );
  assert.ok(results.every(({ result }) => result === 'IMPORTED'));
  assert.ok(most <= 8, String(most));
});
