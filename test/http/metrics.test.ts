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

  await t.test('secure_link_created_total counts by type', () => {
    assert.deepEqual(values('secure_link_created_total'), { REDIRECT: 5, DOWNLOAD: 2 });
  });
  await t.test('secure_link_resolve_attempts_total counts attempts without previews', () => {
    assert.deepEqual(values('secure_link_resolve_attempts_total'), { '': 17 });
  });
  await t.test('secure_link_resolve_success_total counts successes', () => {
    assert.deepEqual(values('secure_link_resolve_success_total'), { '': 3 });
  });
  await t.test('secure_link_resolve_denied_total counts by reason', () => {
    assert.deepEqual(values('secure_link_resolve_denied_total'), {
      not_found: 4,
      file_not_found: 1,
      revoked: 1,
      expired: 1,
      view_limit_reached: 2,
      password_required: 1,
      invalid_password: 3,
      unexpected_state: 1,
    });
  });
  await t.test(
    'secure_link_revoked_total counts each link once, secure_link_revoke_denied_total by reason',
    () => {
      assert.deepEqual(values('secure_link_revoked_total'), { '': 1 });
      assert.deepEqual(values('secure_link_revoke_denied_total'), { not_found: 1 });
    },
  );
  await t.test('the histogram secure_link_resolve_duration_seconds observes each attempt', () => {
    assert.deepEqual(values('secure_link_resolve_duration_seconds_count'), { '': 17 });
    const buckets = samples.filter(({ name }) => name === 'secure_link_resolve_duration_seconds_bucket');
    const counts = buckets.map(({ value }) => value);
    const ascending = counts.toSorted((a, b) => a - b);
    assert.deepEqual(counts, ascending, 'buckets are cumulative');
    assert.equal(buckets.at(-1)?.labels['le'], '+Inf');
    assert.equal(buckets.at(-1)?.value, 17);
    const seconds = values('secure_link_resolve_duration_seconds_sum')[''] ?? 0;
    assert.ok(seconds > 0 && seconds < 60, 'in seconds');
  });
  await t.test('the histogram http_server_requests_seconds observes each request', () => {
    const requests = samples.filter(({ name }) => name === 'http_server_requests_seconds_count');
    const countOf = (method: string, status: string) =>
      requests
        .filter(({ labels }) => labels['method'] === method && labels['status'] === status)
        .reduce((sum, { value }) => sum + value, 0);
    assert.equal(countOf('POST', '201'), 7);
    assert.equal(countOf('GET', '302'), 2);
    assert.equal(countOf('GET', '200'), 1);
    assert.equal(countOf('GET', '401'), 4);
    assert.equal(countOf('GET', '404'), 5, 'including a path that cannot be percent-decoded');
    assert.equal(countOf('GET', '410'), 6);
    assert.equal(countOf('HEAD', '200'), 1);
    assert.equal(countOf('DELETE', '204'), 2);
    assert.equal(countOf('DELETE', '404'), 1);
    for (const { labels } of requests)
      assert.deepEqual(Object.keys(labels).sort(), ['method', 'status', 'uri']);
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
  const known = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS'];
  for (const method of [...known, 'PUT']) await request(method);
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
