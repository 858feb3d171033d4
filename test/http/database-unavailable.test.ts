import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { resolveReferences } from '../../docs/resolve-references.ts';
import { codesOf } from '../../src/http/errors.ts';
import { TEXTS } from '../../src/http/pages/visitor.ts';
import { ROWS, type Row } from '../support/access-model.ts';
import { assertErrorRecord, member, send, until } from '../support/http-client.ts';
import { addKey, bearer } from '../support/keys.ts';
import { createLink, openLink } from '../support/links.ts';
import { encodeForm, file, MULTIPART_HEADERS } from '../support/multipart.ts';
import { startProxy } from '../support/postgres-proxy.ts';
import { temporarySchema } from '../support/postgres-server.ts';
import { scrape, valuesOf } from '../support/prometheus.ts';
import { startService, type TestService } from '../support/service.ts';
import { testTimers } from '../support/test-timers.ts';
import { SECRET } from '../support/webhook-receiver.ts';

const UNAVAILABLE = 'The database cannot be used; try again after the seconds in Retry-After';
const INITIAL_KEY = 'initial-'.repeat(5);
const UNKNOWN_KEY = `postern_${'A'.repeat(43)}`;
const AUTHORIZED = bearer(INITIAL_KEY);

/** Starts a service whose connections to PostgreSQL can be refused. Its timers fire when the test says so. */
async function startOnPostgres(t: TestContext, ...flags: string[]) {
  const schema = await temporarySchema(t);
  const url = new URL(schema.url);
  const proxy = await startProxy(t, { host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  const timers = testTimers();
  const service = await startService(t, {
    startTimer: timers.start,
    flags: [
      `--app.database.url=${url.href.replaceAll('+', '%20')}`,
      `--app.access.initial-key=${INITIAL_KEY}`,
      ...flags,
    ],
  });
  return { service, proxy, timers };
}

/** Returns whether a route responds without the database, such as a page. */
const needsNoDatabase = (name: string, { need }: Row): boolean =>
  (/^GET (?!\/l\/|\/checkpoint|\/api\/(?:links|teams|keys))/.test(name) &&
    ['nothing', 'any key'].includes(need)) ||
  [
    '/api/password', // an invalid one
    'POST /api/people', // an invalid name
    '/api/display-name', // an invalid one
    '/api/sessions/:id', // a key has none
    '/api/links/:shortCode/mail', // which a key may not send
    '/api/checkpoint-key', // there is no file for the key
    '/api/settings',
    '/actuator/health',
    '/actuator/prometheus',
  ].some((url) => name.endsWith(url));

async function statusOf(service: TestService, name: string, row: Row, shortCode: string): Promise<number> {
  const [method = '', url = ''] = name.split(' ');
  const path = row.path ?? url.replace(/\*|:shortCode/, shortCode);
  const headers = { ...row.body?.headers, ...AUTHORIZED };
  const response = await send(service, path, { ...row.body, method, headers });
  if (response.status !== 503 || method === 'HEAD' || url.startsWith('/actuator/')) return response.status;
  assertErrorRecord(response, { status: 503, message: UNAVAILABLE, path });
  assert.equal(response.headers['retry-after'], '5', name);
  return response.status;
}

test('a request that needs the database gets 503 while it is down, as the reference of its route says', async (t) => {
  const webhooks = `--app.webhooks.secret=${SECRET}`; // a retry of a notification is refused without
  const { service, proxy } = await startOnPostgres(t, webhooks);
  const shortCode = await createLink(service);
  const { text } = await send(service, '/openapi.json', { headers: AUTHORIZED });
  const { paths } = resolveReferences(JSON.parse(text));
  proxy.refuse();
  for (const [name, row] of Object.entries(ROWS)) {
    const status = await statusOf(service, name, row, shortCode);
    if (needsNoDatabase(name, row)) {
      assert.ok(name.startsWith('GET /actuator/health') || status < 500, `${name}: ${status}`);
      continue;
    }
    assert.equal(status, 503, name);
    const [method = '', url = ''] = name.split(' ');
    if (method === 'HEAD') continue; // the reference has no HEAD
    const path = url.replace('*', '{shortCode}').replaceAll(/:(\w+)/g, '{$1}');
    const responses = member(member(member(paths, path), method.toLowerCase()), 'responses');
    const documented = JSON.stringify(member(responses, '503'));
    assert.ok(documented?.includes('DATABASE_UNAVAILABLE'), `the reference of ${name} lacks the 503`);
  }
  const form = { method: 'POST', headers: MULTIPART_HEADERS, body: encodeForm([file('x')]) };
  assert.equal((await send(service, `/l/${shortCode}`, form)).status, 503, 'a form with files');
  assert.ok(codesOf(503).includes('DATABASE_UNAVAILABLE'));
});

test('a scrape shows in time that the database is down or frozen, also with a key of that database', async (t) => {
  for (const fail of ['refuse', 'freeze'] as const) {
    const { service, proxy, timers } = await startOnPostgres(t, '--app.access=keys');
    const headers = bearer(await addKey(service, 'prometheus', ['metrics']));
    const healthOf = async () => {
      const { status, text } = await send(service, '/actuator/prometheus', { headers });
      assert.equal(status, 200, text);
      return /^secure_link_health\{component="database"\} (\d)$/m.exec(text)?.[1];
    };
    assert.equal(await healthOf(), '1');
    proxy[fail]();
    service.clock.now += 60_000; // the key is looked up again
    const begun = performance.now();
    let isShown = false;
    const showing = healthOf().finally(() => {
      isShown = true;
    });
    await until(() => {
      timers.fireAll(); // that of the lookup of the key among them
      return isShown;
    });
    assert.equal(await showing, '0', fail);
    assert.ok(performance.now() - begun < 10_000, 'before Prometheus gives up');
    proxy.refuse(); // else the stop waits
  }
});

test('a stop ends while the database is frozen, and reports each step that it left behind', async (t) => {
  const { service, proxy, timers } = await startOnPostgres(
    t,
    ...['--app.database.statement-timeout=PT1H', '--app.database.connect-timeout=PT1H'],
    '--app.limits.unknown-codes=1/PT1M',
  );
  for (const status of [404, 429]) assert.equal((await send(service, '/l/unknown')).status, status);
  proxy.freeze();
  const lookup = send(service, '/api/links', { headers: bearer(UNKNOWN_KEY) });
  await once(service.app.server, 'request');
  let isStopped = false;
  const stopping = service.stop().finally(() => {
    isStopped = true;
  });
  await until(() => {
    timers.fireAll();
    return isStopped;
  });
  await stopping;
  const jobs = service.logged().filter(({ msg }) => msg === 'job_failed');
  assert.deepEqual(
    jobs.map(({ job }) => job),
    ['stop_requests', 'stop_records', 'stop_stores'],
  );
  proxy.refuse();
  await lookup; // its connection was left open
});

test('an outage of the database is logged at its begin and its end, and is in the metrics', async (t) => {
  const { service, proxy, timers } = await startOnPostgres(t);
  const shortCode = await createLink(service);
  const problems = () => service.logged().filter(({ msg }) => String(msg).startsWith('problem_'));
  const health = async () => valuesOf(await scrape(service), 'secure_link_health');
  assert.deepEqual(await health(), { database: 1, storage: 1, scheduler: 0 });

  const endOutage = proxy.refuse();
  const refused = 20;
  for (let count = 0; count < refused; count++)
    assert.equal((await openLink(service, shortCode)).status, 503);
  const page = await openLink(service, shortCode, { accept: 'text/html' });
  assert.deepEqual([page.status, page.headers['retry-after']], [503, '5']);
  assert.ok(page.text.includes(TEXTS.en['notice.SERVER_ERROR.title']));
  await service.startJobs(); // they fail without lines of their own
  assert.deepEqual(await health(), { database: 0, storage: 1, scheduler: 0 });
  const values = valuesOf(await scrape(service), 'secure_link_store_problem');
  assert.equal(values['database_unavailable'], 1);
  const [begin, ...others] = problems();
  assert.deepEqual(others, []);
  assert.deepEqual([begin?.['msg'], begin?.['problem']], ['problem_found', 'database_unavailable']);
  assert.match(String(begin?.['details']), /^No connection to the database at 127\.0\.0\.1:\d+ \(/);

  service.clock.now += 90_000;
  await endOutage();
  await until(async () => (await openLink(service, shortCode)).status === 302);
  await until(() => {
    timers.fireAll(); // nothing asks for health
    return problems().length === 2;
  });
  const [, end] = problems();
  assert.deepEqual([end?.['msg'], end?.['problem']], ['problem_solved', 'database_unavailable']);
  assert.equal(end?.['durationMs'], 90_000);
  assert.ok(Number(end?.['refusedRequests']) >= refused + 1);
  assert.equal((await health())['database'], 1);
  const errors = service.logged().filter(({ level }) => level === 'error');
  assert.deepEqual(errors, [begin]);
});
