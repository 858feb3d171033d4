import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openForWriting } from '../../../src/stores/sqlite/connection.ts';
import { temporaryDirectory } from '../../support/service.ts';

const FULL = 2;

test('the connection for writing flushes the write-ahead log before each commit returns', (t) => {
  const db = openForWriting(join(temporaryDirectory(t), 'postern.db'));
  t.after(() => db.close());
  assert.deepEqual({ ...db.prepare('PRAGMA synchronous').get() }, { synchronous: FULL });
  assert.deepEqual({ ...db.prepare('PRAGMA journal_mode').get() }, { journal_mode: 'wal' });
});
