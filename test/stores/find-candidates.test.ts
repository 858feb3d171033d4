import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { Condition } from '../../src/links/list-terms.ts';
import { firstNumberAt, numberAfter } from '../../src/stores/list-number.ts';
import { createFindCandidates } from '../../src/stores/sql/find-candidates.ts';
import { SQLITE } from '../../src/stores/sql/query.ts';
import { prepareQuery } from '../../src/stores/sqlite/query.ts';

const NOW = Date.parse('2026-06-15T12:00:00Z');
const HOUR_MS = 3_600_000;
/** More than a quarter of the links that a run can have. */
const COMMON = 5_000;
const TABLES = `
  CREATE TABLE link (short_code TEXT, created_at INTEGER, status TEXT, expires_at INTEGER);
  CREATE TABLE unindexed_link (place INTEGER PRIMARY KEY, short_code TEXT);
  CREATE TABLE link_term_run (number INTEGER PRIMARY KEY, first_number INTEGER, last_number INTEGER);
  CREATE TABLE link_term (run INTEGER, term TEXT, number INTEGER, PRIMARY KEY (run, term, number)) WITHOUT ROWID;`;
const WORD: Condition = { ranges: [{ from: 'wword', end: 'wwore' }], code: null, isDue: false };

test('a page does not end where it begins, before a run in which its word is common', async () => {
  using db = new DatabaseSync(':memory:');
  db.exec(TABLES);
  const insertRun = db.prepare('INSERT INTO link_term_run VALUES (?, ?, ?)');
  const insertTerm = db.prepare('INSERT INTO link_term VALUES (?, ?, ?)');
  const at = (hours: number) => BigInt(firstNumberAt(NOW - hours * HOUR_MS));
  insertRun.run(1, at(30), at(0)); // links of a long time
  insertTerm.run(1, 'wword', at(0));
  insertTerm.run(1, 'wword', at(30));
  insertRun.run(2, at(10), at(5));
  for (let index = 0n; index < COMMON; index++) insertTerm.run(2, 'wword', at(10) + index);
  const find = createFindCandidates(prepareQuery(db), SQLITE);
  for (const order of ['desc', 'asc'] as const) {
    const bounds = { order, wanted: 50, maxSearchedTerms: COMMON, now: NOW };
    const range = { low: String(at(40)), high: String(at(-1)) };
    const [first, end] = order === 'desc' ? [at(0), at(5)] : [at(30), at(10)];
    const page = await find([WORD], range, bounds);
    assert.deepEqual(page && [page.numbers, page.end], [[String(first)], String(end)]);
    const rest = order === 'desc' ? { high: numberAfter(numberAfter(String(end))) } : { low: String(end) };
    assert.equal(
      await find([WORD], { ...range, ...rest }, bounds),
      undefined,
      'the links are read in their order',
    );
  }
});
