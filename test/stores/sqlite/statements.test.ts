import assert from 'node:assert/strict';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { DAY_MS } from '../../../src/links/time-units.ts';
import { createSummaryReads, createSummaryWrites } from '../../../src/stores/sql/build-summaries.ts';
import { selectUnfound } from '../../../src/stores/sql/check-list.ts';
import { selectCreations } from '../../../src/stores/sql/fill-list.ts';
import { listStatements } from '../../../src/stores/sql/find-listed.ts';
import { selectAttempts, selectChain, selectChanges, selectNewest } from '../../../src/stores/sql/history.ts';
import { FIND_WAITING } from '../../../src/stores/sql/notification-statements.ts';
import { SQLITE, type Statement } from '../../../src/stores/sql/query.ts';
import { readLinkStatement } from '../../../src/stores/sql/read-link.ts';
import { readListedStatements } from '../../../src/stores/sql/read-listed.ts';
import { readAddressSets } from '../../../src/stores/sql/read-summaries.ts';
import { createStatistics, statisticsStatements } from '../../../src/stores/sql/statistics.ts';
import { prepareCommitAttempts } from '../../../src/stores/sqlite/commit-attempts.ts';
import { prepareCreateLinks } from '../../../src/stores/sqlite/create-links.ts';
import { prepareExpireDue } from '../../../src/stores/sqlite/expire-due.ts';
import { prepareFindLink } from '../../../src/stores/sqlite/find-link.ts';
import { prepareQuery } from '../../../src/stores/sqlite/query.ts';
import { prepareRecordDownloads } from '../../../src/stores/sqlite/record-downloads.ts';
import { prepareRevokeLinks } from '../../../src/stores/sqlite/revoke-link.ts';
import { createSchema } from '../../../src/stores/sqlite/schema.ts';
import { prepareSnapshot } from '../../../src/stores/sqlite/snapshot.ts';
import { prepareUploadLedger } from '../../../src/stores/sqlite/upload-ledger.ts';
import { prepareWriteBack, type WriteBack } from '../../../src/stores/sqlite/write-back.ts';

/** A real database that also records the text of each prepared statement. */
class WatchedDatabase extends DatabaseSync {
  readonly prepared: string[] = [];

  override prepare(sql: string): StatementSync {
    this.prepared.push(sql);
    return super.prepare(sql);
  }
}

type Plan = { sql: string; steps: string[] };

/** Returns the query plan of each statement that `prepare` prepares, on the schema. */
function plansOf(prepare: (db: DatabaseSync, writeBack: WriteBack) => unknown): Plan[] {
  const db = openWatched();
  const writeBack = prepareWriteBack(db);
  db.prepared.length = 0;
  prepare(db, writeBack);
  return explain(db);
}

/** Returns the query plans of the statements that `run` prepares and executes. */
async function plansOfRun(run: (db: DatabaseSync) => Promise<unknown>): Promise<Plan[]> {
  const db = openWatched();
  await run(db);
  return explain(db);
}

function openWatched(): WatchedDatabase {
  const db = new WatchedDatabase(':memory:');
  createSchema(db);
  db.prepared.length = 0;
  return db;
}

function explain(db: WatchedDatabase): Plan[] {
  return [...db.prepared].map((sql) => {
    const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
    return { sql: sql.replaceAll(/\s+/g, ' ').trim(), steps: steps.map((step) => String(step['detail'])) };
  });
}

/** The tables that grow with use. The others have a few rows per day at most, or 1,000 in all. */
const GROWING = [
  'user_agent',
  'link',
  'link_target',
  'link_change',
  'audit',
  'download',
  'origin',
  'upload',
  'address_number',
  'period_addresses',
];
const scansGrowingTable = ({ steps }: Plan): boolean =>
  steps.some((step) => GROWING.includes(/^SCAN (\w+)/.exec(step)?.[1] ?? ''));

/** Runs every statement of summaries: those of a range, of building, and of writing. */
async function useSummaries(db: DatabaseSync): Promise<void> {
  const query = prepareQuery(db);
  const inSnapshot = prepareSnapshot(db, query);
  const { accessTotals } = createStatistics(query, inSnapshot, SQLITE);
  const reads = createSummaryReads(query, inSnapshot, SQLITE);
  const writes = createSummaryWrites((work) => work(query), SQLITE);
  const hour = { hours: 1, period: 0, expectedCount: 1 };
  await writes.claimBuilding('instance', 0, 1);
  await writes.numberAddresses(['192.0.2.1']);
  await writes.writeSummaries([
    { hours: 24, period: 5, attemptCount: 0, byHourOfDay: null, addresses: '00' },
    { hours: 1, period: 5, attemptCount: 0, byHourOfDay: null, addresses: '00'.repeat(24) },
  ]);
  await reads.planSummaries(30 * DAY_MS);
  await reads.findUnnumbered({ start: 0, end: 1 });
  for (const hours of [1, 24]) await reads.summarize({ ...hour, hours });
  await readAddressSets(query, SQLITE, [{ hours: 1, period: 5 }]);
  await accessTotals({ start: 1, end: 10 * DAY_MS + 1 });
}

const { rollup, range, overTime, ...others } = statisticsStatements(SQLITE);
const STATISTICS: Statement[] = [rollup, range, overTime, others].flatMap((group) => Object.values(group));

const FILTERS = [null, 'SUCCESS' as const].flatMap((result) =>
  [null, '192.0.2.1'].map((ipAddress) => ({ results: result && [result], ipAddress })),
);
const HISTORY: Statement[] = [
  selectChain(SQLITE),
  selectNewest(SQLITE),
  ...FILTERS.flatMap((filter) => [selectAttempts(SQLITE, filter), selectChanges(SQLITE, filter)]),
];

