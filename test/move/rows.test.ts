import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { MAX_RANKED_LINKS } from '../../src/links/ports.ts';
import { assertSourceUnchanged, readFingerprint } from '../../src/move/fingerprint.ts';
import { copyAll, moveAll, verifyAll } from '../../src/move/move.ts';
import { attemptOn, codeOf, redirectLink, START } from '../support/attempts.ts';
import {
  moveBetween,
  planBetween,
  postgresPlace,
  type StorePlace,
  sqlitePlace,
  stock,
  stocked,
} from '../support/moves.ts';

type MakePlace = (t: TestContext) => StorePlace | Promise<StorePlace>;
const DIRECTIONS: [string, MakePlace, MakePlace][] = [
  ['from SQLite to PostgreSQL', sqlitePlace, postgresPlace],
  ['from PostgreSQL to SQLite', postgresPlace, sqlitePlace],
];

const DAMAGES: [what: string, sql: string, told: RegExp][] = [
  [
    'another view',
    `UPDATE link SET view_count = view_count + 1 WHERE short_code = 'L0000005'`,
    /^link L0000005: view_count is \d in the source, \d in the target$/m,
  ],
  [
    'another sum of a rollup',
    `UPDATE attempts_by_day SET count = count + 1`,
    /^attempts_by_day: the sum of count is \d+ in the source, \d+ in the target$/m,
  ],
  [
    'another status',
    `UPDATE link SET status = 'EXPIRED' WHERE short_code = 'L0000001'`,
    /status is REVOKED in the source, EXPIRED in the target/,
  ],
  [
    'another target',
    `UPDATE link_target SET target_url = 'https://evil.example' WHERE short_code = 'L0000001'`,
    /^link_target L0000001: target_url differs$/m,
  ],
  [
    'a link that is missing',
    `DELETE FROM link_target WHERE short_code = 'L0000002'; DELETE FROM link WHERE short_code = 'L0000002'`,
    /^link L0000002: missing in the target$/m,
  ],
  [
    'a record that is missing',
    `DELETE FROM audit WHERE short_code = 'NULL'`,
    /rows in the source, \d+ in the target/,
  ],
  [
    'another agent',
    `UPDATE audit SET user_agent = 'test' WHERE user_agent = 'NULL'`,
    /^audit [0-9a-f]{32}: user_agent differs$/m,
  ],
  ['a rollup that is off', `UPDATE attempts_by_hour SET count = count + 1`, /by hour/],
  ['a number of origins that is off', 'UPDATE origin_count SET count = 1', /number of origins/],
  ['one origin more', `INSERT INTO origin VALUES ('192.0.2.99')`, /^origin 192.0.2.99: only in the target$/m],
  [
    'a rank that is missing',
    `DELETE FROM top_link WHERE short_code = 'L0000003'`,
    /top_link L0000003: missing in the target/,
  ],
  [
    'an upload that is free again',
    'UPDATE upload SET taken = NOT taken',
    /upload .*: taken differs|upload .*: taken is 1 in the source, 0/,
  ],
];

