import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { describe, type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { HOUR_MS } from '../../../src/core/model/time-units.ts';
import { changeLinks } from '../../../src/stores/sql/change-links.ts';
import { commitAttempts } from '../../../src/stores/sql/commit-attempts.ts';
import { createLinks } from '../../../src/stores/sql/create-links.ts';
import { recordDownloads } from '../../../src/stores/sql/record-downloads.ts';
import { recountStore } from '../../../src/stores/sql/recount.ts';
import { revokeLinks } from '../../../src/stores/sql/revoke-links.ts';
import { beginTransaction, openForWriting } from '../../../src/stores/sqlite/connection.ts';
import { openLinkTransactions } from '../../../src/stores/sqlite/open-link-transactions.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/open-store.ts';
import { prepareRun } from '../../../src/stores/sqlite/query.ts';
import { readSqliteStore } from '../../../src/stores/sqlite/read-store.ts';
import { createSchema } from '../../../src/stores/sqlite/schema.ts';
import {
  attemptOn,
  codeOf,
  downloadOf,
  newChange,
  PASSES,
  redirectLink,
  START,
} from '../../support/attempts.ts';
import { storeRuns } from '../../support/histories.ts';
import { untilProjected, WHOLE } from '../../support/recount.ts';
import { temporaryDirectory } from '../../support/service.ts';
import { addRecords, openSqliteHarness, readDatabase } from '../../support/sqlite-harness.ts';

const LINKS = 3;
const LIMIT = 7;

/** Each slice of a round is one step, and no round begins by itself. */
const STEP_BY_STEP = { sliceMs: 0, maxWaiting: Number.POSITIVE_INFINITY, idleMs: 2 ** 30 };

/** A store whose process can be killed between any two transactions: its memory is gone then. */
function openKillable(t: TestContext) {
  const path = join(temporaryDirectory(t), 'postern.db');
  const db = openForWriting(path);
  t.after(() => db.close());
  createSchema(db);
  db.exec('PRAGMA busy_timeout = 0');
  const open = () => openLinkTransactions(db, prepareRun(db), STEP_BY_STEP);
  let links = open();
  t.after(() => links.projector.stop());
  return {
    path,
    db,
    get links() {
      return links;
    },
    kill(): void {
      links.projector.stop();
      links = open();
    },
    whileLocked(act: () => void): void {
      using other = openForWriting(path);
      using _ = beginTransaction(other);
      act();
    },
  };
}
type Killable = ReturnType<typeof openKillable>;

const anyAction = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('attempts'),
      link: fc.nat(LINKS),
      count: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('project'),
      link: fc.nat(0),
      count: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('kill', 'lock'), link: fc.nat(0), count: fc.nat(0) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('change', 'revoke', 'download'),
      link: fc.nat(LINKS - 1),
      count: fc.nat(0),
    }),
  },
);
type Action = { kind: string; link: number; count: number };

async function act(store: Killable, { kind, link, count }: Action, addressOf: () => string): Promise<void> {
  const { onLinks, projector } = store.links;
  const code = codeOf(link);
  if (kind === 'kill') store.kill();
  else if (kind === 'lock') store.whileLocked(() => assert.equal(projector.advance(), false));
  else if (kind === 'project') for (let slice = 0; slice < count; slice++) projector.advance();
  else if (kind === 'change')
    await onLinks((transaction) =>
      changeLinks(transaction, [
        {
          shortCode: code,
          requested: { patch: { terms: { label: randomUUID() } }, versions: null },
          change: newChange(),
        },
      ]),
    );
  else if (kind === 'revoke')
    await onLinks((transaction) => revokeLinks(transaction, [{ shortCode: code, change: newChange() }]));
  else if (kind === 'download') await download(store, code);
  else {
    const attempts = Array.from({ length: count }, (_, index) =>
      attemptOn(code, {
        ipAddress: addressOf(),
        ...(index === 2 && { prechecks: { ...PASSES, password: 'WRONG' } }),
      }),
    );
    await onLinks((transaction) => commitAttempts(transaction, attempts));
  }
}

/** Grants an attempt and records the end of its download, each in a transaction. */
async function download({ links: { onLinks } }: Killable, code: string): Promise<void> {
  const attempt = attemptOn(code);
  const [outcome] = await onLinks((transaction) => commitAttempts(transaction, [attempt]));
  if (typeof outcome === 'object' && outcome.verdict === 'SUCCESS')
    await onLinks((transaction) => recordDownloads(transaction, [downloadOf(attempt)]));
}

