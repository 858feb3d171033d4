import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { resolveReferences } from '../../docs/resolve-references.ts';
import { TERM_NAMES } from '../../src/core/model/terms.ts';
import { ROWS, type Row } from '../support/access-model.ts';
import { json, member, send } from '../support/http-client.ts';
import { bearer } from '../support/keys.ts';
import { createLink, TARGET, uploadFile } from '../support/links.ts';
import type { TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const CREATED = ['accessUrl', 'confirm', 'expiresAt', 'maxViews', 'scan', 'shortCode'];

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

  await t.test('what takes an upload declares how that, and its link, can be refused', () => {
    const statusesOf = (path: string, method: string) =>
      keys(at(document, 'paths', path, method, 'responses'));
    for (const method of ['patch', 'head', 'delete'])
      assert.ok(statusesOf('/api/links/{shortCode}/uploads/{uploadId}', method).includes('429'), method);
    for (const status of ['404', '410']) assert.ok(!statusesOf('/api/uploads', 'post').includes(status));
    for (const status of ['422', '423'])
      assert.ok(statusesOf('/api/links/{shortCode}/file', 'put').includes(status), status);
    for (const status of ['409', '423'])
      assert.ok(statusesOf('/api/links/{shortCode}/submissions', 'post').includes(status), status);
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

/** Returns the operation of a route as the reference names it. */
const operationOf = (route: string) => route.replace('*', '{shortCode}').replaceAll(/:(\w+)/g, '{$1}');

/** The routes that programs use, with the name of their operation. */
const OPERATIONS = Object.entries(ROWS).flatMap(([route, row]) => {
  const [method = '', path = ''] = operationOf(route).split(' ');
  return /^\/((api|l|actuator)\/|checkpoint)/.test(path) ? [{ method, path, row }] : [];
});

/** Returns statuses that a route has by the model of access, whatever else it does. */
function expectedStatuses(method: string, { need, ofLink, body, statuses }: Row): number[] {
  const isChange = !['GET', 'HEAD'].includes(method);
  const needsScope = !need.startsWith('nothing') && need !== 'any key';
  return [
    ...[500, 503, ...statuses],
    ...(need === 'nothing' ? [] : [401]),
    ...(isChange || needsScope ? [403] : []),
    ...(ofLink ? [404, 429] : []),
    ...(body?.headers && Object.values(body.headers).includes('application/json') ? [413, 415] : []),
  ];
}

test('GET /openapi.json lists exactly the operations of the service, with what their access and their body can get', async () => {
  const service = await sharedService('--app.base-url=https://links.example/go');
  const document = await reference(service);
  assert.equal(member(document, 'openapi'), '3.1.0');
  assert.deepEqual(at(document, 'servers'), [{ url: 'https://links.example/go' }]);
  const listed = keys(at(document, 'paths')).flatMap((path) =>
    keys(at(document, 'paths', path)).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const expected = OPERATIONS.map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(listed.sort(), [...expected, 'HEAD /l/{shortCode}'].sort());
  for (const { method, path, row } of OPERATIONS) {
    const name = `${method} ${path}`;
    const operation = at(document, 'paths', path, method.toLowerCase());
    assert.ok(String(member(operation, 'summary')).length > 3, name);
    const { default: common, ...responses } = Object(at(operation, 'responses'));
    assert.ok(common, name);
    for (const status of expectedStatuses(method, row))
      assert.ok(responses[status], `the reference of ${name} lacks ${status}`);
    const parameters = Object.values(Object(at(operation, 'parameters'))).map((each) => member(each, 'name'));
    for (const [, parameter] of path.matchAll(/\{(\w+)\}/g)) assert.ok(parameters.includes(parameter), name);
    for (const status of keys(responses).filter((code) => code >= '400' && code !== '503')) {
      const schema = at(responses, status, 'content', 'application/json', 'schema');
      assert.deepEqual(keys(at(schema, 'properties')).sort(), [
        ...['code', 'error', 'field', 'message', 'params', 'path', 'status', 'timestamp'],
      ]);
    }
  }
});

describe('the API reference declares the access of each operation', () => {
  const key = KEY;
  for (const mode of ['open', 'keys']) {
    test(`the security of an operation depends on app.access=${mode}`, async () => {
      const flags = [`--app.access=${mode}`, `--app.access.initial-key=${key}`];
      const service = await sharedService(...flags);
      const headers = bearer(key);
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

test('the schemas of the API reference equal the specification', async () => {
  const service = await sharedService();
  const document = await reference(service);
  const schemaOf = (path: string, method: string, ...rest: string[]) =>
    at(document, 'paths', path, method, ...rest, 'schema');

  const body = schemaOf('/api/links', 'post', 'requestBody', 'content', 'application/json');
  assert.deepEqual(keys(at(body, 'properties')), [
    ...['targetUrl', ...TERM_NAMES],
    ...['text', 'uploadId', 'fileName', 'sha256', 'encrypted', 'viewable', 'request'],
  ]);
  assert.equal(at(body, 'required'), undefined);
  const form = schemaOf('/api/links/upload', 'post', 'requestBody', 'content', 'multipart/form-data');
  assert.deepEqual(keys(at(form, 'properties')), ['file', 'encrypted', 'viewable', ...RESTRICTIONS]);
  assert.deepEqual(at(form, 'required'), ['file']);

  const responses: [path: string, method: string, status: string, fields: string[]][] = [
    ['/api/links', 'post', '201', CREATED],
    ['/api/links/upload', 'post', '201', CREATED],
    ['/api/stats/links', 'get', '200', ['active', 'expired', 'revoked']],
    ['/actuator/health', 'get', '200', ['components', 'status']],
    ['/actuator/health', 'get', '503', ['components', 'status']],
    [
      '/api/stats/access/summary',
      'get',
      '200',
      [
        ...['accessEfficiencyRatio', 'expirationAttritionRate', 'expired', 'failed', 'success', 'total'],
        'uniqueOrigins',
      ],
    ],
  ];
  for (const [path, method, status, fields] of responses) {
    const schema = schemaOf(path, method, 'responses', status, 'content', 'application/json');
    assert.deepEqual(keys(at(schema, 'properties')).sort(), fields, path);
  }
  const opened = (method: string) => {
    const schema = schemaOf('/l/{shortCode}', method, 'responses', '200', 'content', 'application/json');
    return Object.values(Object(at(schema, 'anyOf'))).map((each) => keys(at(each, 'properties')).sort());
  };
  const ofRequest = ['expiresAt', 'request', 'submissionsLeft', 'type'];
  assert.deepEqual(opened('get'), [['targetUrl', 'type'], ofRequest]);
  assert.deepEqual(opened('post'), [['targetUrl', 'type'], ofRequest, ['encrypted', 'sha256', 'type']]);
  const lists: [path: string, fields: string[]][] = [
    ['/api/stats/links/top', ['accessCount', 'label', 'leadsTo', 'shortCode', 'type']],
    ['/api/stats/security/exceptions', ['count', 'label', 'leadsTo', 'shortCode', 'type']],
    ['/api/stats/access/hourly', ['count', 'hour']],
    ['/api/stats/access/daily', ['count', 'date']],
    ['/api/stats/access/over-time', ['failed', 'passwordRequests', 'start', 'success', 'total']],
    ['/api/stats/access/by-result', ['count', 'result']],
  ];
  for (const [path, fields] of lists) {
    const schema = schemaOf(path, 'get', 'responses', '200', 'content', 'application/json');
    assert.equal(at(schema, 'type'), 'array');
    assert.deepEqual(keys(at(schema, 'items', 'properties')).sort(), fields, path);
  }
});

/** Bodies with which operations succeed. */
const BODIES: Record<string, object> = {
  'POST /api/links': { targetUrl: TARGET, maxViews: 1, confirm: true },
  'POST /api/links/bulk': { items: [{ targetUrl: TARGET }, { targetUrl: 'ftp://x' }] },
  'POST /api/links/revoke': { shortCodes: ['Unknown1'] },
  'PATCH /api/links/{shortCode}': { label: 'label', tags: ['tag'] },
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
  for (const { method, path } of OPERATIONS) {
    const name = `${method} ${path}`;
    const url = path.replace('{shortCode}', shortCode);
    const authorization = `Bearer ${KEY}`;
    const sent = BODIES[name];
    const response = await send(service, url, {
      method,
      headers: { authorization, ...(sent && { 'content-type': 'application/json' }) },
      ...(sent && { body: JSON.stringify(sent) }),
    });
    const { status, headers } = response;
    const responses = at(document, 'paths', path, method.toLowerCase(), 'responses');
    assert.ok(keys(responses).includes(`${status}`), `${name}: ${status}`);
    if (method === 'HEAD' || !String(headers['content-type']).startsWith('application/json')) continue;
    const schema = at(responses, `${status}`, 'content', 'application/json', 'schema');
    assert.deepEqual(findUndeclared(schema, json(response)), [], name);
    if (status < 400) records += 1;
  }
  assert.ok(records > 20, `${records}`);
});
