import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { SQLITE } from '../../../src/stores/sql/query.ts';
import { createStatistics } from '../../../src/stores/sql/statistics.ts';
import { prepareQuery } from '../../../src/stores/sqlite/query.ts';
import { codeOf, newChange, redirectLink, START } from '../../support/attempts.ts';
import { WHOLE } from '../../support/recount.ts';
import { openSqliteHarness } from '../../support/sqlite-harness.ts';

test('the newest links of one owner are counted, however many newer ones others have', async () => {
  await using harness = await openSqliteHarness();
  const owners = ['ada', 'ada', 'bob', 'bob', 'bob'].map((name) => `USER ${name}`);
  for (const [index, owner] of owners.entries())
    await harness.store.create(
      { ...redirectLink(codeOf(index)), owner, createdAt: START + index },
      newChange(),
    );
  await harness.store.statistics.sentLinks(WHOLE, START, null); // projects the rows of links
  using db = new DatabaseSync(harness.path, { readOnly: true });
  const { sentLinks } = createStatistics(prepareQuery(db), SQLITE, 3);
  const count = async (owner: string | null) => {
    const { total, isTruncated } = await sentLinks(WHOLE, START, owner);
    return { total, isTruncated };
  };
  assert.deepEqual(await count('USER ada'), { total: 2, isTruncated: false });
  assert.deepEqual(await count('USER bob'), { total: 3, isTruncated: true });
  assert.deepEqual(await count('USER eve'), { total: 0, isTruncated: false });
  assert.deepEqual(await count(null), { total: 3, isTruncated: true });
});
