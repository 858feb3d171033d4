import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPlannedLinks } from '../../src/stores/sqlite/open-planned-links.ts';
import { importLinks } from '../../src/tools/import/import-links.ts';
import { preparePlanLink } from '../../src/tools/import/plan-link.ts';
import { readRecords } from '../../src/tools/import/read-records.ts';

const FILE = 'shortCode,targetUrl\none,https://example.com/a\none,https://example.com/b\n';

async function importFile(onConflict: 'skip' | 'fail', isStopped = false) {
  using target = openPlannedLinks(async () => new Map());
  async function* chunks() {
    yield Buffer.from(FILE);
  }
  const results: string[] = [];
  const end = await importLinks({
    ...{ records: readRecords(chunks(), 'csv'), target, onConflict, isStopped: () => isStopped },
    plan: preparePlanLink({
      ...{
        from: 'csv',
        timeZone: 'UTC',
        withRefusal: 'pause',
        shortPath: '/l/',
        now: 0,
        hashPassword: async () => '',
      },
      targets: { baseUrl: 'https://links.example', hosts: new Map(), blockedHosts: () => new Set() },
    }),
    report: async ({ result }) => void results.push(result),
  });
  return { end, results };
}

test('an import skips a short code that is taken, or ends there', async () => {
  const results = ['imported', 'skipped'];
  assert.deepEqual(await importFile('skip'), { end: 'whole', results });
  assert.deepEqual(await importFile('fail'), { end: 'conflict', results });
});

test('an import that is stopped ends before the next batch', async () => {
  assert.deepEqual(await importFile('skip', true), { end: 'stopped', results: [] });
});
