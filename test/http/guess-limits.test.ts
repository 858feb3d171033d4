import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LANGUAGES } from '../../src/common/languages.ts';
import { findDifferences } from '../../src/tools/commands/verify-store.ts';
import {
  assertErrorRecord,
  json,
  member,
  type RequestOptions,
  send,
  sendJson,
  until,
} from '../support/http-client.ts';
import { addKey, bearer } from '../support/keys.ts';
import {
  auditedResults,
  auditRecords,
  countRows,
  createLink,
  linkState,
  openLink,
  revokeLink,
  shortCodeOf,
  TARGET,
  uploadFile,
} from '../support/links.ts';
import { encodeForm, file, MULTIPART_HEADERS } from '../support/multipart.ts';
import { personHeaders, sendFromPage } from '../support/people.ts';
import { startService, type TestService, temporaryDirectory, testConfig } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';
import { testTimers } from '../support/test-timers.ts';
import { TUS } from '../support/uploads.ts';

const PASSWORD = 'open sesame';
const RIGHT = { 'x-link-password': PASSWORD };
const WRONG = { 'x-link-password': 'guess' };
const LIMITED = 'Too many attempts; try again after the seconds in Retry-After';

const from = (address: string, headers: Record<string, string>) => ({
  ...headers,
  'x-forwarded-for': address,
});
const ask = (password: string): RequestOptions => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams({ password, ask: 'true' }).toString(),
});

/** Ends the minute in which attempts were refused, and waits for their records. */
async function recordRefusals(service: TestService, timers: ReturnType<typeof testTimers>): Promise<void> {
  const before = countRows(service, 'audit');
  timers.fireAll();
  await until(() => countRows(service, 'audit') > before);
}

/** Returns the short code and the number of each record of refused attempts. */
const refusalCounts = (service: TestService) =>
  auditRecords(service)
    .filter(({ result }) => result === 'RATE_LIMITED')
    .map(({ shortCode, count }) => [shortCode, count]);

async function useUpGuesses(service: TestService, shortCode: string): Promise<void> {
  for (let wrong = 0; wrong < 10; wrong++) {
    assert.equal((await openLink(service, shortCode, WRONG)).status, 401);
  }
}

