import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import type { Config } from '../../src/core/config/config.ts';
import { PROJECTION_TABLES } from '../../src/stores/sql/rebuild.ts';
import { findDifferences, rebuildStore } from '../../src/tools/commands/verify-store.ts';
import { makeSeededStore } from '../bit-flips/seeded-store.ts';
import { attemptOn, codeOf, newChange, redirectLink } from '../support/attempts.ts';
import { copyOfKilled, openedStore } from '../support/killed-store.ts';
import { SILENT } from '../support/moves.ts';
import { startProgram } from '../support/process.ts';
import { temporaryDirectory, testConfig } from '../support/service.ts';
import { runServiceCommand } from '../support/service-command.ts';
import { readDatabase } from '../support/sqlite-harness.ts';

/** Damages everything that follows from records. */
const DAMAGES = `UPDATE attempts_by_day SET count = count + 1;
DELETE FROM attempts_by_hour WHERE hour % 2 = 0;
UPDATE log_hour SET last_seq = 1 WHERE hour % 2 = 0;
UPDATE origin SET ip_address = '192.0.2.99' WHERE ip_address = '203.0.113.7';
DELETE FROM origin_by_hour WHERE number = 1;
DELETE FROM links_by_status WHERE status = 'ACTIVE';
INSERT INTO link_exception VALUES ('L0000001', 3);
INSERT INTO download VALUES (zeroblob(16), 1);
UPDATE top_link SET view_count = view_count + 7;
DELETE FROM listed_link WHERE number % 2 = 0;
INSERT INTO link_search (link_search) VALUES ('delete-all')`;
/** What verify finds then. */
const FINDINGS = [
  /attempts by day and result: [\d-]+ SUCCESS/,
  /attempts by hour and result: [\d-]+ [\d:]+ UTC SUCCESS/,
  /last_seq of hour [\d-]+ [\d:]+ UTC: stored 1, recounted \d+/,
  /origin of hour .* 192\.0\.2\.99: stored 1, recounted nothing/,
  /origin of hour .*: stored nothing/,
  /links by status: ACTIVE: stored nothing/,
  /wrong passwords of link L0000001: stored 3, recounted nothing/,
  /end of a download, .*: 0{32} 1: stored 1, recounted nothing/,
  /rank 1 by views/,
  /search of link L\d+: it is not found by all of its terms/,
];

/** Copies a store that is stopped, and changes the copy without the checks of the database. */
function copyOf(t: TestContext, path: string, sql: string): { config: Config; path: string } {
  const directory = temporaryDirectory(t);
  cpSync(dirname(path), directory, { recursive: true });
  const copy = { config: testConfig(directory), path: join(directory, 'postern.db') };
  damage(copy.path, sql);
  return copy;
}

function damage(path: string, sql: string): void {
  using db = new DatabaseSync(path, { timeout: 5_000 });
  db.exec(`PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF; ${sql}`);
}

/** Reads every row that does not follow from others. */
function readRecords(path: string): Record<string, unknown[]> {
  return readDatabase(path, (db) => {
    const tables = db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all();
    const names = tables.map(({ name }) => String(name));
    const derived = [...PROJECTION_TABLES, 'listed_link', 'projector'];
    const records = names.filter((name) => !derived.includes(name) && !name.startsWith('link_search'));
    return Object.fromEntries(records.map((name) => [name, db.prepare(`SELECT * FROM ${name}`).all()]));
  });
}

function readListed(path: string): unknown {
  const selects = [
    'SELECT short_code FROM listed_link ORDER BY number',
    'SELECT term, CAST(doc AS TEXT) FROM search_term ORDER BY term, doc',
  ];
  return readDatabase(path, (db) => {
    db.exec('CREATE VIRTUAL TABLE temp.search_term USING fts5vocab (main, link_search, instance)');
    return selects.map((select) => db.prepare(select).all());
  });
}

/** The position in the header of a leaf that says where its rows begin. */
const CELLS_FROM = 5;

type Page = { start: number; bytes: number };

