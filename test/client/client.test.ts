import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { createPosternClient, tokenHeader } from '../../client/client.ts';
import type { OpenApi } from '../../docs/generate-api.ts';
import { apiTypes } from '../../docs/generate-client.ts';
import { shareRecords } from '../../docs/share-records.ts';
import { fencedBlocks, ROOT, readProjectFile } from '../support/documents.ts';
import { startProgram } from '../support/process.ts';
import { startService, temporaryDirectory } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

describe('the typed client', () => {
  test('the client has the types of the OpenAPI document', async (t) => {
    const service = await startService(t);
    const response = await fetch(`${service.url}/openapi.json`);
    const openApi = (await response.json()) as OpenApi;
    assert.ok(readProjectFile('client/api-types.ts') === (await apiTypes(openApi)), 'run npm run docs');
  });

  test('the client sends a key or the token of a link, and returns errors as values', async (t) => {
    const key = 'key-of-the-test-of-the-typed-client';
    const service = await startService(t, {
      flags: ['--app.access=keys', `--app.access.initial-key=${key}`],
    });
    const body = { targetUrl: 'https://example.com/' };
    const created = await createPosternClient({ url: service.url, key }).POST('/api/links', { body });
    assert.equal(created.response.status, 201);
    const anonymous = createPosternClient({ url: `${service.url}/` });
    const refused = await anonymous.POST('/api/links', { body });
    assert.equal(refused.error?.code, 'SIGN_IN_REQUIRED');
    const headers = tokenHeader(created.response.headers.get('x-link-token') ?? undefined);
    const params = { path: { shortCode: created.data?.shortCode ?? '' } };
    const history = await anonymous.GET('/api/links/{shortCode}/history', { params, headers });
    assert.deepEqual([history.error, history.data?.entryCount], [undefined, 1]);
    const file = await anonymous.PUT('/api/links/{shortCode}/file', { params, headers, body: { keep: '1' } });
    assert.equal(file.error?.code, 'LINK_HAS_NO_FILE');
  });

  test('the client follows no redirect, so that a token stays with its service', async () => {
    const service = await sharedService();
    const client = createPosternClient({ url: service.url });
    const body = { targetUrl: `${service.url}/api/settings` };
    const { data } = await client.POST('/api/links', { body });
    const params = { path: { shortCode: data?.shortCode ?? '' }, header: { Accept: '*/*' } };
    assert.equal((await client.GET('/l/{shortCode}', { params })).response.status, 302);
  });

  test('the client returns the text of a proxy as an error, and rejects a success that is not JSON', async (t) => {
    const proxy = createServer((request, response) =>
      response.writeHead(request.url === '/api/links' ? 502 : 200).end('<html>'),
    ).listen(0, '127.0.0.1');
    t.after(() => proxy.close());
    await once(proxy, 'listening');
    const client = createPosternClient({ url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` });
    const { data, error } = await client.GET('/api/links');
    assert.deepEqual([data, error], [undefined, '<html>']);
    await assert.rejects(client.GET('/api/settings'), SyntaxError);
  });

  test('the example of the client runs', async (t) => {
    const service = await sharedService();
    const [example, ...others] = fencedBlocks(readProjectFile('client/README.md'), 'ts');
    assert.ok(example && others.length === 0);
    const file = join(temporaryDirectory(t), 'example.ts');
    const text = example.text.replaceAll('http://localhost:8080', service.url);
    writeFileSync(file, text.replace('postern-client', `${ROOT}client/client.ts`));
    const { code, stdout, stderr } = await startProgram(t, [file]).exited;
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^http:\S+\/l\/\w{8} CREATED\n$/);
  });
});

test('two records with one title that differ are refused', () => {
  const paths = { a: { title: 'Same', type: 'string' }, b: { title: 'Same', type: 'number' } };
  assert.throws(() => shareRecords({ paths }), /the title Same differ/);
});