const LIST: Statement[] = [
  ...listStatements(SQLITE),
  ...readListedStatements(SQLITE),
  ...[selectCreations(SQLITE), selectUnfound(SQLITE)],
];

const STATEMENTS = {
  'an attempt': plansOf(prepareCommitAttempts),
  'a creation': plansOf(prepareCreateLinks),
  'finding a link': plansOf(prepareFindLink),
  'reading a link': plansOf((db) => db.prepare(readLinkStatement(SQLITE).text)),
  'a revocation': plansOf(prepareRevokeLinks),
  'the expiration job': plansOf(prepareExpireDue),
  'writing links later': plansOf((db) => prepareWriteBack(db)),
  'the upload ledger': plansOf(prepareUploadLedger),
  'the ends of downloads': plansOf(prepareRecordDownloads),
  'the history': plansOf((db) => HISTORY.map(({ text }) => db.prepare(text))),
  'the list': plansOf((db) => LIST.map(({ text }) => db.prepare(text))),
  summaries: await plansOfRun(useSummaries),
  'the statistics': plansOf((db) => STATISTICS.map(({ text }) => db.prepare(text))),
};

describe('the statements of the embedded store', () => {
  for (const [what, plans] of Object.entries(STATEMENTS)) {
    test(`no statement of ${what} scans a table that grows`, () => {
      assert.ok(plans.length > 0);
      for (const plan of plans) assert.ok(!scansGrowingTable(plan), `${plan.sql}\n${plan.steps.join('\n')}`);
    });
  }

  const stepsAbout = (plans: Plan[], table: string): string[] =>
    plans.flatMap(({ steps }) => steps).filter((step) => new RegExp(`\\b${table}\\b`).test(step));

  test('a range of time searches the audit by its primary key', () => {
    const steps = stepsAbout(STATEMENTS['the statistics'], 'audit');
    assert.equal(steps.length, 6, 'by result, by hour and by day, at both ends of the range');
    steps.push(...stepsAbout(STATEMENTS.summaries, 'audit'));
    for (const step of steps) assert.equal(step, 'SEARCH audit USING PRIMARY KEY (id>? AND id<?)');
  });

  test('statistics without a range do not read the audit', () => {
    const statements = [rollup, overTime, others].flatMap((group) => Object.values<Statement>(group));
    assert.equal(statements.length, 8);
    for (const { text } of statements) assert.doesNotMatch(text, /\baudit\b/);
  });

  test('summaries and the sets of their addresses are found by their periods', () => {
    const steps = ['period_summary', 'period_addresses'].flatMap((table) =>
      stepsAbout(STATEMENTS.summaries, table),
    );
    assert.ok(steps.length > 8);
    for (const step of steps) assert.match(step, /^SEARCH \w+ USING .*\(hours=\? AND period[=>]/);
  });

  test('rankings read rows in index order and sort nothing', () => {
    const rankings = STATEMENTS['the statistics'].filter(({ sql }) => sql.includes('LIMIT'));
    assert.equal(rankings.length, 2);
    for (const { sql, steps } of rankings) {
      assert.equal(steps.length, 1, sql);
      assert.match(String(steps), /USING COVERING INDEX (top_link_rank|link_security_exception)/);
    }
  });

  test('the expiration job finds due links in their own index, in order', () => {
    const steps = stepsAbout(STATEMENTS['the expiration job'], 'link_due');
    assert.deepEqual(steps, ['SEARCH link USING COVERING INDEX link_due (expires_at>? AND expires_at<?)']);
    for (const { steps } of STATEMENTS['the expiration job'])
      assert.doesNotMatch(steps.join(), /TEMP B-TREE/);
  });

  test('the history finds entries by their ids, and sorts no more than a page', () => {
    const steps = stepsAbout(STATEMENTS['the history'], 'audit');
    assert.ok(steps.length >= 5);
    for (const step of steps) assert.match(step, /^SEARCH audit USING PRIMARY KEY \(id/);
    const [ofChain] = stepsAbout(STATEMENTS['the history'], 'download_id');
    assert.match(String(ofChain), /^SEARCH download USING INDEX download_id \(id=\?\)/);
  });

  test('the full-text search reads links in their order, and sorts nothing', () => {
    const steps = STATEMENTS['the list'].flatMap((plan) =>
      plan.steps.filter((step) => /link_search/.test(step)),
    );
    assert.equal(steps.length, 3);
    for (const { sql, steps } of STATEMENTS['the list'])
      if (sql.includes('MATCH')) assert.doesNotMatch(steps.join(), /TEMP B-TREE/);
  });

  test('finding a link is one search by its short code', () => {
    assert.deepEqual(
      STATEMENTS['finding a link'].map(({ steps }) => steps),
      [['SEARCH link_target USING PRIMARY KEY (short_code=?)']],
    );
  });

  test('a message that waits is found by its link, and not in its whole queue', () => {
    const plans = plansOf((db) => db.prepare(FIND_WAITING.text));
    assert.deepEqual(stepsAbout(plans, 'notification'), [
      'SEARCH notification USING INDEX untried_notification (queue=? AND short_code=?)',
    ]);
  });

  test('an attempt finds its link by the short code', () => {
    const steps = stepsAbout([...STATEMENTS['an attempt'], ...STATEMENTS['writing links later']], 'link');
    assert.ok(steps.length > 0);
    for (const step of steps) assert.equal(step, 'SEARCH link USING PRIMARY KEY (short_code=?)');
  });
});
