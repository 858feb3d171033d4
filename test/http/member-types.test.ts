import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OWN_TERMS, PLAIN_NAMES, TERM_KINDS } from '../../src/core/model/terms.ts';
import { termsOf } from '../support/attempts.ts';
import type { RequestOptions } from '../support/http-client.ts';
import { TARGET } from '../support/links.ts';
import { addPerson, PASSWORD, personHeaders, sendFromPage } from '../support/people.ts';
import { startService } from '../support/service.ts';
import { SECRET } from '../support/webhook-receiver.ts';

const LATER = '2026-06-16T12:00:00Z';
const OWN = {
  ...{ expiresAt: LATER, startsAt: '2026-06-15T13:00:00Z', password: 'right', team: 'press' },
} satisfies Record<Exclude<keyof typeof OWN_TERMS, 'maxViews' | 'customCode'>, string>;
const PLAIN = Object.fromEntries(
  PLAIN_NAMES.filter((name) => TERM_KINDS[name] !== 'flag').map((name) => [name, termsOf('eve')[name]]),
);
const TERMS: Record<string, unknown> = { targetUrl: TARGET, ...OWN, ...PLAIN };
const RECEIVERS = [
  '--app.hosts=go.example',
  '--app.mail.url=smtp://127.0.0.1:9',
  '--app.mail.from=a@mail.example',
];

test('a text in an array, or in an object, is no text in any body of JSON', async (t) => {
  const service = await startService(t, {
    flags: [...RECEIVERS, '--app.mail.recipients=mail.example', `--app.webhooks.secret=${SECRET}`],
  });
  const admin = await personHeaders(service, 'admin');
  const ada = await addPerson(service, 'ada');
  const call = (method: string, path: string, body: unknown, headers: RequestOptions['headers'] = {}) =>
    sendFromPage(service, method, path, body, { ...admin, ...(headers as Record<string, string>) });
  assert.equal((await call('POST', '/api/teams', { name: 'press', members: ['admin'] })).status, 201);
  for (const [customCode, more] of [
    ['link', { targetUrl: TARGET }],
    ['request', { request: { message: 'Send' }, password: 'right' }],
  ] as const)
    assert.equal((await call('POST', '/api/links', { customCode, ...more })).status, 201);
  const { targetUrl: _, ...others } = TERMS;
  assert.equal((await call('POST', '/api/links', { ...TERMS, customCode: 'valid' })).status, 201);
  assert.equal((await call('POST', '/api/links', { ...others, text: 'a text' })).status, 201);
  const ofFile = {
    uploadId: '6c2f6f0a-3b9d-4c61-9f0e-2b6f8f6f1a10',
    sender: 'Eve',
    note: 'x',
    password: 'right',
  };
  const cases: [method: string, path: string, body: Record<string, unknown>][] = [
    ['POST', '/api/links', { ...TERMS, customCode: 'custom' }],
    ['POST', '/api/links', { ...others, text: 'a text' }],
    ['PATCH', '/api/links/link', { ...TERMS, owner: 'ada' }],
    ['POST', '/api/links/link/short-code', { customCode: 'other' }],
    ['POST', '/api/links/request/submissions', ofFile],
    ['POST', '/api/sessions', { name: 'ada', password: PASSWORD }],
    ['PUT', '/api/password', { password: PASSWORD, newPassword: 'another long password' }],
    ['PUT', '/api/password', { token: 'x', newPassword: 'another long password' }],
    ['POST', '/api/people', { name: 'bob', email: 'bob@example.com', scopes: [] }],
    ['PATCH', '/api/people/ada', { email: 'ada@example.com', linksTo: 'admin' }],
    ['POST', '/api/teams', { name: 'sales' }],
    ['PATCH', '/api/teams/press', { name: 'media' }],
    ['POST', '/api/keys', { name: 'laptop', owner: 'admin', expiresAt: LATER, scopes: ['read'] }],
  ];
  for (const [method, path, body] of cases)
    for (const [name, value] of Object.entries(body))
      for (const wrapped of [[value], [[value]], { toString: value }, 7, true]) {
        const response = await call(method, path, { ...body, [name]: wrapped });
        const text = `${method} ${path} ${name}: ${JSON.stringify(wrapped)}: ${response.status} ${response.text}`;
        assert.ok(response.status >= 400 && response.status < 500, text);
        assert.ok(response.status !== 404, text); // of the upload, which is looked for after its members were read
      }
  assert.equal((await service.stores.store.people.findPerson('ada'))?.passwordHash, ada.passwordHash);
});