for (const [direction, makeFrom, makeTo] of DIRECTIONS) {
  describe(`a move ${direction}`, () => {
    test('brings every row, and back again the same', async (t) => {
      const from = await stocked(await makeFrom(t));
      const [to, back] = [await makeTo(t), await makeFrom(t)];
      const before = await from.dump();
      const outcome = await moveBetween(from, to);
      assert.equal(outcome.kind, 'moved');
      assert.deepEqual(await to.recount(), { differences: [], attempts: (before['audit'] ?? []).length });
      assert.equal((await moveBetween(to, back)).kind, 'moved');
      assert.deepEqual(await back.dump(), before);
      assert.deepEqual(await from.dump(), before, 'the source is as it was');
      for (const [table, rows] of Object.entries(before)) assert.ok(rows.length > 0, `${table} was tried`);
    });

    test('of an empty store is one', async (t) => {
      const [from, to] = [await makeFrom(t), await makeTo(t)];
      await (await from.openStore()).close();
      assert.equal((await moveBetween(from, to)).kind, 'moved');
      assert.deepEqual(await to.recount(), { differences: [], attempts: 0 });
    });

    test('broken off at each batch, before its commit and after, ends the same', async (t) => {
      const from = await stocked(await makeFrom(t));
      const [whole, broken] = [await makeTo(t), await makeTo(t)];
      await moveBetween(from, whole);
      for (let breaks = 0; ; breaks++) {
        await using plan = await planBetween(from, broken, { batchRows: 15 });
        const target = { ...plan.target };
        let writes = 0;
        target.writeRows = async (...args) => {
          writes += 1;
          if (writes > 1) throw new Error('broken off');
          await plan.target.writeRows(...args);
          if (breaks % 2 === 0) throw new Error('broken off');
        };
        const outcome = await moveAll({ ...plan, target }).catch((error: Error) => error.message);
        if (outcome !== 'broken off') {
          assert.equal((outcome as { kind: string }).kind, 'moved');
          assert.ok(breaks > 10, `broken off ${breaks} times`);
          break;
        }
        if (breaks === 0) await assert.rejects(broken.openStore(), /npm run move/, 'no service takes it');
      }
      assert.deepEqual(await broken.dump(), await whole.dump());
      await (await broken.openStore()).close();
    });

    test('is over when it is run again', async (t) => {
      const [from, to] = [await stocked(await makeFrom(t)), await makeTo(t)];
      await moveBetween(from, to);
      const before = await to.dump();
      assert.deepEqual(await moveBetween(from, to), { kind: 'finished-before' });
      assert.deepEqual(await to.dump(), before);
      const tables = Object.keys(before).sort((one) => (one === 'link' ? 1 : -1)); // links last: others point to them
      await to.run(tables.map((table) => `DELETE FROM ${table};`).join(' '));
      await assert.rejects(moveBetween(from, to), /which was finished, and is empty now/);
    });

    test('is refused where the target holds anything of its own', async (t) => {
      const from = await stocked(await makeFrom(t));
      for (const fill of [stock, addLink, addUpload, addAttempt]) {
        const to = await makeTo(t);
        const store = await to.openStore();
        await fill(store);
        await store.close();
        const before = await to.dump();
        await assert.rejects(moveBetween(from, to), /the target is not empty/);
        assert.deepEqual(await to.dump(), before);
        await (await to.openStore()).close(); // no mark is left there
      }
    });

    test('is refused where another move has begun, or was made', async (t) => {
      const [from, to] = [await stocked(await makeFrom(t)), await makeTo(t)];
      await using plan = await planBetween(from, to);
      await copyAll(plan);
      await assert.rejects(moveBetween(from, to, { move: 'from elsewhere' }), /has begun, from the source/);
      await moveAll(plan);
      await assert.rejects(moveBetween(from, to, { move: 'from elsewhere' }), /was made, from the source/);
    });

    test('notices another that writes into the same target', async (t) => {
      const [from, to] = [await stocked(await makeFrom(t)), await makeTo(t)];
      await using plan = await planBetween(from, to, { batchRows: 7 });
      const target = { ...plan.target };
      let isFirst = true;
      target.writeRows = async (...args) => {
        if (isFirst) {
          isFirst = false;
          await moveBetween(from, to);
        }
        await plan.target.writeRows(...args);
      };
      await assert.rejects(copyAll({ ...plan, target }), /another move is writing/);
      assert.deepEqual((await to.recount()).differences, []);
    });

    test('notices a source that is used meanwhile', async (t) => {
      const [from, to] = [await stocked(await makeFrom(t)), await makeTo(t)];
      await using plan = await planBetween(from, to);
      const copied = await copyAll(plan);
      assert.equal(copied.kind, 'copied');
      const store = await from.openStore();
      for (const use of [addLink, addUpload, addAttempt, revokeOne]) {
        const fingerprint = await readFingerprint(plan.source);
        await assertSourceUnchanged(plan.source, fingerprint);
        await use(store);
        await assert.rejects(assertSourceUnchanged(plan.source, fingerprint), /the source was used/);
      }
      await store.close();
      await assert.rejects(verifyAll(plan, copied), /the source was used since the move began/);
      await assert.rejects(moveBetween(from, to), /the source was used since the move began/);
      await assert.rejects(to.openStore(), /npm run move/);
    });

    test('finds whatever differs in the copy', async (t) => {
      const [from, to] = [await stocked(await makeFrom(t)), await makeTo(t)];
      await using plan = await planBetween(from, to);
      const copied = await copyAll(plan);
      assert.equal(copied.kind, 'copied');
      for (const [, sql] of DAMAGES) await to.run(sql);
      const outcome = await verifyAll(plan, copied);
      assert.equal(outcome.kind, 'differs');
      const findings = outcome.findings.shown.join('\n');
      for (const [what, , told] of DAMAGES) assert.match(findings, told, what);
      assert.doesNotMatch(findings, /argon2id|https:/, 'no target and no hash is shown');
      await assert.rejects(to.openStore(), /npm run move/);
    });

    test('keeps counting exactly: limits, ranks and statistics', async (t) => {
      const [from, to] = [await makeFrom(t), await makeTo(t)];
      const store = await from.openStore();
      const codes = Array.from({ length: MAX_RANKED_LINKS + 100 }, (_, index) => codeOf(index));
      await Promise.all(codes.map((code) => store.create(redirectLink(code, { maxViews: 5 }))));
      await Promise.all([...codes, ...codes.slice(50)].map((code) => store.attempt(attemptOn(code))));
      await store.close();
      await moveBetween(from, to);
      const moved = await to.openStore();
      const [late = '', early = ''] = [codes.at(-1), codes[0]];
      const tries = Array.from({ length: 20 }, () => [early, late]).flat();
      const outcomes = await Promise.all(tries.map((code) => moved.attempt(attemptOn(code))));
      assert.equal(outcomes.filter(({ verdict }) => verdict === 'SUCCESS').length, 4 + 3);
      assert.deepEqual(
        (await moved.statistics.topLinks(3)).map(({ count }) => count),
        [5, 5, 2],
      );
      assert.equal((await moved.statistics.topLinks(MAX_RANKED_LINKS)).length, MAX_RANKED_LINKS);
      await moved.close();
      assert.deepEqual((await to.recount()).differences, []);
    });
  });
}

test('a move between two stores of one kind brings every row', async (t) => {
  for (const makePlace of [sqlitePlace, postgresPlace]) {
    const [from, to] = [await stocked(await makePlace(t)), await makePlace(t)];
    assert.equal((await moveBetween(from, to)).kind, 'moved');
    assert.deepEqual(await to.dump(), await from.dump());
  }
});

type Store = Awaited<ReturnType<StorePlace['openStore']>>;
const addLink = (store: Store) => store.create(redirectLink('strange1'));
const addUpload = (store: Store) => store.begin('00000000-0000-4000-8000-000000000000', START);
const addAttempt = (store: Store) => store.attempt(attemptOn('nowhere1'));
const revokeOne = (store: Store) => store.revoke(codeOf(8));
