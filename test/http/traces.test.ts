import assert from 'node:assert/strict';
import { test } from 'node:test';
import { send, until } from '../support/http-client.ts';
import { createLink, openLink, uploadFile } from '../support/links.ts';
import { scrape, valuesOf } from '../support/prometheus.ts';
import { startService } from '../support/service.ts';
import { respondWith, SECRET, startReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT_ID = '00f067aa0ba902b7';

type Value = { stringValue?: string; intValue?: number };
/** A span as a collector reads it (OTLP/JSON). */
type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Value }[];
  status?: { code: number };
};
type Export = {
  resourceSpans: {
    resource: { attributes: { key: string; value: Value }[] };
    scopeSpans: { spans: Span[] }[];
  }[];
};

/** The spans that a collector has received. */
function spansOf({ received }: WebhookReceiver): Span[] {
  return received.flatMap(({ body }) => {
    const { resourceSpans }: Export = JSON.parse(body);
    return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
  });
}

const attributesOf = ({ attributes }: Pick<Span, 'attributes'>) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

test('a collector gets the spans of a request and of the work that it caused', async (t) => {
  const collector = await startReceiver(t);
  const webhooks = await startReceiver(t);
  const service = await startService(t, {
    flags: [
      ...[`--otel.exporter.otlp.endpoint=${collector.url}`, '--otel.exporter.otlp.headers=api-key=a%20key'],
      ...[`--app.webhooks.secret=${SECRET}`, `--app.webhooks.url=${webhooks.url}`],
      '--app.webhooks.allowed-networks=127.0.0.1',
    ],
  });
  const shortCode = await uploadFile(service, 'content', { fields: { password: 'secret' } });
  const { headers } = await openLink(service, shortCode, {
    'x-link-password': 'secret',
    traceparent: `00-${TRACE_ID}-${PARENT_ID}-01`,
  });
  service.clock.now += 1_000;
  await service.dispatcher?.tick();
  await service.dispatcher?.settled();
  await service.stop();

  const spans = spansOf(collector);
  const inTrace = spans.filter(({ traceId }) => traceId === TRACE_ID);
  const [request, ...others] = inTrace.filter(({ kind }) => kind === 2);
  assert.ok(request);
  assert.deepEqual(others, []);
  assert.equal(request.name, 'GET /l/*');
  assert.equal(request.parentSpanId, PARENT_ID);
  assert.equal(headers['traceparent'], `00-${TRACE_ID}-${request.spanId}-01`);
  const { 'http.response.size': size, ...attributes } = attributesOf(request);
  assert.ok(Number(size) > 'content'.length);
  assert.deepEqual(attributes, {
    'http.request.method': 'GET',
    'http.route': '/l/*',
    'http.response.status_code': 200,
    'postern.result': 'SUCCESS',
  });
  const children = inTrace.filter(({ parentSpanId }) => parentSpanId === request.spanId);
  assert.deepEqual(
    children.map(({ name }) => name),
    ['store.find', 'store.read', 'passwords.verify', 'files.open', 'store.attempt'],
  );
  for (const { startTimeUnixNano: start, endTimeUnixNano: end } of children) {
    assert.ok(BigInt(request.startTimeUnixNano) <= BigInt(start) && BigInt(start) <= BigInt(end));
    assert.ok(BigInt(end) <= BigInt(request.endTimeUnixNano));
  }
  const names = spans.map(({ name }) => name);
  for (const name of [
    'POST /api/links/upload',
    'passwords.hash',
    'files.append',
    'files.complete',
    'notifications.webhook',
  ])
    assert.ok(names.includes(name), name);

  const delivered = spans.find(({ name }) => name === 'notifications.webhook') ?? assert.fail();
  const [webhook] = webhooks.received;
  assert.equal(webhook?.headers['traceparent'], `00-${delivered.traceId}-${delivered.spanId}-01`);

  const [{ path, headers: sent, body } = assert.fail()] = collector.received;
  assert.deepEqual([path, sent['api-key']], ['/v1/traces', 'a key']);
  const { resourceSpans }: Export = JSON.parse(body);
  assert.deepEqual(attributesOf(resourceSpans[0]?.resource ?? assert.fail()), { 'service.name': 'postern' });
  assert.ok(!collector.received.some(({ body }) => body.includes(shortCode)), 'no short code is sent');
});

test('a request that is not traced sends no span, and a caller decides about its own', async (t) => {
  const collector = await startReceiver(t);
  const service = await startService(t, {
    flags: [`--otel.exporter.otlp.endpoint=${collector.url}/v1/traces`, '--otel.traces.sampler.arg=0'],
  });
  const shortCode = await createLink(service);
  await openLink(service, shortCode, { traceparent: `00-${TRACE_ID}-${PARENT_ID}-00` });
  await openLink(service, shortCode, { traceparent: `00-${TRACE_ID}-${PARENT_ID}-01` });
  await service.stop();
  const requests = spansOf(collector).filter(({ kind }) => kind === 2);
  assert.deepEqual(
    requests.map(({ name, traceId }) => [name, traceId]),
    [['GET /l/*', TRACE_ID]],
  );
});

test('a collector that refuses spans costs no request, is logged once, and its spans are counted', async (t) => {
  const collector = await startReceiver(t);
  collector.respond = respondWith(503);
  const service = await startService(t, { flags: [`--otel.exporter.otlp.endpoint=${collector.url}`] });
  await service.startJobs();
  const shortCode = await createLink(service);
  assert.equal((await openLink(service, shortCode)).status, 302);
  const dropped = async () =>
    valuesOf(await scrape(service), 'secure_link_trace_spans_dropped_total')[''] ?? 0;
  await collector.waitFor(2);
  assert.ok((await dropped()) > 0);
  const failures = service.logged().filter(({ msg }) => msg === 'job_failed');
  assert.equal(failures.length, 1, JSON.stringify(failures));
  const [{ job, err } = {}] = failures;
  assert.equal(job, 'traces');
  assert.match((err as { message: string }).message, /HTTP 503.*otel\.exporter\.otlp\.endpoint/);
});

test('a request that fails with a server error has a span that failed', async (t) => {
  const collector = await startReceiver(t);
  const service = await startService(t, {
    flags: [`--otel.exporter.otlp.endpoint=${collector.url}`],
    passwords: {
      hash: async () => 'hash',
      verify: async () => {
        throw new Error('broken');
      },
    },
  });
  const shortCode = await createLink(service, { password: 'secret' });
  assert.equal((await openLink(service, shortCode, { 'x-link-password': 'secret' })).status, 500);
  await send(service, '/actuator/health/liveness');
  await service.stop();
  await until(() => collector.received.length > 0);
  const failed = spansOf(collector).filter(({ status }) => status?.code === 2);
  assert.deepEqual(
    failed.map(({ name }) => name),
    ['passwords.verify', 'GET /l/*'],
  );
});