describe('wrong passwords', () => {
  test('a client with ten wrong passwords gets 429 for any password of that link until the window ends', async (t) => {
    const timers = testTimers();
    const service = await startService(t, { startTimer: timers.start });
    const [shortCode, other] = [
      await createLink(service, { password: PASSWORD }),
      await createLink(service, { password: PASSWORD }),
    ];
    await useUpGuesses(service, shortCode);
    service.clock.now += 60_500;
    for (const headers of [RIGHT, WRONG, {}]) {
      const response = await openLink(service, shortCode, headers);
      assertErrorRecord(response, { status: 429, message: LIMITED, path: `/l/${shortCode}` });
      assert.equal(response.headers['retry-after'], String(14 * 60));
      assert.equal(response.headers['cache-control'], 'no-store');
    }
    assert.equal((await openLink(service, shortCode, from('203.0.113.9', RIGHT))).status, 302);
    assert.equal((await openLink(service, other, RIGHT)).status, 302);
    service.clock.now += 14 * 60_000;
    assert.equal((await openLink(service, shortCode, RIGHT)).status, 302);
    await recordRefusals(service, timers);
    assert.deepEqual(refusalCounts(service), [[shortCode, 3]]);

    const metrics = (await send(service, '/actuator/prometheus')).text;
    assert.match(metrics, /^secure_link_rate_limited_total\{limit="wrong_passwords"\} 3$/m);
    assert.match(metrics, /^secure_link_resolve_denied_total\{reason="rate_limited"\} 3$/m);
    const summary = json(await send(service, '/api/stats/access/summary'));
    assert.deepEqual([member(summary, 'total'), member(summary, 'failed')], [16, 13]);
  });

  test('HEAD, prefetches and dry runs are guesses, and appear among the security exceptions', async (t) => {
    const service = await startService(t);
    const shortCode = await createLink(service, { password: PASSWORD });
    const ways: RequestOptions[] = [
      { method: 'HEAD', headers: WRONG },
      { headers: { ...WRONG, 'sec-purpose': 'prefetch' } },
      ask('guess'),
    ];
    for (let wrong = 0; wrong < 10; wrong++) {
      assert.equal((await send(service, `/l/${shortCode}`, ways[wrong % 3] ?? {})).status, 401);
    }
    for (const way of [...ways, ask(PASSWORD), { method: 'HEAD', headers: RIGHT }]) {
      assert.equal((await send(service, `/l/${shortCode}`, way)).status, 429);
    }
    assert.deepEqual(json(await send(service, '/api/stats/security/exceptions')), [{ shortCode, count: 10 }]);
  });

  test('a revoked link says so, also to a client that has used up its guesses', async () => {
    const service = await sharedService();
    const shortCode = await createLink(service, { password: PASSWORD });
    await useUpGuesses(service, shortCode);
    await revokeLink(service, shortCode);
    assert.equal((await openLink(service, shortCode, WRONG)).status, 410);
  });

  test('a browser gets a page in its language, with the minutes to wait', async () => {
    const service = await sharedService('--app.limits.wrong-passwords=1/PT15M');
    const shortCode = await createLink(service, { password: PASSWORD });
    await openLink(service, shortCode, WRONG);
    const titles = new Set<string>();
    for (const language of Object.keys(LANGUAGES)) {
      const headers = { accept: 'text/html', 'accept-language': language };
      const { status, headers: sent, text } = await openLink(service, shortCode, headers);
      assert.deepEqual([status, sent['retry-after']], [429, '900']);
      assert.match(text, /<p class="box">[^<]* 15 [^<]*<\/p>/);
      titles.add(/<h1[^>]*>([^<]+)/.exec(text)?.[1] ?? '');
    }
    assert.equal(titles.size, 5);
    service.clock.now += 14 * 60_000 + 1;
    const { text } = await openLink(service, shortCode, { accept: 'text/html' });
    assert.match(text, /<p class="box">Try again in 1 minute\.<\/p>/);
  });

  test('guesses of 30 other addresses only delay a visitor with the right password', async (t) => {
    const timers = testTimers();
    const service = await startService(t, { startTimer: timers.start });
    const shortCode = await createLink(service, { password: PASSWORD });
    const guesses = Array.from({ length: 30 }, async (_, client) => {
      for (let wrong = 0; wrong < 2; wrong++)
        await openLink(service, shortCode, from(`198.51.100.${client}`, WRONG));
    });
    let isOver = false;
    const visit = Promise.all(guesses).then(() => openLink(service, shortCode, from('203.0.113.9', RIGHT)));
    void visit.finally(() => {
      isOver = true;
    });
    const delays: number[] = [];
    await until(() => {
      delays.push(...timers.delays());
      timers.fireAll();
      return isOver;
    });
    assert.equal((await visit).status, 302);
    assert.equal(delays.at(-1), 5_000);
    // The second guess of each client whose first one is the 20th or a later one.
    assert.ok(delays.length >= 10, `${delays.length} of 60 guesses waited`);
  });
});