async function assertConsistent({ path }: Killable): Promise<void> {
  const { differences } = await readSqliteStore(path, recountStore);
  assert.deepEqual(differences, []);
}

describe('the projector of an embedded store', () => {
  test('the projector loses nothing and counts nothing twice, with a kill or a lock between any two transactions', async (t) => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyAction, { maxLength: 20, size: 'max' }), async (actions) => {
        const store = openKillable(t);
        const links = Array.from({ length: LINKS }, (_, index) => ({
          link: redirectLink(codeOf(index), { maxViews: LIMIT }),
          change: newChange(),
        }));
        await store.links.onLinks((transaction) => createLinks(transaction, links));
        let next = 0;
        for (const action of actions) {
          await act(store, action, () => `192.0.2.${next++ % 50}`);
          if (action.kind !== 'attempts') await assertConsistent(store);
        }
        store.kill();
        while (store.links.projector.advance());
        await assertConsistent(store);
        const waiting = readDatabase(store.path, (db) =>
          db.prepare('SELECT (SELECT max(seq) FROM entry) - position AS count FROM projector').get(),
        );
        assert.equal(waiting?.['count'], 0);
      }),
      storeRuns(20),
    );
  });

  test('a round that fails is undone, and is repeated', async (t) => {
    const store = openKillable(t);
    await store.links.onLinks((transaction) =>
      createLinks(transaction, [{ link: redirectLink(codeOf(1)), change: newChange() }]),
    );
    const attempts = Array.from({ length: 5 }, (_, index) =>
      attemptOn(codeOf(1), { ipAddress: `192.0.2.${index}` }),
    );
    await store.links.onLinks((transaction) => commitAttempts(transaction, attempts));
    failOn(store.db, 'attempts_by_day');
    while (store.links.projector.advance());
    assert.match(String(store.links.projector.failure()), /it fails/);
    const first = { waitingEntries: 6, oldestAgeSeconds: 3, failures: 1 };
    assert.partialDeepStrictEqual(store.links.projector.measure(START + 3_000), first);
    await assertConsistent(store);
    store.db.exec('DROP TRIGGER failing');
    while (store.links.projector.advance());
    assert.equal(store.links.projector.failure(), undefined);
    const last = { waitingEntries: 0, oldestAgeSeconds: 0, failures: 1 };
    assert.partialDeepStrictEqual(store.links.projector.measure(START + 3_000), last);
    await assertConsistent(store);
  });

  test('an imported link is ranked by its views after a kill', async (t) => {
    const store = openKillable(t);
    const imported = { from: 'csv', status: 'ACTIVE', viewCount: 7, isPaused: false } as const;
    const created = { link: { ...redirectLink(codeOf(1)), imported }, change: newChange() };
    await store.links.onLinks((transaction) => createLinks(transaction, [created]));
    store.kill();
    while (store.links.projector.advance());
    assert.equal(store.db.prepare('SELECT view_count FROM top_link').get()?.['view_count'], 7);
    await assertConsistent(store);
  });

  test('an entry that cannot be counted stops the projection and is reported by its number, and visits go on', async () => {
    await using harness = await openSqliteHarness();
    const link = redirectLink(codeOf(1), { maxViews: 3 });
    await harness.store.create(link, newChange());
    const attempt = async () => (await harness.store.attempt(attemptOn(codeOf(1)))).verdict;
    assert.equal(await attempt(), 'SUCCESS');
    await harness.execute(insertAttempt({ code: 'unknown1', result: 'NULL' }));
    await harness.reopen();
    const IS_NAMED = /the entries from seq 3 on cannot be counted: NOT NULL constraint failed/;
    for (const verdict of ['SUCCESS', 'SUCCESS', 'VIEW_LIMIT_REACHED']) {
      assert.equal(await attempt(), verdict);
      const { store } = harness;
      await assert.rejects(store.statistics.accessTotals(WHOLE), IS_NAMED);
      assert.deepEqual(await store.findProblems(), ['projection_failing']);
      assert.match(store.explainProblem?.('projection_failing') ?? '', IS_NAMED);
      assert.ok((await store.measureProjector(START)).waitingEntries > 0);
      const { differences } = await readSqliteStore(harness.path, recountStore);
      assert.ok(
        differences.some((text) => text.startsWith('entry that cannot be counted, by its seq: 3')),
        differences.join(),
      );
      await harness.reopen();
    }
    await harness.execute('DELETE FROM entry WHERE seq = 3');
    await harness.reopen();
    const { countsByResult } = await harness.store.statistics.accessTotals(WHOLE);
    assert.deepEqual(countsByResult, { SUCCESS: 3, VIEW_LIMIT_REACHED: 1 });
    assert.deepEqual(await harness.store.findProblems(), []);
    assert.deepEqual((await readSqliteStore(harness.path, recountStore)).differences, []);
  });

  test('a table to which nothing can be added stops the projection, which continues once it is repaired', async () => {
    await using harness = await openSqliteHarness();
    const { store, path } = harness;
    await store.create(redirectLink(codeOf(1)), newChange());
    const attempt = () => store.attempt(attemptOn(codeOf(1)));
    await attempt();
    await store.statistics.accessTotals(WHOLE);
    await harness.execute('UPDATE attempts_by_hour SET count = 9223372036854775807');
    for (let attempts = 0; attempts < 30; attempts++) await attempt();
    const IS_NAMED =
      /the entries from seq 3 on cannot be counted: cannot store REAL value .* attempts_by_hour/;
    await assert.rejects(store.statistics.accessTotals(WHOLE), IS_NAMED);
    assert.partialDeepStrictEqual(await store.measureProjector(START), { waitingEntries: 30 });
    await harness.execute('UPDATE attempts_by_hour SET count = 1');
    const { countsByResult } = await untilProjected(() => store.statistics.accessTotals(WHOLE));
    assert.deepEqual(countsByResult, { SUCCESS: 31 });
    assert.deepEqual(await store.findProblems(), []);
    assert.deepEqual((await readSqliteStore(path, recountStore)).differences, []);
  });

  test('the search for an entry that cannot be counted ends with its repair: steps become large again', (t) => {
    const store = openKillable(t);
    for (let seq = 1; seq <= 600; seq++)
      store.db.exec(insertAttempt({ code: 'unknown1', result: seq === 9 ? 'NULL' : `'NOT_FOUND'` }));
    store.kill();
    while (store.links.projector.advance());
    assert.match(String(store.links.projector.failure()), /the entries from seq 9 on cannot be counted/);
    store.db.exec(`UPDATE entry SET result = 'NOT_FOUND' WHERE seq = 9`);
    let steps = 1;
    while (store.links.projector.advance()) steps++;
    assert.equal(store.links.projector.failure(), undefined);
    assert.ok(steps < 30, `${steps} steps`);
  });

  test('a link in memory is read again after a change, also by another program', async (t) => {
    const store = openKillable(t);
    const created = [1, 2].map((index) => ({ link: redirectLink(codeOf(index)), change: newChange() }));
    await store.links.onLinks((transaction) => createLinks(transaction, created));
    const attempt = async (link: number) => {
      const attempts = [attemptOn(codeOf(link))];
      const [outcome] = await store.links.onLinks((transaction) => commitAttempts(transaction, attempts));
      while (store.links.projector.advance());
      return outcome;
    };
    for (const link of [1, 2]) assert.deepEqual(await attempt(link), { verdict: 'SUCCESS', viewCount: 1 });
    await act(store, { kind: 'revoke', link: 1, count: 1 }, () => '');
    assert.deepEqual(await attempt(1), { verdict: 'REVOKED', viewCount: 1 });
    store.db.exec('UPDATE link SET is_paused = 1'); // the connection of the writer, which knows its links
    assert.deepEqual(await attempt(2), { verdict: 'SUCCESS', viewCount: 2 });
    using other = openForWriting(store.path);
    other.exec('UPDATE link SET is_paused = 1');
    assert.deepEqual(await attempt(2), { verdict: 'PAUSED', viewCount: 2 });
  });

  test('a change whose text is damaged stops neither attempts nor statistics after a kill', async (t) => {
    const store = openKillable(t);
    const created = { link: redirectLink(codeOf(1)), change: newChange() };
    await store.links.onLinks((transaction) => createLinks(transaction, [created]));
    store.db.exec(`UPDATE entry SET details = '{'`);
    store.kill();
    await act(store, { kind: 'attempts', link: 1, count: 1 }, () => '192.0.2.1');
    while (store.links.projector.advance());
    assert.equal(store.links.projector.measure(START).waitingEntries, 0);
  });

  test('a transaction that fails leaves nothing, and the next one sees every entry', async (t) => {
    const store = openKillable(t);
    const create = (index: number) =>
      store.links.onLinks((transaction) =>
        createLinks(transaction, [
          { link: redirectLink(codeOf(index), { maxViews: 3 }), change: newChange() },
        ]),
      );
    const attempt = (result: string) =>
      store.links.onLinks(async (transaction) => {
        const [outcome] = await commitAttempts(transaction, [attemptOn(codeOf(1))]);
        assert.equal(typeof outcome === 'object' && outcome.verdict, result);
      });
    await create(1);
    await attempt('SUCCESS');
    failOn(store.db, 'entry');
    await assert.rejects(attempt('SUCCESS'), /it fails/);
    await assert.rejects(create(2), /it fails/);
    store.db.exec('DROP TRIGGER failing');
    for (const result of ['SUCCESS', 'SUCCESS', 'VIEW_LIMIT_REACHED']) await attempt(result);
    await assertConsistent(store);
  });

  test('the statistics and the states of links have the waiting entries of a killed service at the next start', async (t) => {
    const count = 100_000;
    const path = join(temporaryDirectory(t), 'postern.db');
    const before = await openSqliteStore({ path });
    await before.create(redirectLink(codeOf(1)), newChange());
    await before.close();
    using db = openForWriting(path);
    db.exec(
      `INSERT INTO entry (seq, format, id, at, kind, short_code, number, prev, fingerprint, result, count, ip_address)
       WITH RECURSIVE counted (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM counted WHERE n <= ${count})
       SELECT n, 1, randomblob(16), ${START}, 'ATTEMPT', '${codeOf(1)}', n, n - 1, randomblob(32), 'SUCCESS', 1,
         '10.0.' || (n % 100) || '.' || (n % 7) FROM counted`,
    );
    const store = await openSqliteStore({ path });
    try {
      const [link, totals] = await Promise.all([
        store.read(codeOf(1)),
        untilProjected(() => store.statistics.accessTotals(WHOLE)),
      ]);
      assert.deepEqual([link?.viewCount, link?.history.entryCount], [count, count + 1]);
      assert.deepEqual(totals, { countsByResult: { SUCCESS: count }, uniqueOrigins: 700 });
    } finally {
      await store.close();
    }
    const rows = db.prepare('SELECT view_count FROM link').all();
    assert.deepEqual(
      rows.map((row) => row['view_count']),
      [count],
    );
  });
});

