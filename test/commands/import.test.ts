import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { attemptOn } from '../support/attempts.ts';
import { json, member, send, until } from '../support/http-client.ts';
import { openLink } from '../support/links.ts';
import { startProgram, startServiceProcess } from '../support/process.ts';
import { readHistory } from '../support/queries.ts';
import { temporaryDirectory } from '../support/service.ts';
import { runServiceCommand } from '../support/service-command.ts';
import { readDatabase } from '../support/sqlite-harness.ts';
import { STORE_PLACES, sqlitePlace } from '../support/store-places.ts';

/** `3 views, 2 of them used`, an expired one, one of another target, and two that are skipped. */
const LINKS = `shortCode,targetUrl,createdAt,expiresAt,maxViews,views,label
two-of-three,https://example.com/a,2020-02-03T04:05:06Z,,3,2,Voucher
old,https://example.com/b,2020-02-03T04:05:06Z,2021-01-01T00:00:00Z,,40,
old,https://example.com/other,,,,,
admin,https://example.com/c,,,,,
`;

function importFile(file: string, databaseUrl: string, ...flags: string[]) {
  return runServiceCommand(argumentsOf(file, databaseUrl, ...flags));
}

function argumentsOf(file: string, databaseUrl: string, ...flags: string[]): string[] {
  return ['import', 'csv', file, `--app.database.url=${databaseUrl}`, ...flags];
}

/** The second batch of 500 takes as long as its passwords to hash, so that a signal arrives in it. */
const SLOW_LINK_COUNT = 1_002;
const SLOW_LINKS = [
  'shortCode,targetUrl,views,password',
  ...Array.from({ length: SLOW_LINK_COUNT }, (_, index) =>
    index >= 500 && index < 560
      ? `slow-${index},https://example.com/${index},,password-${index}`
      : `fast-${index},https://example.com/${index},${index},`,
  ),
].join('\n');

function fileOf(t: TestContext, text: string): string {
  const path = join(temporaryDirectory(t), 'links.csv');
  writeFileSync(path, text);
  return path;
}

function hasLink({ path }: { path: string }, shortCode: string): boolean {
  try {
    return (
      readDatabase(path, (db) => db.prepare('SELECT 1 FROM link WHERE short_code = ?').get(shortCode)) !==
      undefined
    );
  } catch {
    return false; // the database does not exist yet
  }
}

