import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiDocument, type OpenApi } from '../../docs/generate-api.ts';
import { readProjectFile } from '../support/documents.ts';
import { startService } from '../support/service.ts';

test('docs/api.md is generated from the OpenAPI document and lists every endpoint', async (t) => {
  const service = await startService(t);
  const response = await fetch(`${service.url}/openapi.json`);
  const openApi = (await response.json()) as OpenApi;
  const document = readProjectFile('docs/api.md');
  assert.equal(document, apiDocument(openApi));

  const documented = [...document.matchAll(/^### ([A-Z, ]+) (\/\S+)$/gm)];
  const named = documented.flatMap(([, methods = '', path = '']) =>
    methods.split(', ').map((method) => `${method} ${path}`),
  );
  const variants = [...document.matchAll(/^Also at (.*)\.$/gm)].flatMap(([, paths = '']) =>
    paths.split(', ').map((path) => `GET ${path.replaceAll('`', '')}`),
  );
  const served = Object.entries(openApi.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  assert.deepEqual([...named, ...variants].sort(), served.sort());
});
