import assert from 'node:assert/strict';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { changeLinks } from '../../../src/stores/sql/change-links.ts';
import { commitAttempts } from '../../../src/stores/sql/commit-attempts.ts';
import { createLinks } from '../../../src/stores/sql/create-links.ts';
import { FIND_WAITING } from '../../../src/stores/sql/delivery-queues.ts';
import { expireDue } from '../../../src/stores/sql/expire-due.ts';
import { listStatements } from '../../../src/stores/sql/find-listed.ts';
import { SELECT_JUMP, SELECT_NEWEST, selectChain, selectItems } from '../../../src/stores/sql/history.ts';
import type { LinkTransaction } from '../../../src/stores/sql/link-transaction.ts';
import { SQLITE, type Statement } from '../../../src/stores/sql/query.ts';
import { FIND_LINK, readLinkStatement, readLinksStatement } from '../../../src/stores/sql/read-link.ts';
import { recordDownloads } from '../../../src/stores/sql/record-downloads.ts';
import { revokeLinks } from '../../../src/stores/sql/revoke-links.ts';
import { statisticsStatements } from '../../../src/stores/sql/statistics.ts';
import { createUploadLedger } from '../../../src/stores/sql/upload-ledger.ts';
import { viewsStatements } from '../../../src/stores/sql/views.ts';
import { openLinkTransactions } from '../../../src/stores/sqlite/open-link-transactions.ts';
import { prepareQuery, prepareRun } from '../../../src/stores/sqlite/query.ts';
import { createSchema } from '../../../src/stores/sqlite/schema.ts';
import {
  attemptOn,
  codeOf,
  downloadLink,
  downloadOf,
  fileIdOf,
  newChange,
  redirectLink,
  START,
} from '../../support/attempts.ts';
import { pluck } from '../../support/pluck.ts';

/** A real database that also records the text of each prepared statement. */
class WatchedDatabase extends DatabaseSync {
  readonly prepared: string[] = [];

  override prepare(sql: string): StatementSync {
    this.prepared.push(sql);
    return super.prepare(sql);
  }
}

type Plan = { sql: string; steps: string[] };

function openWatched(): WatchedDatabase {
  const db = new WatchedDatabase(':memory:');
  createSchema(db);
  db.prepared.length = 0;
  return db;
}

function explain(db: WatchedDatabase): Plan[] {
  return [...new Set(db.prepared)]
    .filter((sql) => !sql.startsWith('PRAGMA'))
    .map((sql) => {
      const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
      return { sql: sql.replaceAll(/\s+/g, ' ').trim(), steps: steps.map((step) => String(step['detail'])) };
    });
}

/** Returns the query plans of statements. */
function plansOf(statements: readonly Statement[]): Plan[] {
  const db = openWatched();
  for (const statement of statements) db.prepare(statement);
  return explain(db);
}

/** Returns the query plans of all statements of operations on links, from the opening of the log to its projection. */
async function plansOfOperations(): Promise<Plan[]> {
  const db = openWatched();
  const run = prepareRun(db);
  const { onLinks, projector } = openLinkTransactions(db, run, { idleMs: 2 ** 30 });
  await createUploadLedger((work) => work(prepareQuery(db, run)), SQLITE).beginUploads([
    { fileId: fileIdOf(1), at: START },
  ]);
  const change = newChange({ notifiedLinks: 'SUBSCRIBED' });
  const request = { id: 'id', fingerprint: 'f', itemCount: 1 };
  const links = [redirectLink(codeOf(1), { expiresAt: START }), redirectLink(codeOf(2))];
  const creations = [...links, downloadLink(codeOf(3), { fileId: fileIdOf(1) })].map((link, item) => ({
    ...{ link, change },
    idempotency: { request, item, response: '{}' },
  }));
  const attempts = [codeOf(2), codeOf(3), codeOf(3)].map((code) => attemptOn(code));
  const [first = assert.fail()] = attempts;
  const requested = { patch: { maxViews: 9, notifyUrl: 'https://hooks.example' }, versions: null };
  const operations: ((transaction: LinkTransaction) => Promise<unknown>)[] = [
    (transaction) => createLinks(transaction, creations),
    (transaction) => commitAttempts(transaction, attempts),
    (transaction) => recordDownloads(transaction, [downloadOf(first)]),
    (transaction) => changeLinks(transaction, [{ shortCode: codeOf(2), requested, change }]),
    (transaction) => revokeLinks(transaction, [{ shortCode: codeOf(3), change }]),
    (transaction) => expireDue(transaction, { now: START + 1, limit: 9, notifiedLinks: 'SUBSCRIBED' }),
  ];
  for (const operation of operations) await onLinks(operation);
  while (projector.advance());
  projector.stop();
  return explain(db);
}