function readPagesOf(path: string, table: string): Page[] {
  using db = new DatabaseSync(path, { readOnly: true });
  const select = db.prepare(
    "SELECT pageno AS page, pgsize AS bytes FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY pageno",
  );
  return select.all(table).map((row) => {
    const bytes = Number(row['bytes']);
    return { start: (Number(row['page']) - 1) * bytes, bytes };
  });
}

/** Flips a bit of a short code inside a page of a table, as a disk does. */
function flipShortCodeIn(path: string, table: string): void {
  const pages = readPagesOf(path, table);
  const file = readFileSync(path);
  const place = pages
    .map(({ start, bytes }) => {
      const page = file.subarray(start, start + bytes);
      return { start, at: page.indexOf('L0000', page.readUInt16BE(CELLS_FROM)) };
    })
    .find(({ at }) => at >= 0);
  assert.ok(place, `no short code in ${table}`);
  const position = place.start + place.at;
  file.writeUInt8(file.readUInt8(position) ^ 0x10, position);
  writeFileSync(path, file);
}

function fillFirstPageOf(path: string, table: string): void {
  const [page] = readPagesOf(path, table);
  assert.ok(page);
  writeFileSync(path, readFileSync(path).fill(0xa5, page.start, page.start + page.bytes));
}

test('rebuilding a store', async (t) => {
  const { path } = await makeSeededStore(t);
  const expected = { records: readRecords(path), listed: readListed(path) };

  async function assertFixes(copy: { config: Config; path: string }, findings: RegExp[]): Promise<void> {
    const rebuilt = await rebuildStore(copy.config, SILENT);
    assert.ok(rebuilt.kind === 'rebuilt', JSON.stringify(rebuilt));
    for (const finding of findings) assert.match(rebuilt.fixed.join('\n'), finding);
    assert.deepEqual([rebuilt.remaining, (await findDifferences(copy.config)).differences], [[], []]);
    assert.deepEqual(readRecords(copy.path), expected.records);
    assert.deepEqual(readListed(copy.path), expected.listed);
  }

  await t.test('postern rebuild fixes projections', (t) => assertFixes(copyOf(t, path, DAMAGES), FINDINGS));

  await t.test('postern rebuild fixes a flipped bit that SQLite reports as damage of the file', async (t) => {
    const copy = copyOf(t, path, '');
    flipShortCodeIn(copy.path, 'top_link');
    const finding = /^damaged database: row not in PRIMARY KEY order for top_link$/m;
    assert.equal((await findDifferences(copy.config)).isRebuildable, true);
    await assertFixes(copy, [finding]);
  });

  await t.test(
    'postern rebuild changes nothing where records differ, and names the difference',
    async (t) => {
      const copy = copyOf(
        t,
        path,
        `UPDATE entry SET ip_address = '192.0.2.1' WHERE number = 2; DELETE FROM listed_link`,
      );
      const records = readRecords(copy.path);
      const rebuilt = await rebuildStore(copy.config, SILENT);
      assert.ok(rebuilt.kind === 'refused');
      assert.match(rebuilt.differences.join('\n'), /entry 2 does not give its fingerprint/);
      assert.doesNotMatch(rebuilt.differences.join('\n'), /links missing in the list/);
      assert.deepEqual(readRecords(copy.path), records);
      const { isRebuildable, isRecordDamaged, differences } = await findDifferences(copy.config);
      assert.deepEqual(
        [isRebuildable, isRecordDamaged, differences.some((text) => /^links missing in the list/.test(text))],
        [false, true, true],
      );
    },
  );

  await t.test(
    'postern rebuild changes nothing where a page is damaged, or a flipped bit is in a record',
    async (t) => {
      for (const table of ['entry', 'link']) {
        const copy = copyOf(t, path, '');
        flipShortCodeIn(copy.path, table);
        assert.equal((await rebuildStore(copy.config, SILENT)).kind, 'refused', table);
      }
      const copy = copyOf(t, path, '');
      fillFirstPageOf(copy.path, 'listed_link');
      assert.equal((await rebuildStore(copy.config, SILENT)).kind, 'refused');
    },
  );

  await t.test('postern rebuild can be killed at any moment, and repeated', async (t) => {
    const kill = async (label: string, leaves: RegExp): Promise<void> => {
      const copy = copyOf(t, path, 'DELETE FROM listed_link; UPDATE attempts_by_day SET count = 1');
      const { signal } = await startProgram(t, ['test/commands/rebuild-killed.ts', copy.path, label]).exited;
      assert.equal(signal, 'SIGKILL', label);
      assert.match((await findDifferences(copy.config)).differences.join('\n'), leaves);
      await assertFixes(copy, []);
    };
    await Promise.all([
      kill('Statistics', /^(attempts by day .*\n)+links missing in the list: \d+$/),
      kill('List of links', /^links missing in the list: \d+$/),
    ]);
  });

  await t.test('postern rebuild prints what it fixed, which verify says how to', async (t) => {
    const { path: copy } = copyOf(t, path, "DELETE FROM links_by_status WHERE status = 'REVOKED'");
    const flags = [`--app.database.url=sqlite:${copy}`, `--app.storage.path=${join(dirname(copy), 'files')}`];
    const run = (command: string) => runServiceCommand([command, ...flags]);
    const found = await run('verify');
    assert.deepEqual([found.code, found.stdout], [1, '']);
    assert.match(found.stderr, /\nTo fix the database, stop the service and run `postern rebuild`.*\n$/);
    const fixed = await run('rebuild');
    assert.equal(fixed.code, 0, fixed.stderr);
    assert.match(fixed.stderr, /^Checking the store\nStatistics .*\n(.*\n)*Checking the store again\n$/);
    assert.match(fixed.stdout, /^Rebuilt .*\nFixed 1 difference:\n {2}- links by status: REVOKED/);
  });
});

