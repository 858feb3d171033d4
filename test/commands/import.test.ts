import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { attemptOn } from '../support/attempts.ts';
import { openLink } from '../support/links.ts';
import { type Exit, startProgram, startServiceProcess } from '../support/process.ts';
import { temporaryDirectory } from '../support/service.ts';
import { postgresPlace, type StorePlace, sqlitePlace } from '../support/store-places.ts';

type Place = StorePlace & { databaseUrl: string };

const ENGINES: [name: string, make: (t: TestContext) => Promise<Place>][] = [
  [
    'SQLite',
    async (t) => {
      const place = sqlitePlace(t);
      return { ...place, databaseUrl: `sqlite:${place.path}` };
    },
  ],
  [
    'PostgreSQL',
    async (t) => {
      const place = await postgresPlace(t);
      return { ...place, databaseUrl: place.url };
    },
  ],
];

/** `3 views, 2 of them used`, an expired one, one of another target, and two that are skipped. */
const LINKS = `shortCode,targetUrl,createdAt,expiresAt,maxViews,views,label
two-of-three,https://example.com/a,2020-02-03T04:05:06Z,,3,2,Voucher
old,https://example.com/b,2020-02-03T04:05:06Z,2021-01-01T00:00:00Z,,40,
old,https://example.com/other,,,,,
admin,https://example.com/c,,,,,
`;

function importFile(t: TestContext, file: string, databaseUrl: string, ...flags: string[]): Promise<Exit> {
  const argv = ['src/commands/import.ts', 'csv', file, `--app.database.url=${databaseUrl}`, ...flags];
  return startProgram(t, argv).exited;
}

function fileOf(t: TestContext, text: string): string {
  const path = join(temporaryDirectory(t), 'links.csv');
  writeFileSync(path, text);
  return path;
}

for (const [name, makePlace] of ENGINES) {
  describe(`npm run import on ${name}`, () => {
    test('keeps codes, dates and counts, and a dry run writes nothing', async (t) => {
      const place = await makePlace(t);
      const file = fileOf(t, LINKS);
      const missing = await importFile(t, file, place.databaseUrl, '--dry-run');
      assert.match(missing.stderr, /does not exist yet/);
      assert.equal('path' in place && existsSync(String(place.path)), false);
      const report = `${file}.report.csv`;
      const first = await importFile(t, file, place.databaseUrl, `--report=${report}`);
      assert.equal(first.code, 2, first.stderr);
      assert.match(first.stdout, /^Imported +2\nAlready there +0\nSkipped +2\n/);
      assert.match(
        first.stdout,
        /line 4, "old": another link has it, which leads to https:\/\/example\.com\/b/,
      );
      assert.deepEqual(
        readFileSync(report, 'utf8')
          .split('\r\n')
          .map((line) => line.split(',').slice(0, 4).join()),
        [
          'line,shortCode,result,reason',
          '2,two-of-three,imported,',
          '3,old,imported,',
          '4,old,skipped,the short code is taken',
          '5,admin,skipped,the short code is reserved',
          '',
        ],
      );
      assert.equal(missing.stdout, first.stdout.replace('Imported         ', 'Would be imported'));
      const before = await place.dump();
      const again = await importFile(t, file, place.databaseUrl, '--dry-run');
      assert.equal(again.code, 2);
      assert.match(again.stdout, /^Would be imported +0\nAlready there +2\nSkipped +2\n/);
      assert.match(again.stdout, /line 4, "old": another link has it/);
      assert.deepEqual(await place.dump(), before);

      const store = await place.openStore();
      const [limited, old] = await Promise.all([store.read('two-of-three'), store.read('old')]);
      assert.deepEqual(
        [limited?.viewCount, limited?.maxViews, limited?.createdAt, limited?.labels.label, limited?.status],
        [2, 3, Date.parse('2020-02-03T04:05:06Z'), 'Voucher', 'ACTIVE'],
      );
      assert.deepEqual([old?.viewCount, old?.status, old?.lastOpenedAt], [40, 'EXPIRED', null]);
      const open = async () => (await store.attempt(attemptOn('two-of-three', { at: Date.now() }))).verdict;
      const verdicts = [await open(), await open()];
      assert.deepEqual(verdicts, ['SUCCESS', 'VIEW_LIMIT_REACHED']);
      const filter = {
        shortCode: 'two-of-three',
        range: { start: null, end: null },
        results: null,
        ipAddress: null,
      };
      const { items } = await store.history.readPage({ ...filter, limit: 10, before: null });
      await store.close();
      const [created] = items.filter(({ kind }) => kind === 'CREATED');
      assert.ok(created?.kind === 'CREATED');
      assert.deepEqual(created.author, { kind: 'COMMAND', name: 'import', ipAddress: null });
      const { createdAt, importedFrom, viewCount } = created.details;
      assert.deepEqual([createdAt, importedFrom, viewCount], ['2020-02-03T04:05:06.000Z', 'csv', 2]);
      assert.deepEqual((await place.recount()).differences, []);
      await place.run(`UPDATE link SET view_count = 39 WHERE short_code = 'old'`);
      assert.match(
        (await place.recount()).differences.join('\n'),
        /views of link old: stored 39, recounted 40/,
      );
    });
  });
}

describe('npm run import', () => {
  test('adds links while a service runs, which opens them at once', async (t) => {
    const place = sqlitePlace(t);
    const service = await startServiceProcess(t, temporaryDirectory(t), {
      databaseUrl: `sqlite:${place.path}`,
    });
    const visit = async () =>
      (await openLink(service, 'two-of-three', { accept: 'application/json' })).status;
    assert.equal(await visit(), 404);
    const { code } = await importFile(t, fileOf(t, LINKS), `sqlite:${place.path}`);
    assert.equal(code, 2);
    assert.deepEqual([await visit(), await visit()], [200, 410]);
    service.signal('SIGTERM');
    assert.equal((await service.exited).code, 0);
    assert.deepEqual((await place.recount()).differences, []);
  });

  test('never overwrites a report', async (t) => {
    const file = fileOf(t, LINKS);
    const { code, stderr } = await importFile(t, file, `sqlite:${file}.db`, '--dry-run', `--report=${file}`);
    assert.equal(code, 1);
    assert.match(stderr, /--report .*: this file exists already; name a new file/);
    assert.equal(readFileSync(file, 'utf8'), LINKS);
  });
});