describe('requests for unknown codes', () => {
  const unknown = (service: TestService, path = '/l/unknown1', options: RequestOptions = {}) =>
    send(service, path, options);

  test('a client over the limit of unknown codes gets 429 for every visit, so that it cannot recognise a hit', async (t) => {
    const timers = testTimers();
    const flags = ['--app.limits.unknown-codes=5/PT1M'];
    const service = await startService(t, { flags, startTimer: timers.start });
    const shortCode = await createLink(service);
    const form = { method: 'POST', headers: MULTIPART_HEADERS, body: encodeForm([file('x')]) };
    assert.equal((await unknown(service, '/l/unknown1', form)).status, 404);
    const found = await unknown(service, '/l/unknown1/uploads/x', { method: 'HEAD', headers: TUS });
    assert.equal(found.status, 404);
    assert.equal((await unknown(service)).status, 404);
    assert.equal((await unknown(service, '/api/links/unknown1')).status, 404);
    assert.equal((await unknown(service, '/l/unknown1', { method: 'DELETE' })).status, 404);
    service.clock.now += 1;
    const [hit, miss] = [await openLink(service, shortCode), await unknown(service)];
    for (const [response, code] of [
      [hit, shortCode],
      [miss, 'unknown1'],
    ] as const) {
      assertErrorRecord(response, { status: 429, message: LIMITED, path: `/l/${code}` });
      assert.equal(response.headers['retry-after'], '60');
    }
    for (const path of [`/api/links/${shortCode}`, '/api/links/unknown1']) {
      assert.equal((await send(service, path)).status, 429);
    }
    assert.equal((await send(service, `/l/${shortCode}`, { method: 'DELETE' })).status, 429);
    const headers = { 'x-link-token': `link_${'A'.repeat(43)}` };
    for (const code of [shortCode, 'unknown1'])
      assert.equal(
        (await send(service, `/api/links/${code}`, { headers })).status,
        403,
        'which says nothing',
      );
    const metrics = (await send(service, '/actuator/prometheus')).text;
    assert.match(metrics, /^secure_link_rate_limited_total\{limit="unknown_codes"\} 5$/m, 'each is counted');
    assert.equal((await openLink(service, shortCode, { 'x-forwarded-for': '203.0.113.9' })).status, 302);
    service.clock.now += 60_000;
    assert.equal((await openLink(service, shortCode)).status, 302);
    await recordRefusals(service, timers);
    assert.deepEqual(refusalCounts(service), [
      [shortCode, 1],
      ['…', 1],
    ]);
  });

  test('a browser is offered the link without trailing characters, at the price of an unknown code', async (t) => {
    const service = await startService(t, { flags: ['--app.limits.unknown-codes=9/PT1M'] });
    const code = await createLink(service, { maxViews: 1 });
    const accept = { accept: 'text/html' };
    const bodyOf = async (path: string, options: RequestOptions = { headers: accept }) => {
      service.clock.now += 1;
      const { status, text } = await send(service, `/l/${path}`, options);
      assert.equal(status, 404, path);
      return text;
    };
    const offer = (reference: string) => `href="${reference}"`.replace('&', '&#38;');
    for (const [sent, reference] of [
      ['.', `./${code}`],
      ['/?a=b&c', `../${code}?a=b&c`],
      ['.),%3E%20', `./${code}`],
      ['%E2%80%8B/%C2%A0', `../${code}`],
    ] as const)
      assert.ok((await bodyOf(code + sent)).includes(offer(reference)), sent);
    assert.equal(member(JSON.parse(await bodyOf(`${code}.`, {})), 'code'), 'NOT_FOUND');
    const json = { headers: { accept: 'text/html, application/json' } };
    assert.equal(member(JSON.parse(await bodyOf(`${code}.`, json)), 'code'), 'NOT_FOUND');
    for (const none of [`${code}x`, `${code}..x`, 'unknown1.'])
      assert.ok(!(await bodyOf(none)).includes('href="./'), none);
    assert.equal((await send(service, `/l/${code}.`, { headers: accept })).status, 429, 'each was counted');
    assert.equal(linkState(service, code).viewCount, 0);
    assert.deepEqual(auditedResults(service, `${code}.`), ['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND']);
    assert.deepEqual(auditedResults(service, code), []);
  });

  test('a session, a key, a token, a lease or an upload is never refused for unknown codes of others at its address', async (t) => {
    const flags = ['--app.limits.unknown-codes=5/PT1M'];
    const service = await startService(t, { flags });
    const ada = await personHeaders(service, 'ada', ['create']);
    const key = bearer(await addKey(service, 'ci', ['create']));
    const creations = [await sendFromPage(service, 'POST', '/api/links', { targetUrl: TARGET }, ada)];
    creations.push(await sendFromPage(service, 'POST', '/api/links', { targetUrl: TARGET }, key));
    creations.push(await sendJson(service, '/api/links', { targetUrl: TARGET }));
    const [ofAda = '', ofKey = '', open = ''] = creations.map(shortCodeOf);
    const token = { 'x-link-token': String(creations[2]?.headers['x-link-token']) };
    const opened = await openLink(service, await uploadFile(service, 'content'));
    const lease = new URL(String(opened.headers['content-location']), 'http://host/l/').pathname;
    const request = shortCodeOf(await sendJson(service, '/api/links', { request: { message: 'Files' } }));
    const begun = await send(service, `/l/${request}/uploads`, {
      method: 'POST',
      headers: { ...TUS, 'upload-length': '4', 'upload-metadata': `filename ${btoa('a.txt')}` },
    });
    const upload = new URL(String(begun.headers.location), service.url).pathname;
    for (let wrong = 0; wrong < 5; wrong++) assert.equal((await unknown(service)).status, 404);
    const statusOf = async (path: string, headers = {}, options: RequestOptions = {}) =>
      (await send(service, path, { headers, ...options })).status;

    for (const [path, status, headers, options] of [
      [`/l/${open}`, 429, {}],
      [`/api/links/${ofAda}`, 429, {}],
      [`/api/links/${ofAda}`, 200, ada],
      [`/api/links/${ofAda}/history`, 200, ada],
      [`/api/links/${ofKey}`, 200, key],
      [`/api/links/${open}`, 200, token],
      [`/api/links/${open}/history`, 200, token],
      [lease, 200, {}],
      [lease.replace(/lease_./, 'lease_!'), 429, {}],
      [lease.replace(/(?<=lease_)[\w-]{4}/, 'AAAA'), 429, {}],
      [upload, 200, TUS, { method: 'HEAD' }],
      [upload.replace(/[^/]+$/, '11111111-1111-4111-8111-111111111111'), 429, TUS, { method: 'HEAD' }],
    ] as [string, number, Record<string, string>, RequestOptions?][])
      assert.equal(await statusOf(path, headers, { headers, ...options }), status, path);
    // Each has an own limit.
    for (let wrong = 0; wrong < 5; wrong++) assert.equal(await statusOf('/api/links/unknown1', key), 404);
    assert.equal(await statusOf('/api/links/unknown1', key), 429);
    assert.equal(await statusOf(`/api/links/${ofAda}`, ada), 200);
  });

  test('unknown codes over the limit fill neither the database nor the log: 200 have one record and few lines', async (t) => {
    const timers = testTimers();
    const directory = temporaryDirectory(t);
    const flags = ['--app.limits.unknown-codes=1/PT1M'];
    const service = await startService(t, { flags, directory, startTimer: timers.start });
    await unknown(service);
    const before = service.logged().length;
    for (let sent = 0; sent < 200; sent += 50) {
      await Promise.all(
        Array.from({ length: 50 }, (_, index) => unknown(service, `/l/unknown${sent + index}`)),
      );
    }
    const refused = (await unknown(service, '/l/unknown1', { method: 'HEAD' })).status;
    assert.equal(refused, 429);
    const lines = service.logged().slice(before);
    const count = (event: string): number => lines.filter(({ msg }) => msg === event).length;
    const [attempts, denials] = [count('secure_link_resolve_attempt'), count('secure_link_resolve_denied')];
    assert.deepEqual([attempts, denials, lines.length], [10, 10, 20]);
    const metrics = (await send(service, '/actuator/prometheus')).text;
    assert.match(metrics, /^secure_link_resolve_denied_total\{reason="rate_limited"\} 200$/m);

    service.clock.now += 60_000;
    await recordRefusals(service, timers);
    const { msg, count: leftOut } = service.events().at(-1) ?? {};
    assert.deepEqual([msg, leftOut], ['secure_link_refusals_not_logged', 191]);
    const records = auditRecords(service).map(({ result, count }) => [result, count]);
    assert.deepEqual(records, [
      ['NOT_FOUND', 1],
      ['RATE_LIMITED', 200],
      ['PREVIEW', 1],
    ]);
    const summary = json(await send(service, '/api/stats/access/summary'));
    assert.deepEqual([member(summary, 'total'), member(summary, 'failed')], [201, 201]);
    assert.deepEqual((await findDifferences(testConfig(directory, ...flags))).differences, []);
  });
});

