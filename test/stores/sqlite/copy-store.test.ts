import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { copySqliteStore } from '../../../src/stores/sqlite/copy-store.ts';
import { openedStore } from '../../support/killed-store.ts';
import { temporaryDirectory } from '../../support/service.ts';
import { readDatabase } from '../../support/sqlite-harness.ts';

const MEGABYTE = 'x'.repeat(1024 ** 2);

test('a copy is of one moment, and goes on while another connection commits', async (t) => {
  const directory = temporaryDirectory(t);
  const [path, target] = [join(directory, 'postern.db'), join(directory, 'copy.db')];
  await openedStore(t, path);
  using writer = new DatabaseSync(path, { timeout: 5_000 });
  const insert = writer.prepare('INSERT INTO outbox (id, events) VALUES (?, ?)');
  for (let index = 0; index < 24; index++) insert.run(`before-${index}`, MEGABYTE);
  const shares: number[] = [];
  await copySqliteStore(path, target, (share) => {
    if (shares.length < 20) insert.run(`during-${shares.length}`, MEGABYTE); // a copy that began again would never end
    shares.push(share);
  });
  assert.ok(shares.length > 4, `${shares.length} steps`);
  assert.deepEqual(
    shares,
    [...new Set(shares)].sort((one, two) => one - two),
  );
  const copied = readDatabase(target, (db) => db.prepare('SELECT count(*) AS count FROM outbox').get());
  assert.equal(copied?.['count'], 24);
  assert.deepEqual(
    readDatabase(target, (db) => db.prepare('PRAGMA integrity_check').all()).map(Object.values),
    [['ok']],
  );
});
