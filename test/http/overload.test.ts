import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { OverloadedError } from '../../src/core/model/unavailable.ts';
import {
  assertErrorRecord,
  type RequestOptions,
  send,
  sendJson,
  type TestResponse,
} from '../support/http-client.ts';
import { countRows, createLink, isEmpty, linkState, openLink, TARGET } from '../support/links.ts';
import { file, sendForm } from '../support/multipart.ts';
import { startService, type TestService } from '../support/service.ts';

const OVERLOADED = 'Too much work is waiting; try again after the seconds in Retry-After';
const JSON_ONLY = { accept: 'application/json' };

function assertOverloaded(response: TestResponse, path: string): void {
  assertErrorRecord(response, { status: 503, message: OVERLOADED, path });
  assert.equal(response.headers['retry-after'], '5');
}

/** Makes the store refuse some calls, as one whose queue is full. Returns a function that ends it. */
function overload(
  { stores: { store } }: TestService,
  calls: readonly ('attempt' | 'create' | 'begin')[],
): () => void {
  const refuse = () => Promise.reject(new OverloadedError('store'));
  const working = Object.fromEntries(calls.map((call) => [call, store[call]]));
  for (const call of calls) store[call] = refuse;
  const { direct } = store;
  assert.ok(direct);
  const { attempt } = direct;
  if (calls.includes('attempt'))
    direct.attempt = (_item, _isAborted, { reject }) => reject(new OverloadedError('store'));
  return () => {
    Object.assign(store, working);
    direct.attempt = attempt;
  };
}

describe('a store with too much waiting work', () => {
  test('a full store refuses visits with 503 before a view is spent or a record is written', async (t) => {
    const service = await startService(t);
    const shortCode = await createLink(service, { maxViews: 1 });
    await service.stores.store.find(shortCode); // into the cache
    const path = `/l/${shortCode}`;
    const form = {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'confirm=true',
    };
    const endOverload = overload(service, ['attempt']);
    const visits: RequestOptions[] = [{}, { headers: JSON_ONLY }, form];
    for (const options of visits) {
      const response = await send(service, path, options);
      assertOverloaded(response, path);
      assert.ok(!JSON.stringify(response.headers).includes(TARGET));
    }
    const head = await send(service, path, { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers['retry-after'], head.text], [503, '5', '']);
    const page = await openLink(service, shortCode, { accept: 'text/html' });
    assert.deepEqual([page.status, page.headers['retry-after']], [503, '5']);
    assert.match(page.headers['content-type'] ?? '', /^text\/html/);
    assert.deepEqual(linkState(service, shortCode), { status: 'ACTIVE', viewCount: 0 });
    assert.equal(countRows(service, 'audit'), 0);
    const metrics = (await send(service, '/actuator/prometheus')).text;
    assert.match(metrics, /^secure_link_overload_total\{queue="store"\} 5$/m);
    endOverload();
    assert.equal((await openLink(service, shortCode)).status, 302);
    assert.equal(service.logged().filter(({ msg }) => msg === 'unexpected_error').length, 0);
  });

  test('a full store refuses creations and uploads with 503, and nothing of them is stored', async (t) => {
    const service = await startService(t);
    for (const calls of [['create'], ['create', 'begin']] as const) {
      const endOverload = overload(service, calls);
      assertOverloaded(await sendJson(service, '/api/links', { targetUrl: TARGET }), '/api/links');
      assertOverloaded(await sendForm(service, [file('content')]), '/api/links/upload');
      assert.ok(isEmpty(service), `with ${calls.join(' and ')}`);
      endOverload();
    }
    await createLink(service);
    assert.equal(service.logged().filter(({ msg }) => msg === 'unexpected_error').length, 0);
  });
});

test('the 32nd statistic of one client at once gets 503, and those of another client do not', async (t) => {
  const service = await startService(t);
  const { statistics } = service.stores.store;
  const held = Promise.withResolvers<void>();
  const { linkCounts } = statistics;
  let begun = 0;
  Object.assign(statistics, {
    async linkCounts() {
      begun += 1;
      await held.promise;
      return linkCounts();
    },
  });
  const path = '/api/stats/links';
  const read = (address: string) => send(service, path, { headers: { 'x-forwarded-for': address } });
  let refused = 0;
  const { promise: isRefused, resolve } = Promise.withResolvers<TestResponse>();
  const responses = Array.from({ length: 32 }, async () => {
    const response = await read('203.0.113.1');
    if (response.status === 503) refused += 1;
    if (response.status === 503) resolve(response);
    return response.status;
  });
  assertOverloaded(await isRefused, path);
  const other = read('203.0.113.2');
  assert.equal(begun, 1, 'one runs, and 30 wait');
  held.resolve();
  assert.equal((await other).status, 200);
  const statuses = await Promise.all(responses);
  assert.equal(statuses.filter((status) => status === 200).length, 31);
  assert.equal(refused, 1);
});