/** The tables that grow with use. The others have a few rows per hour at most, or 1,000 in all. */
const GROWING = [
  ...['user_agent', 'link', 'link_target', 'entry', 'download', 'origin', 'origin_by_hour', 'history_jump'],
  ...['link_exception', 'upload', 'idempotent_request', 'idempotent_response', 'listed_link'],
];
const scansGrowingTable = ({ steps }: Plan): boolean =>
  steps.some((step) => GROWING.includes(/^SCAN (\w+)/.exec(step)?.[1] ?? ''));

const { overTime, ...others } = statisticsStatements(SQLITE);
const STATISTICS: Statement[] = [...Object.values(others), ...Object.values(overTime)];

const FILTERS = [null, 'SUCCESS' as const].flatMap((result) =>
  [null, '192.0.2.1'].map((ipAddress) => ({ results: result && [result], ipAddress })),
);

const STATEMENTS = {
  'operations on links': await plansOfOperations(),
  'finding a link': plansOf([FIND_LINK]),
  'reading a link': plansOf([readLinkStatement(SQLITE)]),
  'the history': plansOf([
    selectChain(SQLITE),
    SELECT_JUMP,
    SELECT_NEWEST,
    ...FILTERS.map((each) => selectItems(SQLITE, each)),
  ]),
  'the list': plansOf([...listStatements(SQLITE), readLinksStatement(SQLITE)]),
  'the statistics': plansOf(STATISTICS),
  'statistics from entries': plansOf(Object.values(viewsStatements(SQLITE))),
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

  test('a range of time reads the log by the numbers of its hours', () => {
    const steps = stepsAbout(STATEMENTS['the statistics'], 'entry');
    assert.equal(steps.length, 10, 'both ends of the range, five times');
    for (const step of steps)
      assert.equal(step, 'SEARCH entry USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)');
  });

  test('rankings read rows in index order and sort nothing', () => {
    const rankings = STATEMENTS['the statistics'].filter(({ sql }) => sql.includes('short_code LIMIT'));
    assert.equal(rankings.length, 2);
    for (const { sql, steps } of rankings) {
      assert.equal(steps.length, 1, sql);
      assert.match(String(steps), /USING COVERING INDEX (top_link_rank|link_exception_rank)/);
    }
  });

  test('due links are found in their own index, in order', () => {
    const plans = STATEMENTS['operations on links'].filter(({ sql }) => sql.includes('ORDER BY expires_at'));
    assert.deepEqual(pluck(plans, 'steps'), [
      ['SEARCH link USING COVERING INDEX link_due (expires_at>? AND expires_at<?)'],
    ]);
  });

  test('the history finds entries by their numbers, and sorts no more than a page', () => {
    const steps = stepsAbout(STATEMENTS['the history'], 'entry');
    assert.ok(steps.length >= 5);
    for (const step of steps) assert.match(step, /^SEARCH (entry|ended) USING INTEGER PRIMARY KEY \(rowid/);
  });

  test('the full-text search reads links in their order, and sorts nothing', () => {
    const steps = STATEMENTS['the list'].flatMap((plan) =>
      plan.steps.filter((step) => /link_search/.test(step)),
    );
    assert.equal(steps.length, 2);
    for (const { sql, steps } of STATEMENTS['the list'])
      if (sql.includes('MATCH')) assert.doesNotMatch(steps.join(), /TEMP B-TREE/);
  });

  test('finding a link is one search by its short code', () => {
    assert.deepEqual(pluck(STATEMENTS['finding a link'], 'steps'), [
      ['SEARCH link_target USING PRIMARY KEY (short_code=?)'],
    ]);
  });

  test('a message that waits is found by its link, and not in its whole queue', () => {
    assert.deepEqual(stepsAbout(plansOf([FIND_WAITING]), 'notification'), [
      'SEARCH notification USING INDEX untried_notification (queue=? AND short_code=?)',
    ]);
  });
});
