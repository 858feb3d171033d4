import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { OverloadedError } from '../../../src/core/model/unavailable.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/open-store.ts';
import { newChange } from '../../support/attempts.ts';
import { temporaryDirectory } from '../../support/service.ts';

const TO_LABEL = { patch: { terms: { label: 'a' } }, versions: null };

test('no more than 10,000 changes wait', async (t) => {
  const path = join(temporaryDirectory(t), 'postern.db');
  const store = await openSqliteStore({ path });
  t.after(store.close);
  const tooMany = Array.from({ length: 10_001 }, () => store.change('unknown', TO_LABEL, newChange()));
  const refused = (await Promise.allSettled(tooMany)).filter(({ status }) => status === 'rejected');
  assert.equal(refused.length, 1);
  assert.ok(refused[0]?.status === 'rejected' && refused[0].reason instanceof OverloadedError);
});
