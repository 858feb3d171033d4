import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attemptOn, codeOf, newChange, redirectLink } from '../../support/attempts.ts';
import { openSqliteHarness, readDatabase } from '../../support/sqlite-harness.ts';

test('an attempt on SQLite is recorded with the number of an agent that was seen before', async () => {
  await using harness = await openSqliteHarness();
  await harness.store.create(redirectLink(codeOf(1)), newChange());
  const readNumbers = () =>
    readDatabase(harness.path, (db) =>
      db.prepare('SELECT 1 FROM entry WHERE agent_number = 1 AND user_agent IS NULL').all(),
    );
  while (readNumbers().length === 0)
    await harness.store.attempt(attemptOn(codeOf(1), { userAgent: 'curl/8' }));
  const agents = (await harness.readAudit()).map(({ userAgent }) => userAgent);
  assert.deepEqual(agents, Array(agents.length).fill('curl/8'));
});
