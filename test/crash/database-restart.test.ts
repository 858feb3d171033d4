import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAuditsConsistent, resultOf } from '../support/audit-consistency.ts';
import { send, until } from '../support/http-client.ts';
import { createLink } from '../support/links.ts';
import { startLoad } from '../support/load.ts';
import { startOwnServer } from '../support/own-postgres.ts';
import { linkRows, readAudit } from '../support/postgres-harness.ts';
import { createSchema } from '../support/postgres-server.ts';
import {
  logLines,
  NO_GUESS_LIMITS,
  serviceFlags,
  startProgram,
  startServiceProcess,
} from '../support/process.ts';
import { temporaryDirectory } from '../support/service.ts';

const RECOVERY_MS = 5_000;

test('a PostgreSQL crash under load causes errors until it is back, and loses nothing', async (t) => {
  const server = await startOwnServer();
  const schema = await createSchema(server.url);
  t.after(async () => {
    try {
      await schema[Symbol.asyncDispose]();
    } finally {
      await server.stop();
    }
  });
  const directory = temporaryDirectory(t);
  const service = await startServiceProcess(t, directory, {
    databaseUrl: schema.url,
    flags: NO_GUESS_LIMITS,
  });
  const limits = [50, 1_000_000];
  const codes = [
    ...(await Promise.all(limits.map((maxViews) => createLink(service, { maxViews })))),
    'nolink00', // which no cache of links has
  ];
  let requests = 0;
  const load = startLoad(service, 8, () => ({ shortCode: codes[requests++ % codes.length] ?? '' }));
  const responsesSince = (first: number, status: number) =>
    load.sent.slice(first).filter(({ response }) => response?.status === status).length;
  await load.waitForResponses(300);

  await server.crash();
  const crashedAt = load.sent.length;
  await until(() => responsesSince(crashedAt, 503) >= 20);
  const health = await send(service, '/actuator/health');
  assert.equal(health.status, 503);
  assert.match(health.text, /"database":\{"status":"DOWN","details":\{"database":"unreachable"\}\}/);
  assert.match((await send(service, '/api/stats/links')).text, /"DATABASE_UNAVAILABLE"/);

  await server.start();
  const [startedAt, backAt] = [performance.now(), load.sent.length];
  await until(() => responsesSince(backAt, 302) >= 20);
  assert.equal((await send(service, '/actuator/health')).status, 200);
  assert.ok(performance.now() - startedAt < RECOVERY_MS);
  await service.waitForOutput(({ stdout }) => stdout.includes('"problem_solved"'));
  service.signal('SIGTERM');
  const { code, stdout } = await service.exited;
  await load.ended;
  assert.equal(code, 0, 'it outlived its database');
  const lines = logLines(stdout).filter(({ level, problem }) => level === 'error' || problem !== undefined);
  assert.deepEqual(
    lines.map(({ msg, problem }) => [msg, problem]),
    [
      ['problem_found', 'database_unavailable'],
      ['problem_solved', 'database_unavailable'],
    ],
    'one line when it begins, and one when it ends',
  );
  assert.equal(lines[1]?.['refusedRequests'], responsesSince(0, 503) + 1);
  assert.doesNotMatch(stdout, /postgres:postgres/, 'without the password');

  const recorded = Map.groupBy(await readAudit(schema), ({ userAgent }) => userAgent);
  for (const [index, { agent, response }] of load.sent.entries()) {
    const results = (recorded.get(agent) ?? []).map(({ result }) => result);
    const mayHaveLostItsCommit = index < crashedAt && response?.status === 503;
    if (!response || mayHaveLostItsCommit) assert.ok(results.length <= 1, agent);
    else
      assert.deepEqual(
        results,
        response.status === 503 ? [] : [resultOf(response)],
        `${agent}: ${response.status}`,
      );
  }
  const again = await startServiceProcess(t, directory, { databaseUrl: schema.url });
  await assertAuditsConsistent(again, { audit: await readAudit(schema), links: await linkRows(schema) });
  const flags = serviceFlags(directory, 8080, schema.url);
  const verified = await startProgram(t, ['src/commands/verify.ts', ...flags]).exited;
  assert.equal(verified.code, 0, verified.stderr);
});