test('rebuilding a store refuses while a service uses it, and changes nothing', async (t) => {
  const path = join(temporaryDirectory(t), 'postern.db');
  const store = await openedStore(t, path);
  await store.create(redirectLink(codeOf(1)), newChange());
  const rebuilding = rebuildStore(testConfig(dirname(path)), SILENT);
  await assert.rejects(rebuilding, /sqlite:.*uses the database: stop the service, .*repeat the command/);
  await store.attempt(attemptOn(codeOf(1)));
});

test('rebuilding a store writes what a killed service has left for later', async (t) => {
  const path = join(temporaryDirectory(t), 'postern.db');
  const store = await openedStore(t, path);
  for (const index of [1, 2]) await store.create(redirectLink(codeOf(index)), newChange());
  for (const index of [1, 2, 2]) await store.attempt(attemptOn(codeOf(index), { at: Date.now() }));
  const copy = copyOfKilled(t, path);
  damage(copy, "UPDATE links_by_status SET count = 7 WHERE status = 'ACTIVE'");
  /** Reads rows as they are, without what a service has left for later. */
  const readRows = () => {
    using db = new DatabaseSync(copy, { readOnly: true });
    return db
      .prepare('SELECT view_count, entry_count FROM link ORDER BY short_code')
      .all()
      .map(Object.values)
      .join();
  };
  assert.equal(readRows(), '0,1,0,1'); // the attempts are left
  const config = testConfig(dirname(copy));
  mkdirSync(join(dirname(copy), 'files'));

  const rebuilt = await rebuildStore(config, SILENT);
  assert.ok(rebuilt.kind === 'rebuilt');
  assert.deepEqual([rebuilt.fixed.length > 0, rebuilt.remaining], [true, []]);
  assert.equal(readRows(), '1,2,2,3');
  const opened = await openedStore(t, copy);
  await opened.attempt(attemptOn(codeOf(2), { at: Date.now() }));
  await opened.close();
  assert.deepEqual((await findDifferences(config)).differences, []);
  assert.equal(readRows(), '1,2,3,4');
});
