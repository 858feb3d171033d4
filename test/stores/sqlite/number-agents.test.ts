import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { inTransaction, openForWriting } from '../../../src/stores/sqlite/connection.ts';
import { prepareNumberAgents } from '../../../src/stores/sqlite/number-agents.ts';
import { createSchema } from '../../../src/stores/sqlite/schema.ts';
import { attemptOn, codeOf, newChange, redirectLink } from '../../support/attempts.ts';
import { temporaryDirectory } from '../../support/service.ts';
import { openSqliteHarness, readDatabase } from '../../support/sqlite-harness.ts';

/** Opens processes on one database. Each numbers user agents in one transaction per call. */
function openProcesses(t: TestContext) {
  const path = `${temporaryDirectory(t)}/postern.db`;
  return () => {
    const db = openForWriting(path);
    t.after(() => db.close());
    createSchema(db);
    const numberAgents = prepareNumberAgents(db);
    return { db, see: (...agents: string[]) => inTransaction(db, () => agents.map(numberAgents())) };
  };
}

describe('the numbers of user agents on SQLite', () => {
  test('an agent gets one when it is seen for the second time, the same in every process', (t) => {
    const open = openProcesses(t);
    const [one, other] = [open(), open()];
    assert.deepEqual(one.see('a', 'b', 'a', 'a'), [null, null, 1, 1]);
    assert.deepEqual(one.see('b', 'a'), [2, 1]);
    assert.deepEqual(other.see('b', 'b', 'c', 'c'), [null, 2, null, 3]);
    assert.deepEqual(one.see('c', 'c', 'd', 'd'), [null, 3, null, 4]);
  });

  test('a number of a transaction that was undone belongs to no agent', (t) => {
    const { db } = openProcesses(t)();
    db.exec('BEGIN');
    const numberAgents = prepareNumberAgents(db);
    const undone = numberAgents();
    assert.deepEqual(['a', 'a', 'a'].map(undone), [null, 1, 1]);
    db.exec('ROLLBACK; BEGIN');
    const next = numberAgents();
    assert.deepEqual(['b', 'b', 'a', 'a', 'a'].map(next), [null, 1, null, 2, 2]);
    db.exec('COMMIT');
  });

  test('a full table gets no more agents', (t) => {
    const { db, see } = openProcesses(t)();
    db.exec(`INSERT INTO user_agent VALUES (99999, 'a')`);
    assert.deepEqual(see('b', 'b', 'c', 'c', 'a', 'a'), [null, 100_000, null, null, null, 99_999]);
  });

  test('an attempt is recorded with the number of its agent instead of the text', async () => {
    await using harness = await openSqliteHarness();
    await harness.store.create(redirectLink(codeOf(1)), newChange());
    for (let count = 0; count < 3; count++)
      await harness.store.attempt(attemptOn(codeOf(1), { userAgent: 'curl/8' }));
    const agents = (await harness.readAudit()).map(({ userAgent }) => userAgent);
    assert.deepEqual(agents, ['curl/8', 'curl/8', 'curl/8']);
    const texts = readDatabase(harness.path, (db) =>
      db.prepare(`SELECT user_agent FROM entry WHERE kind = 'ATTEMPT'`).all(),
    );
    assert.equal(texts.filter((row) => row['user_agent'] !== null).length, 1);
  });
});