test('creations and uploads are limited by client where that is set, before their body is read', async () => {
  const flags = ['--app.limits.creations=1/PT1H', '--app.limits.uploads=1/PT1H'];
  const service = await sharedService(...flags);
  for (const path of ['/api/links', '/api/links/upload']) {
    const post = (address: string) =>
      send(service, path, { method: 'POST', headers: { 'x-forwarded-for': address }, body: 'no form' });
    assert.equal((await post('203.0.113.1')).status, 415);
    const refused = await post('203.0.113.1');
    assertErrorRecord(refused, { status: 429, message: /^Too many requests/, path });
    assert.equal(refused.headers['retry-after'], '3600');
    assert.equal((await post('203.0.113.2')).status, 415);
  }
});

test('creations and uploads count by key or user where the client has one', async (t) => {
  const service = await startService(t, {
    flags: [
      '--app.access=keys',
      '--app.access.user-header=Remote-User',
      '--app.trusted-proxies=127.0.0.1',
      '--app.limits.creations=1/PT1H',
      '--app.limits.uploads=1/PT1H',
    ],
  });
  const [one, other] = [await addKey(service, 'one', ['create']), await addKey(service, 'other', ['create'])];
  for (const path of ['/api/links', '/api/links/upload']) {
    const statusOf = async (address: string, credentials: Record<string, string>) =>
      (await send(service, path, { method: 'POST', headers: from(address, credentials), body: 'x' })).status;
    assert.equal(await statusOf('203.0.113.1', {}), 401, 'a refused request does not count');
    assert.equal(await statusOf('203.0.113.1', bearer(one)), 415);
    assert.equal(await statusOf('203.0.113.1', bearer(other)), 415, 'another key of the same address');
    assert.equal(await statusOf('203.0.113.2', bearer(one)), 429, 'the same key from another address');
    assert.equal(await statusOf('203.0.113.1', { 'remote-user': 'one' }), 415, 'a user of the same name');
    assert.equal(await statusOf('203.0.113.2', { 'remote-user': 'one' }), 429);
  }
});

