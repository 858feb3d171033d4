import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { SQLITE } from '../../../src/stores/sql/query.ts';
import { createViews } from '../../../src/stores/sql/views.ts';
import { prepareQuery } from '../../../src/stores/sqlite/query.ts';
import { attemptOn, codeOf, newChange, redirectLink, START } from '../../support/attempts.ts';
import { WHOLE } from '../../support/recount.ts';
import { openSqliteHarness } from '../../support/sqlite-harness.ts';

test('only the newest entries are counted, of links the newest ones of each', async () => {
  await using harness = await openSqliteHarness();
  const codes = [codeOf(1), codeOf(2)];
  for (const code of codes) await harness.store.create(redirectLink(code), newChange());
  for (const [index, code] of [1, 1, 1, 1, 2].map((each) => [each, codeOf(each)] as const).entries())
    await harness.store.attempt(
      attemptOn(code[1], { referrer: `${code[0]}-${index}.example`, at: START + index }),
    );
  await harness.store.statistics.attemptsOfLinks(codes, WHOLE); // projects the rows of links
  const names = (referrers: { name: string | null }[]) => referrers.map(({ name }) => name);
  using db = new DatabaseSync(harness.path, { readOnly: true });
  const { viewSources, attemptsOfLinks } = createViews(prepareQuery(db), SQLITE, { ofAll: 2, ofLinks: 4 });
  const ofAll = await viewSources(WHOLE);
  const ofLinks = await attemptsOfLinks(codes, WHOLE);
  const ofOne = await attemptsOfLinks([codeOf(2)], WHOLE);
  assert.deepEqual([names(ofAll.referrers), ofAll.isTruncated], [['1-3.example', '2-4.example'], true]);
  assert.deepEqual(
    [names(ofLinks.referrers), ofLinks.isTruncated],
    [['1-2.example', '1-3.example', '2-4.example'], true],
  );
  assert.deepEqual([names(ofOne.referrers), ofOne.isTruncated], [['2-4.example'], false]);
});
