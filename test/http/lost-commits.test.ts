import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { send } from '../support/http-client.ts';
import { createLink, openLink } from '../support/links.ts';
import { scrape } from '../support/prometheus.ts';
import { startService, temporaryDirectory } from '../support/service.ts';

test('a service on an older copy of its database says so in health, metrics and log, and refuses attempts', async (t) => {
  const directory = temporaryDirectory(t);
  const copy = join(temporaryDirectory(t), 'copy.db');
  const first = await startService(t, { directory });
  const shortCode = await createLink(first);
  await first.stop();
  cpSync(first.databasePath, copy);
  const second = await startService(t, { directory });
  await openLink(second, shortCode);
  await second.stop();
  cpSync(copy, second.databasePath);

  const service = await startService(t, { directory });
  const health = await send(service, '/actuator/health');
  assert.equal(health.status, 503);
  const { database } = JSON.parse(health.text).components;
  assert.equal(database.status, 'DOWN');
  assert.match(
    database.details.problems.database_commits_lost,
    /-state.* committed attempts are missing; the database has no audit record yet$/,
  );
  assert.equal((await send(service, '/actuator/health/liveness')).status, 200);
  const series = await scrape(service);
  const measured = (name: string, problem?: string) =>
    series.find((sample) => sample.name === name && sample.labels['problem'] === problem)?.value;
  assert.equal(measured('secure_link_store_problem', 'database_commits_lost'), 1);
  const found = service.logged().filter(({ msg }) => msg === 'problem_found');
  assert.equal(found.length, 1);
  assert.match(
    String(found[0]?.['details']),
    /^committed attempts are missing; the database has no audit record yet$/,
  );

  assert.equal(measured('secure_link_database_checkpoint_failures_total'), 0);

  // Nothing is written, so that the missing files can still be put back.
  assert.equal((await openLink(service, shortCode)).status, 503);
  await service.stop();
  assert.deepEqual(readFileSync(service.databasePath), readFileSync(copy));
});

test('a service that stops while its database is moved away warns of the log that it leaves', async (t) => {
  const service = await startService(t);
  const shortCode = await createLink(service);
  renameSync(service.databasePath, `${service.databasePath}.moved`);
  await service.stop();
  const warnings = service.logged().filter(({ msg }) => msg === 'service_warning');
  assert.equal(warnings.length, 1);
  assert.match(
    String(warnings[0]?.['warning']),
    /keep its -wal, which has the last commits, .* before the next start/,
  );
  assert.ok(existsSync(`${service.databasePath}-wal`));
  renameSync(`${service.databasePath}.moved`, service.databasePath);
  const again = await startService(t, { directory: dirname(service.databasePath) });
  assert.equal((await openLink(again, shortCode)).status, 302);
});