test('changes are limited by client, before their body is read, but not revocations', async () => {
  const service = await sharedService('--app.limits.changes=2/PT1M');
  const created = await sendJson(service, '/api/links', { targetUrl: TARGET });
  const path = `/api/links/${shortCodeOf(created)}`;
  const token = { 'x-link-token': String(created.headers['x-link-token']) };
  const change = (address: string, body = '{"label":"new"}') =>
    send(service, path, {
      method: 'PATCH',
      headers: { ...from(address, token), 'content-type': 'application/merge-patch+json' },
      body,
    });
  const statuses = [await change('203.0.113.1'), await change('203.0.113.1', 'no JSON')];
  assert.deepEqual(
    statuses.map(({ status }) => status),
    [200, 400],
  );
  const refused = await change('203.0.113.1');
  assertErrorRecord(refused, { status: 429, message: /^Too many requests/, path });
  assert.equal(refused.headers['retry-after'], '60');
  const metrics = (await send(service, '/actuator/prometheus')).text;
  assert.match(metrics, /^secure_link_rate_limited_total\{limit="changes"\} 1$/m);
  assert.equal((await change('203.0.113.2')).status, 200, 'another client');
  service.clock.now += 60_000;
  assert.equal((await change('203.0.113.1')).status, 200, 'in the next minute');
  for (let times = 0; times < 3; times++) await revokeLink(service, shortCodeOf(created));
});
