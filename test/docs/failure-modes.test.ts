import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { codesOf, ERRORS } from '../../src/http/errors.ts';
import { codeIn, readProjectFile, sectionOf, tableRows } from '../support/documents.ts';
import { ERROR_CATALOG, REQUEST_ERRORS } from '../support/error-catalog.ts';
import { startService, type TestService } from '../support/service.ts';

const DOCUMENT = readProjectFile('docs/failure-modes.md');
const KEY = 'initial-'.repeat(5);

test('failure-modes.md lists exactly the errors of the catalog with their status', () => {
  assert.deepEqual(Object.keys(REQUEST_ERRORS).sort(), [...Object.keys(ERRORS), 'invalidField'].sort());
  const documented = tableRows(sectionOf(DOCUMENT, 'Client errors'));
  assert.deepEqual(
    documented
      .map(([status, code = '', message = '']) => [status, codeIn(code)[0], codeIn(message)[0]].join(' '))
      .sort(),
    ERROR_CATALOG.map(
      ({ status, code, message }) => `${status} ${message.startsWith('<') ? '<code>' : code} ${message}`,
    ).sort(),
  );
  const statuses = documented.map(([status]) => Number(status));
  assert.deepEqual(
    statuses,
    statuses.toSorted((a, b) => a - b),
    'in the order of their statuses',
  );
  for (const [, , message, when, whatToDo] of documented)
    assert.ok(when && whatToDo, `${message} is explained`);
});

describe('the field errors in failure-modes.md', () => {
  const rows = tableRows(sectionOf(DOCUMENT, 'Field errors')).map(
    ([code = '', message = '', example = '']) => ({
      code: codeIn(code)[0] ?? '',
      message: codeIn(message)[0] ?? '',
      example: codeIn(example)[0],
    }),
  );

  test('each example gets 400 and the documented message', async (t) => {
    const service = await startService(t, { flags: [`--app.access.initial-key=${KEY}`] });
    for (const { code, message, example } of rows) {
      if (example === undefined) continue; // described in words, because it is too long
      const result = await send(service, example);
      assert.deepEqual({ example, ...result }, { example, status: 400, code, message });
    }
  });

  test('every code is that of a documented error', () => {
    const documented = [...rows, ...ERROR_CATALOG].map(({ code }) => code);
    const statuses = Array.from({ length: 200 }, (_, index) => 400 + index);
    assert.deepEqual([...new Set(documented)].sort(), statuses.flatMap(codesOf).sort());
  });
});

/** Sends an example: a JSON body, form fields in curl syntax, or a path. */
async function send(
  { url }: TestService,
  example: string,
): Promise<{ status: number; code: unknown; message: unknown }> {
  const response = await request(url, example);
  const { code, message } = (await response.json()) as { code?: unknown; message?: unknown };
  return { status: response.status, code, message };
}

function request(url: string, example: string): Promise<Response> {
  if (example.startsWith('/')) return fetch(url + example, { headers: { authorization: `Bearer ${KEY}` } });
  if (example.startsWith('{')) {
    const headers = { 'content-type': 'application/json' };
    return fetch(`${url}/api/links`, { method: 'POST', headers, body: example });
  }
  const form = new FormData();
  for (const [, name = '', value = ''] of example.matchAll(/-F (\w+)=(\S+)/g)) {
    if (value.startsWith('@')) form.append(name, new Blob(value === '@empty' ? [] : ['a']), value.slice(1));
    else form.append(name, value);
  }
  return fetch(`${url}/api/links/upload`, { method: 'POST', body: form });
}
