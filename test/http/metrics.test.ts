import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { METHODS } from 'node:http';
import test from 'node:test';
import { send, sendJson } from '../support/http-client.ts';
import { createLink, openLink, revokeLink, storedFileOf, uploadFile } from '../support/links.ts';
import { scrape, valuesOf } from '../support/prometheus.ts';
import { startService, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const TARGET_URL = 'https://user:secret-credentials@secret-target.example/';

/** Makes attempts of every result and returns the short codes. */
async function makeEveryResult(service: TestService): Promise<string[]> {
  const expiring = await createLink(service, { targetUrl: TARGET_URL, expiresAt: '2026-06-15T13:00:00Z' });
  const inactive = await createLink(service, { targetUrl: TARGET_URL, expiresAt: '2026-06-15T13:00:00Z' });
  const limited = await createLink(service, { targetUrl: TARGET_URL, maxViews: 1 });
  const locked = await createLink(service, { targetUrl: TARGET_URL, password: 'secret-password' });
  const revoked = await createLink(service, { targetUrl: TARGET_URL });
  const [stored, missing] = [
    await uploadFile(service, 'content', { fileName: 'secret-name.txt' }),
    await uploadFile(service, 'content', { fileName: 'secret-name.txt' }),
  ];
  rmSync(storedFileOf(service, missing));
  for (const _ of ['revoked', 'already revoked']) await revokeLink(service, revoked);
  await send(service, '/l/unknown1', { method: 'DELETE' });

  service.clock.now += 24 * 3_600_000;
  await openLink(service, expiring);
  await service.startJobs();
  service.clock.now -= 24 * 3_600_000; // the clock was wrong and is corrected
  await openLink(service, inactive);
  for (const _ of ['success', 'view limit', 'view limit']) await openLink(service, limited);
  for (const password of ['', 'wrong', 'wrong', 'wrong', 'secret-password']) {
    await openLink(service, locked, { 'x-link-password': password, 'user-agent': 'secret-agent' });
  }
  await openLink(service, revoked);
  await openLink(service, stored);
  await openLink(service, missing);
  for (const text of ['unknown1', 'secret-code', '%ZZ', 'a/b']) await openLink(service, text);
  await send(service, `/l/${stored}`, { method: 'HEAD' });
  await openLink(service, revoked, { 'sec-purpose': 'prefetch' });
  return [expiring, inactive, limited, locked, revoked, stored, missing];
}

test('metrics have the counts of a known history', async (t) => {
  const service = await startService(t);
  const codes = await makeEveryResult(service);
  const samples = await scrape(service);
  const values = (name: string) => valuesOf(samples, name);

  assert.deepEqual(values('secure_link_created_total'), { REDIRECT: 5, DOWNLOAD: 2 });
  assert.deepEqual(values('secure_link_resolve_attempts_total'), { '': 17 }, 'without previews');
  assert.deepEqual(values('secure_link_resolve_success_total'), { '': 3 });
  assert.deepEqual(values('secure_link_resolve_denied_total'), {
    ...{ not_found: 4, file_not_found: 1, revoked: 1, expired: 1, view_limit_reached: 2 },
    ...{ password_required: 1, invalid_password: 3, unexpected_state: 1 },
  });
  assert.deepEqual(values('secure_link_revoked_total'), { '': 1 }, 'each link once');
  assert.deepEqual(values('secure_link_revoke_denied_total'), { not_found: 1 });
  await t.test('the histogram secure_link_resolve_duration_seconds observes each attempt', () => {
    assert.deepEqual(values('secure_link_resolve_duration_seconds_count'), { '': 17 });
    const buckets = samples.filter(({ name }) => name === 'secure_link_resolve_duration_seconds_bucket');
    const counts = buckets.map(({ value }) => value);
    assert.deepEqual(
      counts,
      counts.toSorted((a, b) => a - b),
      'buckets are cumulative',
    );
    assert.deepEqual([buckets.at(-1)?.labels['le'], counts.at(-1)], ['+Inf', 17]);
    const seconds = values('secure_link_resolve_duration_seconds_sum')[''] ?? 0;
    assert.ok(seconds > 0 && seconds < 60, 'in seconds');
  });
  await t.test('the histogram http_server_requests_seconds observes each request', () => {
    const requests = samples.filter(({ name }) => name === 'http_server_requests_seconds_count');
    const counts: Record<string, number> = {};
    for (const { labels, value } of requests) {
      assert.deepEqual(Object.keys(labels).sort(), ['method', 'status', 'uri']);
      const name = `${labels['method']} ${labels['status']}`;
      counts[name] = (counts[name] ?? 0) + value;
    }
    assert.partialDeepStrictEqual(counts, {
      ...{ 'POST 201': 7, 'GET 302': 2, 'GET 200': 1, 'GET 401': 4, 'GET 410': 6, 'HEAD 200': 1 },
      ...{ 'DELETE 204': 2, 'DELETE 404': 1, 'GET 404': 5 }, // one path cannot be percent-decoded
    });
  });
  await t.test('no label contains a short code, an address, an agent, a file name or a target', () => {
    const labels = samples.map((sample) => JSON.stringify(sample.labels)).join('\n');
    for (const code of codes) assert.ok(!labels.includes(code));
    assert.doesNotMatch(labels, /secret-|unknown1|127\.0\.0\.1|%ZZ/);
  });
});

test('client input does not add series', async () => {
  const service = await sharedService();
  const ownSeries = async () =>
    (await scrape(service)).filter(({ name }) => /^(secure_link|http_server)_/.test(name)).length;
  await openLink(service, 'warm-up1');
  await send(service, '/nothing');
  await ownSeries();
  const before = await ownSeries();
  for (let index = 0; index < 20; index++) {
    const headers = { 'user-agent': `agent ${index}`, 'x-forwarded-for': `203.0.113.${index}` };
    await openLink(service, `unknown${index}`, headers);
    await send(service, `/nothing/${index}?query=${index}`);
  }
  assert.equal(await ownSeries(), before);
});

test('unknown methods and paths share one label', async () => {
  const service = await sharedService();
  const sizeOf = async () => (await send(service, '/actuator/prometheus')).body.length;
  const paths = [
    '/',
    '/api/links',
    '/api/links/upload',
    '/l/unknown1',
    '/api/stats/links',
    '/docs',
    '/nothing',
  ];
  const request = (method: string) =>
    Promise.all(paths.map((path) => send(service, path, { method, headers: { host: 'test' } })));
  const known = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
  for (const method of [...known, 'TRACE']) await request(method);
  await sizeOf();
  const before = await sizeOf();
  for (const method of METHODS) if (![...known, 'CONNECT'].includes(method)) await request(method);
  const after = await sizeOf();
  assert.ok(after - before < 2_000, `the metrics grew by ${after - before} bytes`);
  const labels = (await scrape(service)).map((sample) => sample.labels);
  const isShared = ({ method, uri, status }: Record<string, string>) =>
    method === 'other' && uri === 'unmatched' && status === '405';
  assert.ok(labels.some(isShared));
});

test('GET /actuator/prometheus returns the text exposition format', async (t) => {
  const service = await startService(t);
  await sendJson(service, '/api/links', { targetUrl: TARGET_URL });
  const response = await send(service, '/actuator/prometheus');
  assert.equal(response.status, 200);
  assert.match(String(response.headers['content-type']), /^text\/plain; version=0\.0\.4; charset=utf-8$/);
  const lines = response.text.split('\n');
  for (const name of [
    'secure_link_created_total',
    'secure_link_resolve_attempts_total',
    'secure_link_resolve_success_total',
    'secure_link_resolve_denied_total',
    'secure_link_revoked_total',
    'secure_link_revoke_denied_total',
  ]) {
    assert.ok(lines.includes(`# TYPE ${name} counter`), name);
    const isHelp = (line: string) => line.startsWith(`# HELP ${name} `);
    assert.ok(lines.some(isHelp), name);
  }
  for (const name of ['secure_link_resolve_duration_seconds', 'http_server_requests_seconds']) {
    assert.ok(lines.includes(`# TYPE ${name} histogram`), name);
  }
  // Counters exist before their first increase, so that monitoring sees it.
  assert.ok(lines.includes('secure_link_resolve_attempts_total 0'));
  await scrape(service); // every line parses
});
