import assert from 'node:assert/strict';
import test from 'node:test';
import { assertErrorRecord, exchange, send } from '../support/http-client.ts';
import { auditRecords, createLink, linkState } from '../support/links.ts';
import { sharedService } from '../support/shared-service.ts';

const NO_SUCH_PATH = 'No such endpoint; see /docs';

test('a path whose fixed part is percent-encoded is unknown', async () => {
  const service = await sharedService();
  const code = await createLink(service);
  const requests: [method: string, path: string][] = [
    ...['GET', 'HEAD', 'POST', 'DELETE'].flatMap((method) =>
      ['/%6c/', '/%6C/', '/l%2F', '/l%2f', '/%6c%2f'].map((prefix): [string, string] => [
        method,
        prefix + code,
      ]),
    ),
    ['GET', `/api/%6cinks/${code}`],
    ['GET', `/%61pi/links/${code}`],
    ['GET', `/api/links%2f${code}`],
    ['GET', `/api%2flinks/${code}`],
    ['POST', '/api/link%73'],
    ['GET', '/api/stats/link%73'],
    ['GET', '/%64ashboard'],
    ['GET', '/%64ocs'],
    ['DELETE', '/api/ke%79s/ci'],
    ['GET', '/openapi%2ejson'],
    ['GET', '/actuator/%70rometheus'],
    ['GET', '/api/stats/links#'],
    ['GET', '/dashboard#/l/'],
  ];
  for (const [method, path] of requests) {
    const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
    const response = await exchange(service, head);
    if (method === 'HEAD') assert.equal(response.status, 404, path);
    else assertErrorRecord(response, { status: 404, message: NO_SUCH_PATH, path });
  }
  assert.equal(linkState(service, code).status, 'ACTIVE');
  assert.deepEqual(auditRecords(service), []);
});

test('text after the question mark of an absolute URL without a path is no path', async () => {
  const service = await sharedService();
  const code = await createLink(service);
  for (const [method, target] of [
    ['DELETE', `http://localhost?/l/${code}`],
    ['DELETE', `http://localhost?x=1/l/${code}`],
    ['POST', `http://localhost?/l/${code}`],
    ['GET', '*'],
  ] as const) {
    const { status } = await exchange(
      service,
      `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    assert.equal(status, method === 'GET' ? 404 : 405, target);
  }
  assert.equal(linkState(service, code).status, 'ACTIVE');
  const root = await exchange(
    service,
    'GET http://localhost HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  );
  assert.equal(root.status, 200);
});

test('an encoded name of an endpoint is not that endpoint', async () => {
  const service = await sharedService();
  const path = '/api/links/uploa%64';
  assert.equal((await send(service, path, { method: 'POST' })).status, 405);
  assert.equal((await send(service, '/api/people/name%73')).status, 405);
  assertErrorRecord(await send(service, path), { status: 404, message: 'Link not found', path });
});

test('a path out of the assets gets 404 and no stack in the log', async () => {
  const service = await sharedService();
  for (const root of ['/assets/']) {
    for (const up of [
      '..',
      '%2e%2e',
      '.%2e',
      '%2E.',
      '%252e%252e',
      '..%5c..',
      '..\\..',
      '%5c',
      '%00',
      '%2f..',
    ]) {
      for (const path of [`${root}${up}/package.json`, `${root}${up}`, `${root}x/${up}/index.html`]) {
        const head = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
        assertErrorRecord(await exchange(service, head), { status: 404, message: NO_SUCH_PATH, path });
      }
    }
  }
  assert.deepEqual(service.events(), []);
});
