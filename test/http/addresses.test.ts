import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { isReservedCode } from '../../src/core/rules/custom-code.ts';
import { createLinkAddresses } from '../../src/http/path.ts';
import { assertErrorRecord, json, member, send, sendJson } from '../support/http-client.ts';
import { addKey } from '../support/keys.ts';
import { auditRecords, createLink, openLink, TARGET } from '../support/links.ts';
import { fields, file, sendForm } from '../support/multipart.ts';
import { startService, type TestService } from '../support/service.ts';

const BROWSER = { accept: 'text/html' };
const BASE = '--app.base-url=https://links.example';
const HOSTS = '--app.hosts=Go.example=https://example.com/start,files.example';

async function accessUrlOf(service: TestService, members: Record<string, unknown>) {
  return member(json(await sendJson(service, '/api/links', { targetUrl: TARGET, ...members })), 'accessUrl');
}

describe('app.short-path=/', async () => {
  const service = await startService({ after }, { flags: [BASE, '--app.short-path=/'] });
  const get = (path: string, headers: Record<string, string> = BROWSER) => send(service, path, { headers });

  test('a link is shown and opened below the root, and opens below /l/, too', async () => {
    const form = { targetUrl: TARGET, customCode: 'größe/v1.2', forwardPath: true };
    assert.equal(await accessUrlOf(service, form), 'https://links.example/gr%C3%B6%C3%9Fe/v1.2');
    for (const path of ['/gr%C3%B6%C3%9Fe/v1.2', '/gr%C3%B6%C3%9Fe/v1.2?x=1', '/l/gr%C3%B6%C3%9Fe/v1.2'])
      assert.equal((await get(path)).headers.location, TARGET, path);
    assert.match(String((await get('/gr%C3%B6%C3%9Fe/v1.2/a/b.html')).headers.location), /path\/a\/b\.html/);
    const code = await createLink(service, { password: 'secret-password' });
    assert.equal((await get(`/${code}`)).status, 401);
    const opened = await send(service, `/${code}`, {
      ...{ method: 'POST', body: 'password=secret-password' },
      headers: { ...BROWSER, 'content-type': 'application/x-www-form-urlencoded' },
    });
    assert.deepEqual([opened.status, opened.headers.location], [303, TARGET]);
    assert.equal((await send(service, `/${code}`, { method: 'DELETE' })).status, 404);
    assert.equal((await send(service, `/l/${code}`, { method: 'DELETE' })).status, 204);
  });

  test('no declared route is taken for a link', async () => {
    const before = auditRecords(service).length;
    for (const { url, method } of service.app.declaredRoutes) {
      if (url === '/l/*' || !['GET', 'HEAD', 'POST'].includes(method)) continue;
      const path = url.replaceAll(/:\w+|\*/g, 'x');
      await send(service, path, { method });
      const first = path.split('/')[1] ?? '';
      if (first) await get(`/%${first.charCodeAt(0).toString(16)}${first.slice(1)}/x`);
    }
    assert.equal(auditRecords(service).length, before);
  });

  test('no client may choose the name of a page as a code', () => {
    for (const { url } of service.app.declaredRoutes) {
      const first = url.split('/')[1] ?? '';
      if (first.length > 1 && !first.includes('.')) assert.ok(isReservedCode(first), first);
    }
  });

  test('a code that is a path of the service or a file name is shown and opened below /l/', async () => {
    for (const customCode of ['docs/2026/price', 'l/abc', 'openapi.json', 'v1.2']) {
      assert.equal(await accessUrlOf(service, { customCode }), `https://links.example/l/${customCode}`);
      assert.equal((await openLink(service, customCode)).headers.location, TARGET);
      assert.notEqual((await get(`/${customCode}`)).headers.location, TARGET);
    }
  });

  test('only a path that can be a code is an unknown link; scanners cause no records', async () => {
    const before = auditRecords(service).length;
    for (const path of [
      '/robots.txt',
      '/favicon.ico',
      '/wp-login.php',
      '/.env',
      '/.git/config',
      '/a%20b',
      '//abc',
      '/a%00',
    ]) {
      const response = await get(path);
      assert.deepEqual(
        [response.status, response.headers['content-type']],
        [404, 'text/html; charset=utf-8'],
        path,
      );
      assertErrorRecord(await get(path, {}), { status: 404, message: 'No such endpoint; see /docs', path });
    }
    assert.equal(auditRecords(service).length, before);
    assertErrorRecord(await get('/unknown1/x.php', {}), {
      status: 404,
      message: 'Link not found',
      path: '/unknown1/x.php',
    });
    assert.deepEqual(auditRecords(service).at(-1)?.shortCode, 'unknown1/x.php');
  });
});

test('another short path shows links below it, and cannot be a path of the service', async (t) => {
  const service = await startService(t, { flags: [BASE, '--app.short-path=/go'] });
  const code = await createLink(service, { customCode: 'offer' });
  assert.equal(await accessUrlOf(service, { customCode: 'other' }), 'https://links.example/go/other');
  for (const path of [`/go/${code}`, `/l/${code}`])
    assert.equal((await send(service, path)).headers.location, TARGET);
  for (const path of [`/${code}`, '/go', `/%67o/${code}`])
    assert.equal((await send(service, path)).headers.location, undefined, path);
  assert.equal((await send(service, '/go/unknown1')).status, 404);
  assert.equal(auditRecords(service).at(-1)?.shortCode, 'unknown1');
  const addresses = createLinkAddresses({
    baseUrl: 'https://links.example',
    shortPath: '/api/',
    hosts: new Map(),
  });
  assert.throws(
    () => addresses.reserve('/api/links'),
    /^Error: app\.short-path: \/api\/ has paths of the service/,
  );
});

