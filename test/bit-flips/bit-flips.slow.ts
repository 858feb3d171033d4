import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { findDifferences } from '../../src/tools/commands/verify-store.ts';
import { seededInt } from '../support/random.ts';
import { flipBits } from './flip-bits.ts';
import { makeSeededStore } from './seeded-store.ts';

/** test/bit-flips/run.ts flips thousands. */
const FLIPS = 40;

describe('verify', () => {
  test('verify finds a damaged page of every table and index, and nothing in a whole file', async (t) => {
    const { config, path } = await makeSeededStore(t);
    assert.deepEqual((await findDifferences(config)).differences, []);
    const whole = readFileSync(path);
    const { pageBytes, pages } = readFirstPages(path);
    assert.ok(pages.length > 15);
    const missed: string[] = [];
    const file = openSync(path, 'r+');
    for (const { name, page } of pages) {
      const position = (page - 1) * pageBytes;
      writeSync(file, Buffer.alloc(pageBytes, 0xa5), 0, pageBytes, position);
      const differences = await findDifferences(config).then(
        (verified) => verified.differences,
        (error) => [String(error)],
      );
      if (differences.length === 0) missed.push(name);
      writeSync(file, whole, position, pageBytes, position);
    }
    closeSync(file);
    assert.deepEqual(missed, []);
  });

  test('verify finds each flipped bit that makes rows unreadable, and all that a recount finds', async (t) => {
    const store = await makeSeededStore(t);
    const harmful = await flipBits({ ...store, flips: FLIPS, random: seededInt(20_260_615) });
    assert.ok(harmful.length > FLIPS / 4, `${harmful.length} of ${FLIPS} flips are harmful`);
    for (const { table, isReadable, isFound, isFoundByRecount } of harmful) {
      if (!isReadable) assert.ok(isFound, table);
      if (isFoundByRecount) assert.ok(isFound, table);
    }
  });
});

/** Returns the first page of each table and index but the schema, whose damage makes the file no store. */
function readFirstPages(path: string): { pageBytes: number; pages: { name: string; page: number }[] } {
  using db = new DatabaseSync(path, { readOnly: true });
  const pages = db.prepare('SELECT name, rootpage AS page FROM sqlite_schema WHERE rootpage > 0').all();
  return {
    pageBytes: Number(db.prepare('PRAGMA page_size').get()?.['page_size']),
    pages: pages.map(({ name, page }) => ({ name: String(name), page: Number(page) })),
  };
}
