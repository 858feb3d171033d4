import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAuditConsistent } from '../support/audit-consistency.ts';
import { createLink, openLink } from '../support/links.ts';
import { startServiceProcess } from '../support/process.ts';
import { temporaryDirectory } from '../support/service.ts';

test('a service that starts while another one uses its SQLite file takes over when that ends, and limits hold', async (t) => {
  const directory = temporaryDirectory(t);
  const first = await startServiceProcess(t, directory);
  const shortCode = await createLink(first, { maxViews: 5 });
  for (let views = 0; views < 3; views++) await openLink(first, shortCode);
  const starting = startServiceProcess(t, directory);
  first.signal('SIGTERM');
  const second = await starting;
  const statuses = [];
  for (let attempts = 0; attempts < 4; attempts++) statuses.push((await openLink(second, shortCode)).status);
  assert.deepEqual(statuses, [302, 302, 410, 410]);
  assert.equal((await assertAuditConsistent(second)).length, 7, 'one record for each attempt');
});
