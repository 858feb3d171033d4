import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { assertAuditsConsistent, assertResponsesAreRecorded } from '../support/audit-consistency.ts';
import { send, type TestResponse } from '../support/http-client.ts';
import { createLink, openLink, uploadFile } from '../support/links.ts';
import { startLoad } from '../support/load.ts';
import { linkRows, readAudit } from '../support/postgres-harness.ts';
import { type Schema, temporarySchema } from '../support/postgres-server.ts';
import { type ServiceProcess, serviceFlags, startProgram, startServiceProcess } from '../support/process.ts';
import { temporaryDirectory } from '../support/service.ts';

const ATTEMPTS = 150;

describe('three processes of the service on one PostgreSQL database', () => {
  test('processes that start together on an empty database create one store, and keep a limit', async (t) => {
    const { schema, services } = await startInstances(t, 3);
    const serviceOf = (index: number) => services[index % 3] as ServiceProcess;

    for (const [name, create] of [
      ['a redirect', () => createLink(serviceOf(0), { maxViews: 5 })],
      ['a file', () => uploadFile(serviceOf(1), 'content', { fields: { maxViews: '5' } })],
    ] as const) {
      const shortCode = await create();
      const responses: TestResponse[] = await Promise.all(
        Array.from({ length: ATTEMPTS }, (_, index) => openLink(serviceOf(index), shortCode)),
      );
      const granted = responses.filter(({ status }) => status < 400);
      assert.equal(granted.length, 5, name);
      assert.ok(responses.every((response) => granted.includes(response) || response.status === 410));
    }

    const revoked = await createLink(serviceOf(2));
    assert.equal((await openLink(serviceOf(0), revoked)).status, 302);
    assert.equal((await send(serviceOf(1), `/l/${revoked}`, { method: 'DELETE' })).status, 204);
    assert.equal((await openLink(serviceOf(0), revoked)).status, 410);

    for (const service of services) await assertAuditConsistent(service, schema);
    assert.equal((await readAudit(schema)).length, 2 * ATTEMPTS + 2);
  });

  test('the others continue after the kill of one under load, and nothing acknowledged is lost', async (t) => {
    const { directory, schema, services } = await startInstances(t, 3);
    const [victim, ...others] = services as [ServiceProcess, ...ServiceProcess[]];
    const limits = [1, 40, 400, 1_000_000];
    const codes = await Promise.all(limits.map((maxViews) => createLink(victim, { maxViews })));
    let requests = 0;
    const choose = () => ({ shortCode: codes[requests++ % codes.length] ?? '' });
    const loads = services.map((service) => startLoad(service, 6, choose));
    const [ofVictim, ...ofOthers] = loads;
    await ofVictim?.waitForResponses(200);
    victim.signal('SIGKILL');
    await ofVictim?.ended;
    for (const load of ofOthers) await load.waitForResponses(load.sent.length + 200);
    for (const service of others) service.signal('SIGTERM');
    await Promise.all([...loads.map((load) => load.ended), ...others.map((service) => service.exited)]);

    const again = await startInstance(t, directory, schema);
    await assertAuditConsistent(again, schema);
    assertResponsesAreRecorded(
      loads.flatMap((load) => load.sent),
      await readAudit(schema),
    );
    const views = (await linkRows(schema)).map(({ viewCount, maxViews }) => [maxViews, viewCount]);
    for (const [maxViews = 0, viewCount = 0] of views) assert.ok((viewCount ?? 0) <= (maxViews ?? 0));
    assert.ok(
      views.some(([maxViews, viewCount]) => maxViews === 40 && viewCount === 40),
      'a limit was reached',
    );
  });
});

test('seed fills a PostgreSQL database, and verify finds nothing wrong with it', async (t) => {
  const directory = temporaryDirectory(t);
  const schema = await temporarySchema(t);
  const flags = [...serviceFlags(directory, 8080, schema.url), '--app.database.must-exist=false'];
  for (const [command, expected] of [
    ['seed', /Seeded 10 links and 5000 attempts/],
    [
      'verify',
      /All statistics equal a recount of 5,000 audit records\.\nThe history .* unchanged\.\n2 files, each with its link and its size;/,
    ],
  ] as const) {
    const { code, stdout, stderr } = await startProgram(t, ['cli/main.ts', command, ...flags]).exited;
    assert.equal(code, 0, stderr);
    assert.match(stdout, expected);
  }
  const again = await startProgram(t, ['cli/main.ts', 'seed', ...flags]).exited;
  assert.equal(again.code, 1);
  assert.match(again.stderr, /postgres:\/\/127\.0\.0\.1:\d+\/postgres has links/);
});

async function startInstances(t: TestContext, count: number) {
  const directory = temporaryDirectory(t);
  const schema = await temporarySchema(t);
  const starting = Array.from({ length: count }, () => startInstance(t, directory, schema));
  return { directory, schema, services: await Promise.all(starting) };
}

function startInstance(t: TestContext, directory: string, schema: Schema): Promise<ServiceProcess> {
  return startServiceProcess(t, directory, { databaseUrl: schema.url, flags: ['--app.log.level=warn'] });
}

async function assertAuditConsistent(service: ServiceProcess, schema: Schema): Promise<void> {
  await assertAuditsConsistent(service, { audit: await readAudit(schema), links: await linkRows(schema) });
}
