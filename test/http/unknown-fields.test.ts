import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertErrorRecord,
  json,
  member,
  send,
  sendJson,
  type TestResponse,
} from '../support/http-client.ts';
import { countRows, createLink, TARGET } from '../support/links.ts';
import { fields, file, sendForm } from '../support/multipart.ts';
import { startService } from '../support/service.ts';

const ignoredBy = ({ headers }: TestResponse) => headers['x-ignored-fields'];

const NEAR_MISSES: [name: string, meant: string][] = [
  ['maxview', 'maxViews'],
  ['MAXVIEWS', 'maxViews'],
  ['max_views', 'maxViews'],
  ['expires-at', 'expiresAt'],
  ['pasword', 'password'],
  ['tag', 'tags'],
];

test('unknown fields are refused where they are near misses, and named otherwise', async (t) => {
  const service = await startService(t);
  const shortCode = await createLink(service);
  const managed = await sendJson(service, '/api/links', { targetUrl: TARGET, customCode: 'managed' });
  const linksBefore = countRows(service, 'link');

  for (const [name, meant] of NEAR_MISSES) {
    const message = `${name}: unknown; did you mean ${meant}`;
    const path = '/api/links';
    await t.test(`the member ${name} of a creation is refused`, async () => {
      const response = await sendJson(service, path, { targetUrl: TARGET, [name]: 3 });
      assertErrorRecord(response, { status: 400, message, path });
      assert.equal(member(json(response), 'code'), 'UNKNOWN_FIELD');
      assert.deepEqual(member(json(response), 'params'), { meant });
    });
  }
  const asked = await sendJson(service, '/api/links', { request: { message: 'Photos', maxfiles: 3 } });
  assert.match(String(member(json(asked), 'message')), /^maxfiles: unknown; did you mean maxFiles$/);
  assert.equal(countRows(service, 'link'), linksBefore, 'a refused request creates nothing');

  await t.test('ignored members are in X-Ignored-Fields, percent-encoded', async () => {
    const response = await sendJson(service, '/api/links', { targetUrl: TARGET, colour: 'red', 'a, ü': 1 });
    assert.equal(response.status, 201);
    assert.equal(ignoredBy(response), 'colour, a%2C%20%C3%BC');
  });

  await t.test('a request without unknown members has no X-Ignored-Fields', async () => {
    assert.equal(ignoredBy(await sendJson(service, '/api/links', { targetUrl: TARGET })), undefined);
  });

  await t.test('the header names as many ignored members as 1,000 characters hold', async () => {
    const members = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`${'unbekannt'.repeat(5)}${index}`, 1]),
    );
    const response = await sendJson(service, '/api/links', { targetUrl: TARGET, ...members });
    assert.equal(response.status, 201);
    const header = String(ignoredBy(response));
    assert.ok(header.length > 900 && header.length <= 1_000, `${header.length}`);
  });

  await t.test('another case of a known member is refused after many unknown ones', async () => {
    const members = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`${index}`, 1]));
    const response = await sendJson(service, '/api/links', { targetUrl: TARGET, ...members, max_views: 1 });
    assertErrorRecord(response, {
      ...{ status: 400, path: '/api/links' },
      message: 'max_views: unknown; did you mean maxViews',
    });
  });

  await t.test('a misspelt form field and a misspelt file part of an upload are refused', async () => {
    const path = '/api/links/upload';
    const misspelt = [
      { parts: fields({ maxviews: '3' }), message: 'maxviews: unknown; did you mean maxViews' },
      { parts: [{ ...file('a'), name: 'files' }], message: 'files: unknown; did you mean file' },
    ];
    for (const { parts, message } of misspelt)
      assertErrorRecord(await sendForm(service, [file('a'), ...parts]), { status: 400, message, path });
  });

  await t.test('a text field that is sent as a file is refused', async () => {
    const path = '/api/links/upload';
    const asFile = [file('a'), { ...file('secret'), name: 'password' }];
    const message = 'password: must be a text field, not a file';
    assertErrorRecord(await sendForm(service, asFile), { status: 400, message, path });
  });

  await t.test('ignored form fields are named', async () => {
    const response = await sendForm(service, [...fields({ colour: 'red' }), file('a')]);
    assert.equal(response.status, 201, response.text);
    assert.equal(ignoredBy(response), 'colour');
  });

  await t.test('a misspelt member of a bulk item is the error of that item alone', async () => {
    const response = await sendJson(service, '/api/links/bulk', {
      items: [
        { targetUrl: TARGET, maxview: 1 },
        { targetUrl: TARGET, colour: 1 },
      ],
      dryRun: true,
    });
    const [refused, created] = Object.values(Object(member(json(response), 'results')));
    const message = 'maxview: unknown; did you mean maxViews';
    assert.equal(member(member(refused, 'error'), 'message'), message);
    assert.equal(member(created, 'status'), 201);
    assert.equal(ignoredBy(response), 'dryRun, colour');
  });

  await t.test('a misspelt member of a change is refused, and an unknown one named', async () => {
    const path = '/api/links/managed';
    const patch = (body: unknown) =>
      sendJson(service, path, body, {
        method: 'PATCH',
        headers: { 'x-link-token': String(managed.headers['x-link-token']) },
      });
    const message = 'pause: unknown; did you mean paused';
    assertErrorRecord(await patch({ pause: true }), { status: 400, message, path });
    const response = await patch({ label: 'a', colour: 'red' });
    assert.equal(response.status, 200);
    assert.equal(ignoredBy(response), 'colour');
  });

  await t.test('a misspelt parameter is refused, and an unknown one named', async () => {
    const path = '/api/stats/links/top';
    const message = 'limits: unknown; did you mean limit';
    assertErrorRecord(await send(service, `${path}?limits=1`), { status: 400, message, path });
    const response = await send(service, `${path}?page=2`);
    assert.equal(response.status, 200);
    assert.equal(ignoredBy(response), 'page');
  });

  await t.test('a visit ignores parameters', async () => {
    const response = await send(service, `/l/${shortCode}?limits=1`);
    assert.equal(response.status, 302);
  });
});
