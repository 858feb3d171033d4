import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import {
  assertErrorRecord,
  json,
  member,
  type RequestOptions,
  send,
  sendJson,
} from '../support/http-client.ts';
import { addKey } from '../support/keys.ts';
import { auditedResults, createLink, readRows, revokeLink, uploadFile } from '../support/links.ts';
import { startService, type TestService } from '../support/service.ts';

const FALLBACK = 'https://example.com/ended';
const BROWSER = { accept: 'text/html' };
const JSON_ONLY = { accept: 'application/json' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** Sends each visit at its own time, so that the audit orders them. */
function visit(service: TestService, path: string, options: RequestOptions = { headers: BROWSER }) {
  service.clock.now += 1;
  return send(service, `/l/${path}`, options);
}

async function viewCountOf(service: TestService, code: string): Promise<unknown> {
  return member(json(await send(service, `/api/links/${code}`)), 'viewCount');
}

async function locationOf(service: TestService, path: string): Promise<string | number | undefined> {
  const { status, headers } = await visit(service, path);
  return status === 302 ? headers.location : status;
}

describe('forwardPath and forwardQuery', async () => {
  const service = await startService({ after });
  const both = { targetUrl: 'https://example.com/a?x=1', forwardPath: true, forwardQuery: true };

  test('a visit leads to the target with the rest of the address', async () => {
    const code = await createLink(service, { ...both, maxViews: 5 });
    assert.equal(
      await locationOf(service, `${code}/b/?utm_source=y`),
      'https://example.com/a/b/?x=1&utm_source=y',
    );
    assert.equal(await locationOf(service, code), 'https://example.com/a?x=1');
    const program = await visit(service, `${code}/b`, { headers: JSON_ONLY });
    assert.deepEqual(json(program), { type: 'REDIRECT', targetUrl: 'https://example.com/a/b?x=1' });
    const head = await visit(service, `${code}/b`, { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers.location], [200, undefined]);
    assert.deepEqual(auditedResults(service, code), ['SUCCESS', 'SUCCESS', 'SUCCESS', 'PREVIEW']);
    assert.equal(await viewCountOf(service, code), 3);
  });

  test('a visit without the term stays unknown, and its query has no effect', async () => {
    const code = await createLink(service, { targetUrl: 'https://example.com/a' });
    assert.equal(await locationOf(service, `${code}/b`), 404);
    assert.equal(await locationOf(service, `${code}/`), 404);
    assert.equal(await locationOf(service, `${code}?b=1`), 'https://example.com/a');
    assert.deepEqual(auditedResults(service, code), ['SUCCESS']);
    assert.deepEqual(auditedResults(service, `${code}/b`), ['NOT_FOUND']);
  });

  test('an unsafe rest is unknown, spends no view, and an encoded slash ends no short code', async () => {
    const code = await createLink(service, { ...both, maxViews: 1 });
    for (const rest of ['/../b', '//evil.example', '/%2e%2e/b', '/b%0d%0a', '%2Fb'])
      assert.equal(await locationOf(service, code + rest), 404, rest);
    assert.equal(await viewCountOf(service, code), 0);
  });

  test('a path and a query arrive as they were sent', async () => {
    const code = await createLink(service, { ...both, targetUrl: 'https://tübingen.example/ä' });
    assert.equal(
      await locationOf(service, `${code}/caf%E9/b[1]?abc&d=e%20f+g&caf%E9`),
      'https://xn--tbingen-n2a.example/%C3%A4/caf%E9/b[1]?abc&d=e%20f+g&caf%E9',
    );
    const program = await visit(service, `${code}?abc`, { headers: JSON_ONLY });
    assert.deepEqual(json(program), { type: 'REDIRECT', targetUrl: 'https://tübingen.example/ä?abc' });
  });

  test('a rest for which the Location has no room spends no view', async () => {
    const targetUrl = `https://example.com/${'日'.repeat(900)}`; // 8,120 bytes
    const code = await createLink(service, { ...both, targetUrl, maxViews: 1 });
    assert.equal(await locationOf(service, `${code}/${'x'.repeat(100)}`), 404);
    assert.equal(await viewCountOf(service, code), 0);
    const location = String(await locationOf(service, `${code}?q=${'x'.repeat(100)}`));
    assert.equal(location, new URL(targetUrl).href);
    for (const field of ['targetUrl', 'fallbackUrl']) {
      const body = { targetUrl: 'https://example.com/', [field]: `${targetUrl}${'日'.repeat(9)}` };
      assertErrorRecord(await sendJson(service, '/api/links', body), {
        ...{ status: 400, path: '/api/links' },
        message: `${field}: must be a valid URL of at most 8192 bytes in percent-encoding`,
      });
    }
  });

  test('the password page keeps the rest, and guesses of all addresses count together', async () => {
    const code = await createLink(service, { ...both, password: 'secret-password' });
    const path = `${code}/b?c=1`;
    assert.equal((await visit(service, path)).status, 401);
    const post = (password: string) =>
      visit(service, path, {
        method: 'POST',
        headers: { ...BROWSER, ...FORM },
        body: `password=${password}`,
      });
    assert.equal((await post('guess')).status, 401);
    const opened = await post('secret-password');
    assert.deepEqual([opened.status, opened.headers.location], [303, 'https://example.com/a/b?x=1&c=1']);
    assert.deepEqual(auditedResults(service, code), ['PASSWORD_REQUIRED', 'INVALID_PASSWORD', 'SUCCESS']);
  });

  test('the log names the link, and nothing of the rest', async () => {
    const code = await createLink(service, both);
    const before = service.logged().length;
    await visit(service, `${code}/private?mine=1`);
    const lines = service.logged().slice(before);
    assert.ok(lines.some((line) => JSON.stringify(line).includes(code)));
    assert.doesNotMatch(JSON.stringify(lines), /private|mine/);
  });

  test('a change sets and removes the terms, for a link to a URL alone', async () => {
    const code = await createLink(service, { targetUrl: 'https://example.com/a' });
    const authorization = `Bearer ${await addKey(service, 'changer', ['create', 'read', 'manage'])}`;
    const patch = (body: unknown, shortCode = code) =>
      sendJson(service, `/api/links/${shortCode}`, body, { method: 'PATCH', headers: { authorization } });
    const on = json(await patch({ forwardPath: true, fallbackUrl: FALLBACK })) as Record<string, unknown>;
    assert.deepEqual([on['forwardPath'], on['forwardQuery'], on['fallbackUrl']], [true, false, FALLBACK]);
    assert.equal(await locationOf(service, `${code}/b`), 'https://example.com/a/b');
    const { items } = json(await send(service, '/api/links?limit=1', { headers: { authorization } })) as {
      items: Record<string, unknown>[];
    };
    assert.deepEqual(
      items.map((item) => [item['forwardPath'], item['forwardQuery'], item['fallbackUrl']]),
      [[true, false, FALLBACK]],
    );
    const off = json(await patch({ forwardPath: null, fallbackUrl: null })) as Record<string, unknown>;
    assert.deepEqual([off['forwardPath'], off['fallbackUrl']], [false, null]);
    assert.equal(await locationOf(service, `${code}/b`), 404);
    const changes = readRows(service, `SELECT details FROM entry WHERE kind = 'CHANGED' AND short_code = ?`, [
      code,
    ]);
    assert.deepEqual(
      changes.map(({ details }) => Object.keys(JSON.parse(String(details)))),
      [
        ['fallbackUrlSha256', 'forwardPath'],
        ['fallbackUrlSha256', 'forwardPath'],
      ],
    );
  });
});

describe('fallbackUrl', async () => {
  const service = await startService({ after });
  const inHour = () => new Date(service.clock.now + 3_600_000).toISOString();

  test('an expired or used-up link sends browsers there, and records the true result', async () => {
    const expired = await createLink(service, { fallbackUrl: FALLBACK, expiresAt: inHour() });
    const usedUp = await createLink(service, { fallbackUrl: FALLBACK, maxViews: 1 });
    const file = await uploadFile(service, 'content', { fields: { fallbackUrl: FALLBACK, maxViews: '1' } });
    for (const code of [usedUp, file]) assert.notEqual(await locationOf(service, code), FALLBACK);
    service.clock.now += 3_600_001;
    for (const [code, result, message] of [
      [expired, 'EXPIRED', 'Link has expired'],
      [usedUp, 'VIEW_LIMIT_REACHED', 'Link has reached its view limit'],
      [file, 'VIEW_LIMIT_REACHED', 'Link has reached its view limit'],
    ] as const) {
      const { status, headers } = await visit(service, code);
      assert.deepEqual([status, headers.location], [302, FALLBACK]);
      assert.deepEqual([headers['cache-control'], headers['referrer-policy']], ['no-store', 'no-referrer']);
      const program = await visit(service, code, { headers: JSON_ONLY });
      assertErrorRecord(program, { status: 410, message, path: `/l/${code}` });
      const head = await visit(service, code, { method: 'HEAD' });
      assert.deepEqual([head.status, head.headers.location], [410, undefined]);
      assert.deepEqual(auditedResults(service, code).slice(-3), [result, result, 'PREVIEW']);
    }
  });

  test('a revoked, paused or unknown link leads nowhere', async () => {
    const revoked = await createLink(service, { fallbackUrl: FALLBACK });
    await revokeLink(service, revoked);
    assert.equal(await locationOf(service, revoked), 410);
    const early = await createLink(service, { fallbackUrl: FALLBACK, startsAt: inHour() });
    assert.equal((await visit(service, early)).headers.location, undefined);
  });

  test('only the right password of an ended link leads there', async () => {
    const code = await createLink(service, {
      fallbackUrl: FALLBACK,
      password: 'secret-password',
      expiresAt: inHour(),
    });
    service.clock.now += 3_600_001;
    assert.equal(await locationOf(service, code), 401);
    const post = (password: string) =>
      visit(service, code, {
        method: 'POST',
        headers: { ...BROWSER, ...FORM },
        body: `password=${password}`,
      });
    assert.equal((await post('guess')).status, 401);
    const ended = await post('secret-password');
    assert.deepEqual([ended.status, ended.headers.location], [303, FALLBACK]);
  });

  test('the rules of targets hold for it', async () => {
    for (const [fallbackUrl, message] of [
      ['example.com', 'fallbackUrl: must be a valid URL'],
      ['http://localhost:8080/l/abcdefgh', 'fallbackUrl: must not lead to this service'],
    ] as const) {
      const refused = await sendJson(service, '/api/links', {
        targetUrl: 'https://example.com/',
        fallbackUrl,
      });
      assertErrorRecord(refused, { status: 400, message, path: '/api/links' });
    }
  });
});
