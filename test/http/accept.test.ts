import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { wantsJson, wantsPage } from '../../src/http/headers.ts';
import { createLink, openLink } from '../support/links.ts';
import { startService } from '../support/service.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

type Row = [accept: string | undefined, json: boolean, page: boolean];

const ROWS: Row[] = [
  [undefined, false, false],
  ['', false, false],
  ['*/*', false, false],
  ['application/*', false, false],
  ['application/xml', false, false],
  ['text/json', false, false],
  ['application/js', false, false],
  ['image/*', false, false],
  ['image/png', false, false],
  ['text/plain', false, false],
  ['application/xhtml+xml', false, false],
  ['*/*,application/json', true, false],
  ['text/*', false, false],
  ['application/json', true, false],
  ['APPLICATION/JSON', true, false],
  ['application/json;charset=utf-8', true, false],
  ['application/json; q=0.001', true, false],
  ['text/plain, application/json;q=0.5', true, false],
  ['application/json;q=0', false, false],
  ['application/json;q=0.0', false, false],
  ['application/json; Q=0', false, false],
  ['application/json ; q=0, */*', false, false],
  ['application/json;q=nonsense', false, false],
  ['application/jsonp', false, false],
  ['application/json-patch+json', false, false],
  ['x-application/json', false, false],
  ['text/plain;note="application/json"', false, false],
  ['text/plain;note="a,application/json,b"', false, false],
  [`${'a/b,'.repeat(7_800)}application/json`, true, false],
  [`${'a/b,'.repeat(7_800)}application/json;q=0`, false, false],
  ['text/html', false, true],
  ['TEXT/HTML', false, true],
  [BROWSER, false, true],
  ['text/html;q=0', false, false],
  ['text/html;q=0.9,*/*;q=0.1', false, true],
  ['text/html, application/json', true, false],
  ['text/html, application/json;q=0.1', true, false],
  ['text/html, application/json;q=0', false, true],
  ['text/html;q=0, application/json', true, false],
];

describe('Accept', () => {
  for (const [accept, json, page] of ROWS) {
    const selected = json ? 'JSON' : page ? 'a page' : 'neither JSON nor a page';
    test(`${JSON.stringify(accept)} selects ${selected}`, () => {
      assert.deepEqual([wantsJson(accept), wantsPage(accept)], [json, page]);
    });
  }
});

test('a link opens as JSON only for an Accept that takes JSON', async (t) => {
  const service = await startService(t);
  const shortCode = await createLink(service);
  for (const [accept, status, type] of [
    ['application/json;q=0', 302, undefined],
    ['Application/JSON;q=0.1, text/html', 200, 'application/json; charset=utf-8'],
  ] as const) {
    const response = await openLink(service, shortCode, { accept });
    assert.equal(response.status, status, accept);
    assert.equal(response.headers['content-type'], type, accept);
  }
  const page = await openLink(service, 'unknown1', { accept: 'text/html, application/json;q=0' });
  assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
});