describe('app.hosts', async () => {
  const service = await startService({ after }, { flags: [BASE, HOSTS, '--app.short-path=/'] });
  const authorization = `Bearer ${await addKey(service, 'root', ['create', 'read', 'manage'])}`;

  test('a link is shown under the host of its creation, and opens under each', async () => {
    const code = await createLink(service, { customCode: 'offer', host: 'GO.example' });
    assert.equal(
      await accessUrlOf(service, { customCode: 'two', host: 'files.example' }),
      'https://files.example/two',
    );
    assert.equal(
      await accessUrlOf(service, { customCode: 'own', host: 'links.example' }),
      'https://links.example/own',
    );
    const upload = await sendForm(service, [
      ...fields({ host: 'go.example', customCode: 'plan' }),
      file('x'),
    ]);
    assert.equal(member(json(upload), 'accessUrl'), 'https://go.example/plan');
    for (const host of ['go.example', 'files.example:443', 'links.example', 'unknown.example'])
      assert.equal((await send(service, `/${code}`, { headers: { host } })).headers.location, TARGET, host);
    const described = json(await send(service, `/api/links/${code}`));
    assert.equal(member(described, 'accessUrl'), 'https://go.example/offer');
    const list = await send(service, '/api/links?search=https://go.example/off', {
      headers: { authorization },
    });
    assert.match(list.text, /"accessUrl":"https:\/\/go\.example\/offer"/);
  });

  test('a change moves a link to another host, and its history says so', async () => {
    const code = await createLink(service, { host: 'go.example' });
    const patch = async (host: unknown) => {
      return json(
        await sendJson(
          service,
          `/api/links/${code}`,
          { host },
          { method: 'PATCH', headers: { authorization } },
        ),
      );
    };
    assert.equal(member(await patch('files.example'), 'accessUrl'), `https://files.example/${code}`);
    assert.equal(member(await patch(null), 'accessUrl'), `https://links.example/${code}`);
    const history = await send(service, `/api/links/${code}/history`, { headers: { authorization } });
    for (const details of ['"host":{"new":null,"old":"files.example"}', '"host":"go.example"'])
      assert.ok(history.text.includes(details), details);
  });

  test('a host that is not configured is refused, and so is a target on one that is', async () => {
    const post = (members: object) => sendJson(service, '/api/links', { targetUrl: TARGET, ...members });
    for (const host of ['evil.example', 7])
      assertErrorRecord(await post({ host }), {
        ...{ status: 400, path: '/api/links' },
        message: 'host: must be links.example or go.example or files.example',
      });
    const looping = await post({ targetUrl: 'http://files.example:8080/abc' });
    assert.match(looping.text, /targetUrl: must not lead to this service/);
  });

  test('a host for links has its own root, and neither pages nor an API', async () => {
    const get = (host: string, path: string) => send(service, path, { headers: { host, ...BROWSER } });
    const root = await get('go.example', '/');
    assert.deepEqual([root.status, root.headers.location], [302, 'https://example.com/start']);
    for (const [host, path] of [
      ['files.example', '/'],
      ['go.example', '/links'],
      ['go.example', '/docs'],
      ['go.example', '/api/settings'],
    ] as const)
      assert.equal((await get(host, path)).status, 404, path);
    const page = (await get('files.example', '/')).text;
    assert.match(page, /<title>/);
    assert.doesNotMatch(page, /class="button/, 'no way to a page that is not there');
    assert.match((await get('links.example', '/nothing.txt')).text, /class="button/);
    assert.equal((await get('go.example', '/actuator/health/liveness')).status, 200);
    assert.equal((await get('links.example', '/')).status, 200);
  });

  test('a host for links that is allowed as well has pages, below its own root', async (t) => {
    const both = await startService(t, { flags: [BASE, HOSTS, '--app.allowed-hosts=go.example'] });
    const get = (path: string) => send(both, path, { headers: { host: 'go.example' } });
    assert.equal((await get('/links')).status, 200);
    assert.equal((await get('/')).headers.location, 'https://example.com/start');
  });

  test('a link whose host is removed from the settings has the address of the service', () => {
    const addresses = createLinkAddresses({
      baseUrl: 'http://[::1]:8080/s',
      shortPath: '/l/',
      hosts: new Map([['go', null]]),
    });
    assert.equal(addresses.urlOf({ shortCode: 'abc', terms: { host: 'go' } }), 'http://go:8080/l/abc');
    assert.equal(addresses.urlOf({ shortCode: 'abc', terms: { host: 'old' } }), 'http://[::1]:8080/s/l/abc');
  });

  test('the settings name the hosts, that of the service first', async () => {
    const settings = json(await send(service, '/api/settings'));
    assert.deepEqual(member(member(settings, 'links'), 'hosts'), [
      'links.example',
      'go.example',
      'files.example',
    ]);
  });
});
