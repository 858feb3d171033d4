import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FIELD_ERRORS } from '../../docs/errors.ts';
import { codesOf } from '../../src/http/errors.ts';
import { ERROR_CATALOG } from '../support/error-catalog.ts';
import { startService, type TestService } from '../support/service.ts';

const KEY = 'initial-'.repeat(5);

describe('the field errors of the API reference', () => {
  test('each example gets 400 and the documented message', async (t) => {
    const service = await startService(t, { flags: [`--app.access.initial-key=${KEY}`] });
    for (const { code, message, example } of FIELD_ERRORS) {
      if (example === undefined) continue;
      const result = await send(service, example);
      assert.deepEqual({ example, ...result }, { example, status: 400, code, message });
    }
  });

  test('every code is that of a documented error', () => {
    const documented = [...FIELD_ERRORS, ...ERROR_CATALOG].map(({ code }) => code);
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
