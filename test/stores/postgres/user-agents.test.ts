import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { openConnections } from '../../../src/stores/postgres/connection.ts';
import { openPostgresStore } from '../../../src/stores/postgres/open-store.ts';
import { POSTGRES } from '../../../src/stores/sql/query.ts';
import { createUserAgents, type UserAgents } from '../../../src/stores/sql/user-agents.ts';
import { attemptOn, codeOf, newChange, redirectLink } from '../../support/attempts.ts';
import { openPostgresHarness } from '../../support/postgres-harness.ts';
import { holdLock } from '../../support/postgres-locks.ts';
import { postgresOptions } from '../../support/postgres-options.ts';
import { postgresPlace } from '../../support/store-places.ts';

async function openCaches(t: TestContext) {
  const { schema, openStore } = await postgresPlace(t);
  await (await openStore()).close();
  const connections = openConnections(postgresOptions(schema.url), 4);
  t.after(connections.end);
  return { schema, create: () => createUserAgents(connections.read, POSTGRES) };
}

async function seeTwice(cache: UserAgents, agents: readonly string[]): Promise<(number | null)[]> {
  for (const agent of [...agents, ...agents]) cache.numberOf(agent);
  await cache.settled();
  return agents.map((agent) => cache.numberOf(agent));
}

describe('the cache of user agents', () => {
  test('the cache gives a number to an agent that is seen for the second time, the same in every instance', async (t) => {
    const { create } = await openCaches(t);
    const [one, other] = [create(), create()];
    assert.equal(one.numberOf('curl/8'), null);
    await one.settled();
    assert.equal(one.numberOf('curl/8'), null);
    await one.settled();
    const number = one.numberOf('curl/8');
    assert.ok(number !== null);
    assert.deepEqual(await seeTwice(other, ['"quoted" \\ ü', 'curl/8']), [number + 1, number]);
  });

  test('the cache numbers new agents after those of a move', async (t) => {
    const { schema, create } = await openCaches(t);
    await schema.query(`INSERT INTO user_agent VALUES (1, 'a'), (7, 'b')`);
    assert.deepEqual(await seeTwice(create(), ['b', 'c', 'd']), [7, 8, 9]);
  });

  test('the cache adds no more agents to a full table', async (t) => {
    const { schema, create } = await openCaches(t);
    await schema.query(`INSERT INTO user_agent VALUES (99999, 'a')`);
    const numbers = await seeTwice(create(), ['b', 'c', 'a']);
    assert.deepEqual(numbers.filter((number) => number !== null).sort(), [100_000, 99_999]);
  });

  test('caches of two instances at once give each agent one number', async (t) => {
    const { schema, create } = await openCaches(t);
    const agents = Array.from({ length: 50 }, (_, index) => `agent ${index}`);
    const caches = [create(), create()];
    for (;;) {
      const found = await Promise.all(caches.map((cache) => seeTwice(cache, agents)));
      if (found.every((numbers) => !numbers.includes(null))) break;
    }
    const [one, other] = await Promise.all(caches.map((cache) => seeTwice(cache, agents)));
    assert.deepEqual(one, other);
    assert.equal((await schema.query('SELECT FROM user_agent')).length, agents.length);
  });
});

describe('attempts on PostgreSQL', () => {
  test('attempts are recorded with the number of an agent that was seen before, and with the text meanwhile', async (t) => {
    await using harness = await openPostgresHarness();
    const { store, schema } = harness;
    await store.create(redirectLink(codeOf(1)), newChange());
    // Nothing waits for the row of an agent that another session has locked.
    await using lock = await holdLock(schema, `INSERT INTO user_agent VALUES (1, 'test')`);
    const attempt = async () => assert.equal((await store.attempt(attemptOn(codeOf(1)))).verdict, 'SUCCESS');
    for (let count = 0; count < 3; count++) await attempt();
    await lock.release();
    const readNumbers = () => schema.query('SELECT FROM entry WHERE agent_number = 1 AND user_agent IS NULL');
    while ((await readNumbers()).length === 0) await attempt();
    assert.ok((await harness.readAudit()).every(({ userAgent }) => userAgent === 'test'));
    const other = await openPostgresStore(harness.options);
    t.after(other.close);
    for (const _ of [1, 2]) await other.attempt(attemptOn(codeOf(1)));
    assert.equal((await schema.query('SELECT FROM user_agent')).length, 1);
  });
});