for (const [name, makePlace] of STORE_PLACES) {
  describe(`postern import on ${name}`, () => {
    test('an import keeps codes, dates and counts, and a dry run writes nothing', async (t) => {
      const place = await makePlace(t);
      const file = fileOf(t, LINKS);
      const missing = await importFile(file, place.databaseUrl, '--dry-run');
      assert.match(missing.stderr, /does not exist yet/);
      assert.equal('path' in place && existsSync(String(place.path)), false);
      const report = `${file}.report.csv`;
      const first = await importFile(file, place.databaseUrl, `--report=${report}`);
      assert.equal(first.code, 4, first.stderr);
      assert.match(first.stdout, /^Imported +2\nAlready there +0\nSkipped +2\n/);
      assert.match(
        first.stdout,
        /line 4, "old": another link has it, which leads to https:\/\/example\.com\/b/,
      );
      assert.deepEqual(
        readFileSync(report, 'utf8')
          .split('\r\n')
          .map((line) => line.split(',').slice(0, 4).join()),
        (
          'line,shortCode,result,reason|2,two-of-three,imported,|3,old,imported,|' +
          '4,old,skipped,the short code is taken|5,admin,skipped,the short code is reserved|'
        ).split('|'),
      );
      const inReport = (text: string) =>
        text.replaceAll(/ +/g, ' ').replaceAll('Would be imported', 'Imported');
      assert.equal(inReport(missing.stdout), inReport(first.stdout));
      const before = await place.dump();
      const again = await importFile(file, place.databaseUrl, '--dry-run');
      assert.equal(again.code, 4);
      assert.match(again.stdout, /^Would be imported +0\nAlready there +2\nSkipped +2\n/);
      assert.match(again.stdout, /line 4, "old": another link has it/);
      assert.deepEqual(await place.dump(), before);

      const store = await place.openStore();
      const [limited, old] = await Promise.all([store.read('two-of-three'), store.read('old')]);
      assert.deepEqual(
        [limited?.viewCount, limited?.maxViews, limited?.createdAt, limited?.terms.label, limited?.status],
        [2, 3, Date.parse('2020-02-03T04:05:06Z'), 'Voucher', 'ACTIVE'],
      );
      assert.deepEqual([old?.viewCount, old?.status, old?.lastOpenedAt], [40, 'EXPIRED', null]);
      const open = async () => (await store.attempt(attemptOn('two-of-three', { at: Date.now() }))).verdict;
      const verdicts = [await open(), await open()];
      assert.deepEqual(verdicts, ['SUCCESS', 'VIEW_LIMIT_REACHED']);
      const { items } = await readHistory(store, { shortCode: 'two-of-three' });
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

describe('postern import', () => {
  test('an import adds links while a service runs, which opens them at once', async (t) => {
    const place = sqlitePlace(t);
    const { databaseUrl } = place;
    const service = await startServiceProcess(t, temporaryDirectory(t), { databaseUrl });
    const visit = async (shortCode = 'two-of-three') =>
      (await openLink(service, shortCode, { accept: 'application/json' })).status;
    assert.equal(await visit(), 404);
    const { code } = await importFile(fileOf(t, LINKS), databaseUrl);
    assert.equal(code, 4);
    assert.deepEqual([await visit(), await visit(), await visit('old')], [200, 410, 410]);
    const described = json(await send(service, '/api/links/old'));
    assert.deepEqual(
      ['createdAt', 'expiresAt', 'viewCount', 'state'].map((name) => member(described, name)),
      ['2020-02-03T04:05:06.000Z', '2021-01-01T00:00:00.000Z', 40, 'EXPIRED'],
    );
    service.signal('SIGTERM');
    assert.equal((await service.exited).code, 0);
    assert.deepEqual((await place.recount()).differences, []);
  });

  test('an import that is interrupted keeps whole links, and the same command imports the rest once', async (t) => {
    const place = sqlitePlace(t);
    const { databaseUrl } = place;
    const file = fileOf(t, SLOW_LINKS);
    const running = startProgram(t, [
      'cli/main.ts',
      ...argumentsOf(file, databaseUrl),
      '--app.database.must-exist=false',
    ]);
    let hasEnded = false;
    void running.exited.then(() => (hasEnded = true));
    await until(() => hasLink(place, 'fast-0') || hasEnded);
    running.signal('SIGINT');
    await running.waitForOutput(({ stderr }) => /^Stopping: .*Ctrl-C again/m.test(stderr));
    running.signal('SIGINT'); // npm passes it on
    const { code, stdout, stderr } = await running.exited;
    assert.equal(code, 1);
    assert.match(stderr, /The import was stopped:\n {2}- run the same command again; it continues there\n$/);
    const [, imported = ''] = /^Imported +([\d,]+)\n/.exec(stdout) ?? [];
    const first = Number(imported.replace(',', ''));
    assert.ok(first > 0 && first < SLOW_LINK_COUNT, imported);
    const kept = (await place.dump())['link'] ?? [];
    assert.equal(kept.length, first);
    assert.deepEqual((await place.recount()).differences, []);

    const again = await importFile(file, databaseUrl);
    assert.equal(again.code, 0, again.stderr);
    const counts =
      /^Imported +([\d,]+)\nAlready there +([\d,]+)\nSkipped +0\n {2}Earlier views, .* +[\d,]+\n$/;
    const [, ...numbers] = counts.exec(again.stdout) ?? assert.fail(again.stdout);
    assert.deepEqual(
      numbers.map((text) => Number(text.replace(',', ''))),
      [SLOW_LINK_COUNT - first, first],
    );
    const { link: links = [] } = await place.dump();
    assert.equal(links.length, SLOW_LINK_COUNT);
    assert.deepEqual(
      kept.filter((link) => !links.includes(link)),
      [],
    );
    assert.deepEqual((await place.recount()).differences, []);
  });

  test('an import never overwrites a report', async (t) => {
    const file = fileOf(t, LINKS);
    const { code, stderr } = await importFile(file, `sqlite:${file}.db`, '--dry-run', `--report=${file}`);
    assert.equal(code, 1);
    assert.match(stderr, /--report .*: this file exists already; name a new file/);
    assert.equal(readFileSync(file, 'utf8'), LINKS);
  });
});
