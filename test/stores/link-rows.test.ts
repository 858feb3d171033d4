import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TERM_COLUMNS } from '../../src/stores/link-rows.ts';
import { SHARED_COLUMNS } from '../../src/stores/schema.ts';

test('the schema of both engines has the column of each term, of its type', () => {
  const { short_code: _, token_hash: __, ...columns } = SHARED_COLUMNS.get('link_target') ?? {};
  assert.deepEqual(columns, TERM_COLUMNS, 'link_target in src/stores/schema.sql');
});
