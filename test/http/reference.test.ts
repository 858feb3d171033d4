import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { resolveReferences } from '../../docs/resolve-references.ts';
import { TERM_NAMES } from '../../src/core/model/terms.ts';
import { json, member, send } from '../support/http-client.ts';
import { createLink, TARGET, uploadFile } from '../support/links.ts';
import type { TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

/** Each operation of the API reference: its parameters and its statuses. */
const CREATED = ['accessUrl', 'confirm', 'expiresAt', 'maxViews', 'scan', 'shortCode'];

const OPERATIONS: Record<string, { statuses: number[]; takes?: string[] }> = {
  'get /api/links': {
    statuses: [200, 400, 401, 403, 500, 503],
    takes: [
      ...['cursor', 'end', 'label', 'limit', 'mine', 'order', 'owner', 'ownerKind'],
      ...['search', 'sort', 'start', 'state', 'tag', 'team', 'type'],
    ],
  },
  'post /api/links': {
    statuses: [201, 400, 401, 403, 404, 409, 413, 415, 422, 423, 429, 500, 503, 507],
    takes: ['Idempotency-Key'],
  },
  'post /api/links/upload': {
    statuses: [201, 400, 401, 403, 409, 413, 415, 422, 429, 500, 503, 507],
    takes: ['Idempotency-Key'],
  },
  'post /api/links/bulk': {
    statuses: [200, 400, 401, 403, 409, 413, 415, 422, 429, 500, 503],
    takes: ['Idempotency-Key'],
  },
  'post /api/links/revoke': { statuses: [200, 400, 401, 403, 413, 415, 429, 500, 503] },
  'get /api/links/{shortCode}': {
    statuses: [200, 401, 403, 404, 429, 500, 503],
    takes: ['shortCode'],
  },
  'patch /api/links/{shortCode}': {
    statuses: [200, 400, 401, 403, 404, 409, 412, 413, 415, 429, 500, 503],
    takes: ['If-Match', 'shortCode'],
  },
  'post /api/links/{shortCode}/short-code': {
    statuses: [200, 400, 401, 403, 404, 409, 412, 413, 415, 429, 500, 503],
    takes: ['If-Match', 'shortCode'],
  },
  'put /api/links/{shortCode}/file': {
    statuses: [200, 400, 401, 403, 404, 409, 412, 413, 415, 429, 500, 503, 507],
    takes: ['If-Match', 'shortCode'],
  },
  'get /api/links/{shortCode}/files': {
    statuses: [200, 400, 401, 403, 404, 429, 500, 503],
    takes: ['cursor', 'limit', 'shortCode'],
  },
  'post /api/uploads': {
    statuses: [201, 400, 401, 403, 404, 410, 412, 413, 415, 429, 500, 503, 507],
    takes: ['Upload-Length', 'Upload-Metadata'],
  },
  'patch /api/uploads/{uploadId}': {
    statuses: [204, 400, 401, 403, 404, 409, 410, 412, 415, 423, 500, 503, 507],
    takes: ['Tus-Resumable', 'Upload-Offset', 'uploadId'],
  },
  'head /api/uploads/{uploadId}': {
    statuses: [200, 401, 403, 404, 412, 423, 500, 503],
    takes: ['Tus-Resumable', 'uploadId'],
  },
  'delete /api/uploads/{uploadId}': {
    statuses: [204, 401, 403, 404, 412, 423, 500, 503],
    takes: ['Tus-Resumable', 'uploadId'],
  },
  'post /api/links/{shortCode}/uploads': {
    statuses: [201, 400, 401, 403, 404, 410, 412, 413, 415, 429, 500, 503, 507],
    takes: ['Upload-Length', 'Upload-Metadata', 'shortCode'],
  },
  'patch /api/links/{shortCode}/uploads/{uploadId}': {
    statuses: [204, 400, 401, 403, 404, 409, 410, 412, 415, 423, 500, 503, 507],
    takes: ['Tus-Resumable', 'Upload-Offset', 'shortCode', 'uploadId'],
  },
  'head /api/links/{shortCode}/uploads/{uploadId}': {
    statuses: [200, 401, 403, 404, 412, 423, 500, 503],
    takes: ['Tus-Resumable', 'shortCode', 'uploadId'],
  },
  'delete /api/links/{shortCode}/uploads/{uploadId}': {
    statuses: [204, 401, 403, 404, 412, 423, 500, 503],
    takes: ['Tus-Resumable', 'shortCode', 'uploadId'],
  },
  'get /api/links/{shortCode}/submissions': {
    statuses: [200, 400, 401, 403, 404, 429, 500, 503],
    takes: ['cursor', 'limit', 'shortCode'],
  },
  'post /api/links/{shortCode}/submissions': {
    statuses: [201, 400, 401, 403, 404, 410, 413, 415, 429, 500, 503, 507],
    takes: ['shortCode'],
  },
  'get /api/links/{shortCode}/history': {
    statuses: [200, 304, 400, 401, 403, 404, 429, 500, 503],
    takes: ['Accept', 'If-None-Match', 'address', 'cursor', 'end', 'limit', 'result', 'shortCode', 'start'],
  },
  'get /api/audit': {
    statuses: [200, 400, 401, 403, 500, 503],
    takes: ['Accept', 'address', 'code', 'cursor', 'end', 'limit', 'result', 'start'],
  },
  'get /api/notifications/failed': { statuses: [200, 400, 401, 403, 500, 503], takes: ['limit'] },
  'delete /api/notifications/failed': { statuses: [204, 401, 403, 500, 503] },
  'post /api/notifications/{id}/retry': { statuses: [204, 401, 403, 404, 409, 500, 503], takes: ['id'] },
  'delete /api/notifications/{id}': { statuses: [204, 401, 403, 404, 500, 503], takes: ['id'] },
  'get /api/settings': { statuses: [200, 401, 500, 503] },
  'post /api/sessions': { statuses: [204, 400, 401, 403, 413, 415, 429, 500, 503] },
  'get /api/sessions': { statuses: [200, 401, 500, 503] },
  'delete /api/sessions/{id}': { statuses: [204, 401, 403, 404, 500, 503], takes: ['id'] },
  'get /api/people': { statuses: [200, 401, 403, 500, 503] },
  'get /api/people/names': { statuses: [200, 401, 403, 500, 503] },
  'post /api/people': { statuses: [201, 400, 401, 403, 409, 413, 415, 500, 503] },
  'patch /api/people/{name}': {
    statuses: [200, 400, 401, 403, 404, 409, 413, 415, 500, 503],
    takes: ['name'],
  },
  'post /api/people/{name}/password-link': { statuses: [200, 401, 403, 404, 500, 503], takes: ['name'] },
  'get /api/teams': { statuses: [200, 401, 500, 503] },
  'post /api/teams': { statuses: [201, 400, 401, 403, 409, 413, 415, 500, 503] },
  'patch /api/teams/{name}': {
    statuses: [200, 400, 401, 403, 404, 409, 413, 415, 500, 503],
    takes: ['name'],
  },
  'delete /api/teams/{name}': { statuses: [204, 401, 403, 404, 409, 500, 503], takes: ['name'] },
  'get /api/keys': { statuses: [200, 401, 500, 503] },
  'post /api/erasures': { statuses: [200, 400, 401, 403, 413, 415, 500, 503] },
  'post /api/links/import': { statuses: [200, 400, 401, 403, 413, 415, 500, 503] },
  'post /api/backups': { statuses: [204, 400, 401, 403, 413, 415, 500, 503] },
  'post /api/keys': { statuses: [201, 400, 401, 403, 409, 413, 415, 500, 503] },
  'delete /api/keys/{name}': { statuses: [204, 401, 403, 404, 500, 503], takes: ['name'] },
  'put /api/password': { statuses: [204, 400, 401, 403, 410, 413, 415, 429, 500, 503] },
  'get /l/{shortCode}': {
    statuses: [200, 302, 401, 403, 404, 410, 412, 416, 428, 429, 500, 503],
    takes: ['Accept', 'X-Correlation-Id', 'X-Link-Password', 'shortCode'],
  },
  'post /l/{shortCode}': {
    statuses: [200, 303, 400, 401, 403, 404, 410, 413, 415, 429, 500, 503],
    takes: ['shortCode'],
  },
  'get /api/links/{shortCode}/qr': {
    statuses: [200, 400, 401, 403, 404, 429, 500, 503],
    takes: ['format', 'shortCode', 'size'],
  },
  'delete /api/links/{shortCode}': { statuses: [204, 401, 403, 404, 429, 500, 503], takes: ['shortCode'] },
  'delete /l/{shortCode}': { statuses: [204, 401, 403, 404, 429, 500, 503], takes: ['shortCode'] },
  'get /api/stats/links': { statuses: [200, 304, 401, 403, 500, 503], takes: ['If-None-Match'] },
  'get /api/stats/link-status': { statuses: [200, 304, 401, 403, 500, 503], takes: ['If-None-Match'] },
  'get /api/stats/links/top': {
    statuses: [200, 304, 400, 401, 403, 500, 503],
    takes: ['If-None-Match', 'limit'],
  },
  'get /api/stats/security/exceptions': {
    statuses: [200, 304, 400, 401, 403, 500, 503],
    takes: ['If-None-Match', 'limit'],
  },
  ...Object.fromEntries(
    [...['access/summary', 'access-summary', 'access/daily', 'daily-access', 'access/failures']].map(
      (name) => [
        `get /api/stats/${name}`,
        { statuses: [200, 304, 400, 401, 403, 500, 503], takes: ['If-None-Match', 'end', 'start'] },
      ],
    ),
  ),
  ...Object.fromEntries(
    ['access/hourly', 'hourly-access'].map((name) => [
      `get /api/stats/${name}`,
      { statuses: [200, 304, 400, 401, 403, 500, 503], takes: ['If-None-Match', 'end', 'start', 'zone'] },
    ]),
  ),
  ...Object.fromEntries(
    ['access/over-time', 'mine'].map((name) => [
      `get /api/stats/${name}`,
      name === 'mine'
        ? { statuses: [200, 400, 401, 403, 500, 503], takes: ['end', 'start', 'unit', 'zone'] }
        : {
            statuses: [200, 304, 400, 401, 403, 500, 503],
            takes: ['If-None-Match', 'end', 'start', 'unit', 'zone'],
          },
    ]),
  ),
  ...Object.fromEntries(
    ['referrers', 'devices'].map((name) => [
      `get /api/stats/${name}`,
      { statuses: [200, 304, 400, 401, 403, 500, 503], takes: ['If-None-Match', 'end', 'limit', 'start'] },
    ]),
  ),
  ...Object.fromEntries(
    ['access/by-result', 'access-by-result'].map((name) => [
      `get /api/stats/${name}`,
      { statuses: [200, 304, 400, 401, 403, 500, 503], takes: ['If-None-Match', 'end', 'previews', 'start'] },
    ]),
  ),
  'get /actuator/health': { statuses: [200, 401, 500, 503] },
  'get /actuator/health/liveness': { statuses: [200, 500, 503] },
  'get /actuator/health/readiness': { statuses: [200, 500, 503] },
  'get /actuator/prometheus': { statuses: [200, 401, 403, 500, 503] },
};

test('GET /openapi.json declares what any request, a visit and a change can get', async (t) => {
  const service = await sharedService();
  const document = await reference(service);

  await t.test('the errors that precede every route are declared for each operation', async () => {
    const content = at(document, 'paths', '/api/settings', 'get', 'responses', 'default', 'content');
    const codes = at(content, 'application/json', 'schema', 'properties', 'code', 'enum');
    assert.ok(Array.isArray(codes));
    const refused = [
      await send(service, '/api/settings', { method: 'PUT' }),
      await send(service, '/api/settings', { headers: { 'x-long': 'a'.repeat(40_000) } }),
    ];
    for (const response of refused) assert.ok(codes.includes(member(json(response), 'code')), response.text);
    assert.deepEqual(
      refused.map(({ status }) => status),
      [405, 431],
    );
    for (const code of ['REQUEST_TIMEOUT', 'MISDIRECTED_REQUEST', 'TOO_MANY_CONNECTIONS'])
      assert.ok(codes.includes(code), code);
  });

  await t.test('a visit declares the pages that a browser gets', () => {
    for (const status of ['200', '404', '410'])
      for (const method of ['get', 'post']) {
        const content = at(document, 'paths', '/l/{shortCode}', method, 'responses', status, 'content');
        assert.ok(keys(content).includes('text/html'), `${method} ${status}`);
      }
  });

  await t.test('health declares its page, and the response to a wrong key', async () => {
    const responses = at(document, 'paths', '/actuator/health', 'get', 'responses');
    for (const status of ['200', '503'])
      assert.deepEqual(keys(at(responses, status, 'content')).sort(), ['application/json', 'text/html']);
    const headers = { authorization: 'Bearer wrong' };
    const refused = await send(service, '/actuator/health', { headers });
    assert.equal(refused.status, 401);
    const codes = at(responses, '401', 'content', 'application/json', 'schema', 'properties', 'code', 'enum');
    assert.ok(Array.isArray(codes) && codes.includes(member(json(refused), 'code')));
  });

  await t.test('an empty password is declared invalid for a change, which refuses it', () => {
    const body = at(document, 'paths', '/api/links/{shortCode}', 'patch', 'requestBody', 'content');
    const properties = at(body, 'application/json', 'schema', 'properties');
    assert.equal(at(properties, 'password', 'anyOf', '0', 'minLength'), 1);
  });
});

const FORWARDS = ['forwardPath', 'forwardQuery'];
const RESTRICTIONS = TERM_NAMES.filter((name) => !FORWARDS.includes(name));

const KEY = 'k'.repeat(32);

const at = (value: unknown, ...path: string[]): unknown => path.reduce(member, value);
const keys = (value: unknown): string[] => Object.keys(Object(value));

async function reference(service: TestService): Promise<unknown> {
  const response = await send(service, '/openapi.json');
  assert.equal(response.status, 200);
  assert.equal(response.headers['content-type'], 'application/json; charset=utf-8');
  const document = json(response);
  assert.ok(response.text.length < 450_000, 'operations refer to their errors');
  return resolveReferences(Object(document));
}

test('GET /openapi.json lists exactly the operations of the service', async (t) => {
  const service = await sharedService('--app.base-url=https://links.example/go');
  const document = await reference(service);
  assert.equal(member(document, 'openapi'), '3.1.0');
  assert.deepEqual(at(document, 'servers'), [{ url: 'https://links.example/go' }]);

  const listed = keys(at(document, 'paths')).flatMap((path) =>
    keys(at(document, 'paths', path)).map((method) => ({ name: `${method} ${path}`, method, path })),
  );
  const names = listed.map(({ name }) => name).filter((name) => name !== 'head /l/{shortCode}');
  assert.deepEqual(names.sort(), Object.keys(OPERATIONS).sort());

  for (const { name, method, path } of listed) {
    await t.test(name, () => {
      const operation = at(document, 'paths', path, method);
      const expected = OPERATIONS[name] ?? OPERATIONS['get /l/{shortCode}'];
      assert.ok(String(member(operation, 'summary')).length > 3);
      const [common, ...named] = keys(at(operation, 'responses')).reverse();
      assert.equal(common, 'default');
      const statuses = named.map(Number);
      assert.deepEqual(statuses.sort(), expected?.statuses);
      const parameters = at(operation, 'parameters') ?? [];
      assert.ok(Array.isArray(parameters));
      assert.deepEqual(
        parameters.map((parameter) => String(member(parameter, 'name'))).sort(),
        expected?.takes ?? [],
      );
      for (const status of statuses.filter((code) => code >= 400 && code !== 503)) {
        const schema = at(operation, 'responses', String(status), 'content', 'application/json', 'schema');
        assert.deepEqual(keys(at(schema, 'properties')).sort(), [
          'code',
          'error',
          'field',
          'message',
          'params',
          'path',
          'status',
          'timestamp',
        ]);
      }
    });
  }
});

describe('the API reference declares the access of each operation', () => {
  const key = KEY;
  for (const mode of ['open', 'keys']) {
    test(`with app.access=${mode}`, async () => {
      const flags = [`--app.access=${mode}`, `--app.access.initial-key=${key}`];
      const service = await sharedService(...flags);
      const headers = { authorization: `Bearer ${key}` };
      const document = json(await send(service, '/openapi.json', { headers }));
      const free = mode === 'open' ? [{}] : [];
      const securityOf = (path: string, method = 'get') => at(document, 'paths', path, method, 'security');
      assert.deepEqual(keys(at(document, 'components', 'securitySchemes')), ['ApiKey', 'LinkToken']);
      assert.deepEqual(securityOf('/api/links', 'post'), [...free, { ApiKey: ['create'] }]);
      assert.deepEqual(securityOf('/api/stats/links'), [...free, { ApiKey: ['read'] }]);
      assert.deepEqual(securityOf('/api/audit'), [{ ApiKey: ['read'] }]);
      assert.deepEqual(securityOf('/actuator/prometheus'), [...free, { ApiKey: ['metrics'] }]);
      assert.deepEqual(securityOf('/l/{shortCode}', 'delete'), [
        ...free,
        { ApiKey: ['manage'] },
        { LinkToken: [] },
      ]);
      assert.deepEqual(securityOf('/api/links/{shortCode}'), [
        ...free,
        { ApiKey: ['read'] },
        { LinkToken: [] },
      ]);
      assert.deepEqual(securityOf('/api/settings'), [{}, { ApiKey: [] }]);
      for (const method of ['get', 'post']) assert.equal(securityOf('/l/{shortCode}', method), undefined);
      assert.equal(securityOf('/actuator/health/liveness'), undefined);
    });
  }
});

test('the schemas of the API reference equal the specification', async (t) => {
  const service = await sharedService();
  const document = await reference(service);
  const schemaOf = (path: string, method: string, ...rest: string[]) =>
    at(document, 'paths', path, method, ...rest, 'schema');

  await t.test('the request bodies', () => {
    const body = schemaOf('/api/links', 'post', 'requestBody', 'content', 'application/json');
    assert.deepEqual(keys(at(body, 'properties')), [
      ...['targetUrl', ...TERM_NAMES],
      ...['text', 'uploadId', 'fileName', 'sha256', 'encrypted', 'viewable', 'request'],
    ]);
    assert.equal(at(body, 'required'), undefined);
    const form = schemaOf('/api/links/upload', 'post', 'requestBody', 'content', 'multipart/form-data');
    assert.deepEqual(keys(at(form, 'properties')), ['file', 'encrypted', 'viewable', ...RESTRICTIONS]);
    assert.deepEqual(at(form, 'required'), ['file']);
  });

  const responses: [path: string, method: string, status: string, fields: string[]][] = [
    ['/api/links', 'post', '201', CREATED],
    ['/api/links/upload', 'post', '201', CREATED],
    ['/l/{shortCode}', 'get', '200', ['targetUrl', 'type']],
    ['/api/stats/links', 'get', '200', ['active', 'expired', 'revoked']],
    ['/actuator/health', 'get', '200', ['components', 'status']],
    ['/actuator/health', 'get', '503', ['components', 'status']],
    [
      '/api/stats/access/summary',
      'get',
      '200',
      [
        'accessEfficiencyRatio',
        'expirationAttritionRate',
        'expired',
        'failed',
        'success',
        'total',
        'uniqueOrigins',
      ],
    ],
  ];
  for (const [path, method, status, fields] of responses) {
    await t.test(`${method} ${path}: ${status}`, () => {
      const schema = schemaOf(path, method, 'responses', status, 'content', 'application/json');
      assert.deepEqual(keys(at(schema, 'properties')).sort(), fields);
    });
  }
  const lists: [path: string, fields: string[]][] = [
    ['/api/stats/links/top', ['accessCount', 'label', 'shortCode']],
    ['/api/stats/security/exceptions', ['count', 'label', 'shortCode']],
    ['/api/stats/access/hourly', ['count', 'hour']],
    ['/api/stats/access/daily', ['count', 'date']],
    ['/api/stats/access/over-time', ['failed', 'start', 'success', 'total']],
    ['/api/stats/access/by-result', ['count', 'result']],
  ];
  for (const [path, fields] of lists) {
    await t.test(path, () => {
      const schema = schemaOf(path, 'get', 'responses', '200', 'content', 'application/json');
      assert.equal(at(schema, 'type'), 'array');
      assert.deepEqual(keys(at(schema, 'items', 'properties')).sort(), fields);
    });
  }
});

/** Bodies with which operations succeed. */
const BODIES: Record<string, object> = {
  'post /api/links': { targetUrl: TARGET, maxViews: 1, confirm: true },
  'post /api/links/bulk': { items: [{ targetUrl: TARGET }, { targetUrl: 'ftp://x' }] },
  'post /api/links/revoke': { shortCodes: ['Unknown1'] },
  'patch /api/links/{shortCode}': { label: 'label', tags: ['tag'] },
};

/** Returns the paths of members that a schema does not declare. The service sends its records as they are. */
function findUndeclared(schema: unknown, value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null || keys(schema).length === 0) return []; // {} allows any value
  const choices = at(schema, 'anyOf');
  if (Array.isArray(choices)) {
    const found = choices.map((choice) => findUndeclared(choice, value, path));
    return found.sort((a, b) => a.length - b.length)[0] ?? [];
  }
  return Object.entries(value).flatMap(([name, member]) => {
    const here = `${path}/${name}`;
    const ofMember = at(schema, 'properties', name) ?? at(schema, 'additionalProperties');
    const declared = Array.isArray(value) ? at(schema, 'items') : ofMember;
    return declared === undefined ? [here] : findUndeclared(declared, member, here);
  });
}

test('every operation of the API reference answers with one of its statuses and the members declared for it', async () => {
  const service = await sharedService(`--app.access.initial-key=${KEY}`);
  const document = await reference(service);
  const shortCode = await createLink(service, { label: 'label' });
  await uploadFile(service);
  let records = 0;
  for (const [name, { statuses }] of Object.entries(OPERATIONS)) {
    const [method = '', path = ''] = name.split(' ');
    const url = path.replace('{shortCode}', shortCode);
    const authorization = `Bearer ${KEY}`;
    const sent = BODIES[name];
    const response = await send(service, url, {
      method: method.toUpperCase(),
      headers: { authorization, ...(sent && { 'content-type': 'application/json' }) },
      ...(sent && { body: JSON.stringify(sent) }),
    });
    const { status, headers } = response;
    assert.ok(statuses.includes(status), `${name}: ${status}`);
    if (method === 'head' || !String(headers['content-type']).startsWith('application/json')) continue;
    const declared = at(document, 'paths', path, method, 'responses', String(status), 'content');
    const schema = at(declared, 'application/json', 'schema');
    assert.deepEqual(findUndeclared(schema, json(response)), [], name);
    if (status < 400) records += 1;
  }
  assert.ok(records > 20, `${records}`);
});
