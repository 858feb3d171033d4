import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashHex } from '../../../src/core/model/ed25519.ts';
import { toLeafHash, toRoot } from '../../../src/core/model/merkle-tree.ts';
import { parseCheckpoint } from '../../../src/core/model/signed-note.ts';
import { openTestLog } from '../../support/evidence.ts';
import { openSqliteHarness, readDatabase } from '../../support/sqlite-harness.ts';

/** More than two tiles of tiles have. */
const ENTRIES = 140_000;

test('the tiles of a long log, which grows in parts, give the root of all its entries', async () => {
  await using harness = await openSqliteHarness();
  const { sign } = openTestLog(harness.store);
  for (const [first, last] of [
    [1, 65_000],
    [65_001, 66_000],
    [66_001, ENTRIES],
  ] as const) {
    await harness.execute(
      `WITH RECURSIVE number (n) AS (SELECT ${first} UNION ALL SELECT n + 1 FROM number WHERE n < ${last})
       INSERT INTO entry (seq, format, id, kind, short_code, result, count, at, number, fingerprint)
       SELECT n, 1, randomblob(16), 'ATTEMPT', 'unknown1', 'NOT_FOUND', 1, 1781524800000, 1, randomblob(32) FROM number`,
    );
    const signed = await sign();
    const checkpoint = parseCheckpoint(signed?.note ?? '');
    const rows = readDatabase(harness.path, (db) =>
      db.prepare('SELECT lower(hex(fingerprint)) AS fingerprint FROM entry ORDER BY seq').all(),
    );
    const leaves = rows.map(({ fingerprint }) => toLeafHash(hashHex, String(fingerprint)));
    assert.equal(checkpoint?.size, last);
    assert.equal(checkpoint?.root, toRoot(hashHex, leaves), `${last} entries`);
  }
});
