import assert from 'node:assert/strict';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { prepareCommitAttempts } from '../../../src/stores/sqlite/commit-attempts.ts';
import { prepareCreateLinks } from '../../../src/stores/sqlite/create-links.ts';
import { prepareExpireDue } from '../../../src/stores/sqlite/expire-due.ts';
import { prepareFindLink } from '../../../src/stores/sqlite/find-link.ts';
import { migrate } from '../../../src/stores/sqlite/migrate.ts';
import { prepareReadLink } from '../../../src/stores/sqlite/read-link.ts';
import { prepareRevokeLink } from '../../../src/stores/sqlite/revoke-link.ts';
import { prepareStatistics } from '../../../src/stores/sqlite/statistics.ts';
import { prepareUploadLedger } from '../../../src/stores/sqlite/upload-ledger.ts';

/** A real database that also keeps the text of each statement that is prepared on it. */
class WatchedDatabase extends DatabaseSync {
  readonly prepared: string[] = [];

  override prepare(sql: string): StatementSync {
    this.prepared.push(sql);
    return super.prepare(sql);
  }
}

type Plan = { sql: string; steps: string[] };

/** How SQLite runs each statement that `prepare` makes, on the schema as it is after all migrations. */
function plansOf(prepare: (db: DatabaseSync) => unknown): Plan[] {
  const db = new WatchedDatabase(':memory:');
  migrate(db);
  db.prepared.length = 0;
  prepare(db);
  return [...db.prepared].map((sql) => {
    const parameters = Array.from(sql.matchAll(/\?/g), () => 1);
    const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters);
    return { sql: sql.replaceAll(/\s+/g, ' ').trim(), steps: steps.map((step) => String(step['detail'])) };
  });
}

/** The tables that grow with use. The others have a few rows for each day at most, or 1,000 in all. */
const GROWING = ['link', 'link_target', 'audit', 'origin', 'upload'];
const readsWholeTable = ({ steps }: Plan): boolean =>
  steps.some((step) => GROWING.includes(/^SCAN (\w+)/.exec(step)?.[1] ?? ''));

const STATEMENTS = {
  'an attempt': plansOf(prepareCommitAttempts),
  'a creation': plansOf(prepareCreateLinks),
  'a look for a link': plansOf(prepareFindLink),
  'a look at a link as it stands': plansOf(prepareReadLink),
  'a revocation': plansOf(prepareRevokeLink),
  'the expiration job': plansOf(prepareExpireDue),
  'the upload ledger': plansOf(prepareUploadLedger),
  'the statistics': plansOf(prepareStatistics),
};

describe('the statements of the embedded store', () => {
  for (const [what, plans] of Object.entries(STATEMENTS)) {
    test(`of ${what} never read a whole table that grows`, () => {
      assert.ok(plans.length > 0);
      for (const plan of plans) assert.ok(!readsWholeTable(plan), `${plan.sql}\n${plan.steps.join('\n')}`);
    });
  }

  const stepsAbout = (plans: Plan[], table: string): string[] =>
    plans.flatMap(({ steps }) => steps).filter((step) => new RegExp(`\\b${table}\\b`).test(step));

  test('of ranges of time search the audit by its key', () => {
    const steps = stepsAbout(STATEMENTS['the statistics'], 'audit');
    assert.equal(steps.length, 4, 'by result, by origin, by hour and by day');
    for (const step of steps) assert.equal(step, 'SEARCH audit USING PRIMARY KEY (id>? AND id<?)');
  });

  test('of statistics without a range do not look at the audit', () => {
    const rollups = STATEMENTS['the statistics'].filter(({ sql }) => !sql.includes('id >= ?'));
    assert.equal(rollups.length, 9);
    assert.deepEqual(stepsAbout(rollups, 'audit'), []);
    for (const { sql } of rollups) assert.doesNotMatch(sql, /\baudit\b/);
  });

  test('of rankings read their rows in order, and sort nothing', () => {
    const rankings = STATEMENTS['the statistics'].filter(({ sql }) => sql.includes('LIMIT'));
    assert.equal(rankings.length, 2);
    for (const { sql, steps } of rankings) {
      assert.equal(steps.length, 1, sql);
      assert.match(String(steps), /USING COVERING INDEX (top_link_rank|link_security_exception)/);
    }
  });

  test('of the expiration job find what is due in its own index, in order', () => {
    const steps = stepsAbout(STATEMENTS['the expiration job'], 'link_due');
    assert.deepEqual(steps, ['SEARCH link USING COVERING INDEX link_due (expires_at>? AND expires_at<?)']);
    for (const { steps } of STATEMENTS['the expiration job'])
      assert.doesNotMatch(steps.join(), /TEMP B-TREE/);
  });

  test('of a look for a link are one search by its short code', () => {
    assert.deepEqual(
      STATEMENTS['a look for a link'].map(({ steps }) => steps),
      [['SEARCH link_target USING PRIMARY KEY (short_code=?)']],
    );
  });

  test('of an attempt find its link by the short code', () => {
    const steps = stepsAbout(STATEMENTS['an attempt'], 'link');
    assert.ok(steps.length > 0);
    for (const step of steps) assert.equal(step, 'SEARCH link USING PRIMARY KEY (short_code=?)');
  });
});
