import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPostgresStore } from '../../../src/stores/postgres/open-store.ts';
import { readPostgresStore } from '../../../src/stores/postgres/read-store.ts';
import { recountStore } from '../../../src/stores/sql/recount.ts';
import { attemptOn, codeOf, newChange, redirectLink } from '../../support/attempts.ts';
import { IN_MEMORY, startOwnServer } from '../../support/own-postgres.ts';
import { postgresOptions } from '../../support/postgres-options.ts';

/** More than a ranking can include, so that the floor of the top links rises. */
const LINKS = 1_100;
const LATER = codeOf(LINKS);
const ALL = { start: null, end: null };

test('a database that is restored under a running store is what counts', async (t) => {
  const server = await startOwnServer(IN_MEMORY);
  const options = postgresOptions(server.url);
  const store = await openPostgresStore(options);
  t.after(async () => {
    await store.close();
    await server.stop();
  });
  const open = (index: number, ipAddress: string) => store.attempt(attemptOn(codeOf(index), { ipAddress }));
  const openAll = () => Promise.all(Array.from({ length: LINKS }, (_, index) => open(index, '192.0.2.2')));

  await Promise.all(
    Array.from({ length: LINKS }, (_, index) =>
      store.create(redirectLink(codeOf(index), { maxViews: 4 }), newChange()),
    ),
  );
  await open(0, '192.0.2.1');
  await server.crash();
  await server.save();
  await server.start();
  for (let round = 0; round < 3; round++) await openAll();
  await store.create(redirectLink(LATER), newChange());
  assert.ok(await store.find(LATER));
  assert.equal((await store.statistics.accessTotals(ALL)).uniqueOrigins, 2);

  await server.crash();
  await server.restore();
  await server.start();
  assert.deepEqual(await open(0, '192.0.2.2'), { verdict: 'SUCCESS', viewCount: 2 });
  assert.equal((await open(1, '192.0.2.2')).viewCount, 1);
  assert.equal((await store.statistics.accessTotals(ALL)).uniqueOrigins, 2, 'the address counts again');
  assert.deepEqual(await store.statistics.topLinks(10), [
    { shortCode: codeOf(0), count: 2 },
    { shortCode: codeOf(1), count: 1 },
  ]);
  assert.equal((await store.attempt(attemptOn(LATER))).verdict, 'NOT_FOUND');
  assert.equal(await store.find(LATER), undefined);
  assert.deepEqual(await readPostgresStore(options, recountStore), { differences: [], auditRecords: 4 });
});
