import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import test from 'node:test';
import { assertErrorRecord, json, member, send, sendJson } from '../support/http-client.ts';
import { addKey, bearer } from '../support/keys.ts';
import { countRows, createLink, openLink, revokeLink, TARGET, uploadFile } from '../support/links.ts';
import { fields, file, sendForm } from '../support/multipart.ts';
import { startService, type TestService } from '../support/service.ts';

const CONTENT_SHA256 = hash('sha256', 'content');

const NOW = '2026-06-15T12:00:00.000Z';
const LATER = '2026-06-15T13:00:00.000Z';

async function describeLink(service: TestService, shortCode: string): Promise<Record<string, unknown>> {
  const response = await send(service, `/api/links/${shortCode}`);
  assert.equal(response.status, 200, response.text);
  assert.equal(response.headers['content-type'], 'application/json; charset=utf-8');
  assert.equal(response.headers['cache-control'], 'no-store');
  return json(response) as Record<string, unknown>;
}

/** The description of a link to a URL without restrictions. */
const plain = (shortCode: string) => ({
  shortCode,
  accessUrl: `http://localhost:8080/l/${shortCode}`,
  type: 'REDIRECT',
  status: 'ACTIVE',
  state: 'ACTIVE',
  startsAt: null,
  expiresAt: null,
  maxViews: null,
  viewCount: 0,
  passwordProtected: false,
  confirm: false,
  createdAt: NOW,
  file: null,
});

test('GET /api/links/{shortCode} describes each kind of link without its target', async (t) => {
  const service = await startService(t);

  await t.test('a link to a URL', async () => {
    const shortCode = await createLink(service);
    assert.deepEqual(await describeLink(service, shortCode), plain(shortCode));
  });
  await t.test('a link with every restriction has its expiry in UTC', async () => {
    const wanted = {
      expiresAt: '2026-06-15T15:00:00+02:00',
      maxViews: 3,
      password: 'secret-password',
      confirm: true,
    };
    const shortCode = await createLink(service, wanted);
    assert.deepEqual(await describeLink(service, shortCode), {
      ...plain(shortCode),
      expiresAt: LATER,
      maxViews: 3,
      passwordProtected: true,
      confirm: true,
    });
  });
  for (const expiresAt of ['9999-12-31T23:59:59-14:00', '9999-12-31T23:59:59.999-23:59']) {
    await t.test(`an expiry after the year 9999 in UTC is a valid date-time: ${expiresAt}`, async () => {
      const shortCode = await createLink(service, { expiresAt });
      const described = await describeLink(service, shortCode);
      const text = String(described['expiresAt']);
      assert.match(text, /^9999-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}-(14:00|23:59)$/, 'a date-time of RFC 3339');
      assert.equal(Date.parse(text), Date.parse(expiresAt));
    });
  }
  await t.test('a file has its name, size and SHA-256', async () => {
    const shortCode = await uploadFile(service, 'content', { fileName: '<b>né.txt' });
    assert.deepEqual(await describeLink(service, shortCode), {
      ...plain(shortCode),
      type: 'DOWNLOAD',
      file: { name: '<b>né.txt', sizeBytes: 7, sha256: CONTENT_SHA256 },
    });
  });
  await t.test('a protected file has none of them, except for those who may change the link', async () => {
    const shortCode = await uploadFile(service, 'content', {
      fileName: 'secret-name.txt',
      fields: { password: 'secret-password' },
    });
    const described = await describeLink(service, shortCode);
    assert.deepEqual(described, {
      ...plain(shortCode),
      type: 'DOWNLOAD',
      passwordProtected: true,
    });
    const fileFor = async (scope: 'read' | 'manage') => {
      const headers = bearer(await addKey(service, scope, [scope]));
      return member(json(await send(service, `/api/links/${shortCode}`, { headers })), 'file');
    };
    assert.deepEqual(await fileFor('manage'), {
      name: 'secret-name.txt',
      sizeBytes: 7,
      sha256: CONTENT_SHA256,
    });
    assert.equal(await fileFor('read'), null);
  });
});

test('the status is the one that an attempt would find', async (t) => {
  const service = await startService(t);
  const usedUp = await createLink(service, { maxViews: 1 });
  const expired = await createLink(service, { expiresAt: LATER });
  const revoked = await createLink(service);
  await openLink(service, usedUp);
  await revokeLink(service, revoked);
  const state = async (shortCode: string) => {
    const { status, viewCount } = await describeLink(service, shortCode);
    return { status, viewCount };
  };
  assert.deepEqual(await state(usedUp), { status: 'EXPIRED', viewCount: 1 });
  assert.deepEqual(await state(revoked), { status: 'REVOKED', viewCount: 0 });
  service.clock.now = Date.parse(LATER);
  assert.deepEqual(await state(expired), { status: 'ACTIVE', viewCount: 0 });
  service.clock.now += 1;
  assert.deepEqual(await state(expired), { status: 'EXPIRED', viewCount: 0 });
});

test('describing a link spends no view, writes no record and changes nothing', async (t) => {
  const service = await startService(t);
  const shortCode = await createLink(service, { maxViews: 1, expiresAt: LATER });
  for (let time = 0; time < 3; time++) await describeLink(service, shortCode);
  await send(service, `/api/links/${shortCode}`, { method: 'HEAD' });
  assert.equal(countRows(service, 'audit'), 0);
  assert.equal((await openLink(service, shortCode)).headers.location, TARGET);
});

test('an unknown link answers 404 with the error record', async (t) => {
  const service = await startService(t);
  const shortCode = await createLink(service);
  const others = ['unknown1', `${shortCode}x`, '%00', '%ZZ', 'a'.repeat(10_000), '%F0%9F%98%80'];
  for (const other of others) {
    const path = `/api/links/${other}`;
    assertErrorRecord(await send(service, path), { status: 404, message: 'Link not found', path });
  }
  assert.equal(countRows(service, 'audit'), 0);
  const path = `/api/links/${shortCode}`;
  const posted = await send(service, path, { method: 'POST' });
  assertErrorRecord(posted, { status: 405, message: /use DELETE, GET, HEAD, PATCH$/, path });
});

test('`confirm` is accepted on creation and returned only if it was sent', async (t) => {
  const service = await startService(t);
  const ways: [path: string, create: (confirm: unknown) => ReturnType<typeof send>][] = [
    ['/api/links', (confirm) => sendJson(service, '/api/links', { targetUrl: TARGET, confirm })],
    [
      '/api/links/upload',
      (confirm) =>
        sendForm(service, [
          ...(confirm === undefined ? [] : fields({ confirm: String(confirm ?? '') })),
          file('a'),
        ]),
    ],
  ];
  for (const [path, create] of ways) {
    for (const confirm of [true, false, null, undefined]) {
      const response = await create(confirm);
      assert.equal(response.status, 201, response.text);
      const { shortCode, accessUrl: _, ...created } = json(response) as Record<string, unknown>;
      const returned = typeof confirm === 'boolean' ? { confirm } : {};
      assert.deepEqual(created, { expiresAt: null, maxViews: null, ...returned });
      assert.equal((await describeLink(service, String(shortCode)))['confirm'], confirm ?? false);
    }
    assertErrorRecord(await create('yes'), { status: 400, message: 'confirm: must be true or false', path });
  }
  assert.deepEqual(service.storedFiles().length, 4, 'refused uploads leave no file');
});