/** Returns the statement that adds an attempt which no service recorded. `result`: in SQL. */
function insertAttempt({
  code,
  result,
  number = 0,
}: {
  code: string;
  result: string;
  number?: number;
}): string {
  return `INSERT INTO entry (format, id, at, kind, short_code, number, fingerprint, result, count)
          VALUES (1, randomblob(16), ${START}, 'ATTEMPT', '${code}', ${number},
            CASE WHEN ${number} > 0 THEN randomblob(32) END, ${result}, 1)`;
}

/** Lets each insertion into a table fail, as a full disk would. */
function failOn(db: DatabaseSync, table: string): void {
  db.exec(
    `CREATE TEMP TRIGGER failing BEFORE INSERT ON main.${table} BEGIN SELECT RAISE(ABORT, 'it fails'); END`,
  );
}

test('the addresses of an old hour are replaced without a look at the log after it', async (t) => {
  await using harness = await openSqliteHarness();
  const { store, path } = harness;
  await store.create(redirectLink(codeOf(1)), newChange());
  await store.attempt(attemptOn(codeOf(1), { at: START - 24 * HOUR_MS }));
  addRecords(path, 300_000);
  await harness.reopen();
  await harness.store.erasures.project('position');
  const readings: number[] = [];
  const replacements: number[] = [];
  for (let run = 0; run < 3; run++) {
    await harness.execute(
      'UPDATE log_hour SET is_outdated = 1 WHERE hour = (SELECT min(hour) FROM log_hour)',
    );
    const startedAt = performance.now();
    assert.equal(await harness.store.erasures.updateOrigins(), true);
    const replacedAt = performance.now();
    readDatabase(path, (db) => db.prepare('SELECT sum(at / 3600000 = 1) FROM entry').get());
    replacements.push(replacedAt - startedAt);
    readings.push(performance.now() - replacedAt);
  }
  const [replacing, readAll] = [Math.min(...replacements), Math.min(...readings)];
  t.diagnostic(`${replacing} ms, the whole log ${readAll} ms`);
  assert.ok(replacing < readAll / 3, `${replacing} ms, the whole log ${readAll} ms`);
});
