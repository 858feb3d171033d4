import assert from 'node:assert/strict';
import { statfsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { explainMoveFault } from '../../src/commands/explain-move.ts';

test('a full SQLite database is told as a full disk', () => {
  const db = new DatabaseSync(':memory:');
  db.exec('PRAGMA max_page_count = 2; CREATE TABLE full (text TEXT)');
  const explained = caught(() => db.exec(`INSERT INTO full VALUES (hex(zeroblob(100000)))`));
  assert.match(explained, /full: the disk is full: make room, and run the same command again/);
});

test('a file that is no database is told so', () => {
  const explained = caught(() =>
    new DatabaseSync(import.meta.filename, { readOnly: true }).exec('SELECT * FROM link'),
  );
  assert.match(explained, /not a database: the file is damaged, or no SQLite database/);
});

test('the cause of a fault is looked at too, and one that nobody knows is told as it is', () => {
  const inner = caught(() => statfsSync('/nowhere'));
  assert.match(inner, /^target x: .*: check that the path is there$/);
  assert.equal(explainMoveFault(new Error('something else')), 'something else');
});

/** What is told of the fault that an action throws, wrapped as the command wraps it. */
function caught(action: () => unknown): string {
  try {
    action();
  } catch (cause) {
    return explainMoveFault(new Error(`target x: ${String(cause)}`, { cause }));
  }
  return assert.fail('nothing was thrown');
}
