import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attemptOn, codeOf, newChange, redirectLink } from '../../support/attempts.ts';
import { openSqliteHarness, readDatabase } from '../../support/sqlite-harness.ts';

test('an attempt on SQLite is recorded with the number of an agent that was seen twice, instead of its text', async () => {
  await using harness = await openSqliteHarness();
  await harness.store.create(redirectLink(codeOf(1)), newChange());
  for (let count = 0; count < 4; count++)
    await harness.store.attempt(attemptOn(codeOf(1), { userAgent: 'curl/8' }));
  const agents = (await harness.readAudit()).map(({ userAgent }) => userAgent);
  assert.deepEqual(agents, Array(4).fill('curl/8'));
  const texts = readDatabase(harness.path, (db) =>
    db.prepare(`SELECT user_agent FROM entry WHERE kind = 'ATTEMPT'`).all(),
  );
  assert.equal(texts.filter((row) => row['user_agent'] !== null).length, 2);
});
