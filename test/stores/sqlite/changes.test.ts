import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { OverloadedError } from '../../../src/links/overload.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/open-store.ts';
import { readState } from '../../../src/stores/sqlite/state-file.ts';
import { codeOf, newChange, redirectLink } from '../../support/attempts.ts';
import { temporaryDirectory } from '../../support/service.ts';

const TO_LABEL = { patch: { labels: { label: 'a' } }, versions: null };

test('changes that are requested together share commits, and no more than 10,000 wait', async (t) => {
  const path = join(temporaryDirectory(t), 'postern.db');
  const store = await openSqliteStore({ path });
  t.after(store.close);
  const codes = Array.from({ length: 100 }, (_, index) => codeOf(index));
  await Promise.all(codes.map((code) => store.create(redirectLink(code), newChange())));

  const commits = () => readState(path)?.commits ?? Number.NaN;
  const before = commits();
  const changes = await Promise.all(codes.map((code) => store.change(code, TO_LABEL, newChange())));
  assert.ok(changes.every(({ result }) => result === 'changed'));
  assert.ok(commits() - before < 10, `${commits() - before} commits`);

  const tooMany = Array.from({ length: 10_001 }, () => store.change('unknown', TO_LABEL, newChange()));
  const refused = (await Promise.allSettled(tooMany)).filter(({ status }) => status === 'rejected');
  assert.equal(refused.length, 1);
  assert.ok(refused[0]?.status === 'rejected' && refused[0].reason instanceof OverloadedError);
});
