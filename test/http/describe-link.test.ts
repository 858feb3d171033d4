import assert from 'node:assert/strict';
import test from 'node:test';
import { assertErrorRecord, json, send, sendJson } from '../support/http-client.ts';
import { countRows, createLink, openLink, revokeLink, TARGET, uploadFile } from '../support/links.ts';
import { fields, file, sendForm } from '../support/multipart.ts';
import { startService, type TestService } from '../support/service.ts';

const NOW = '2026-06-15T12:00:00.000Z';
const LATER = '2026-06-15T13:00:00.000Z';

async function describeLink(service: TestService, shortCode: string): Promise<Record<string, unknown>> {
  const answer = await send(service, `/api/links/${shortCode}`);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
  assert.equal(answer.headers['cache-control'], 'no-store');
  return json(answer) as Record<string, unknown>;
}

/** What is told of a link to a URL without restrictions. */
const plain = (shortCode: string) => ({
  shortCode,
  accessUrl: `http://localhost:8080/l/${shortCode}`,
  type: 'REDIRECT',
  status: 'ACTIVE',
  expiresAt: null,
  maxViews: null,
  viewCount: 0,
  passwordProtected: false,
  confirm: false,
  createdAt: NOW,
  file: null,
});

test('GET /api/links/{shortCode} tells of each kind of link, and never a target', async (t) => {
  const service = await startService(t);

  await t.test('a link to a URL', async () => {
    const shortCode = await createLink(service);
    assert.deepEqual(await describeLink(service, shortCode), plain(shortCode));
  });
  await t.test('a link with every restriction; its expiry is told in UTC', async () => {
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
    await t.test(`an expiry after the year 9999 in UTC: ${expiresAt}`, async () => {
      const shortCode = await createLink(service, { expiresAt });
      const described = await describeLink(service, shortCode);
      const text = String(described['expiresAt']);
      assert.match(text, /^9999-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}-23:59$/, 'a date-time of RFC 3339');
      assert.equal(Date.parse(text), Date.parse(expiresAt));
    });
  }
  await t.test('a file, with its name and size', async () => {
    const shortCode = await uploadFile(service, 'content', { fileName: '<b>né.txt' });
    assert.deepEqual(await describeLink(service, shortCode), {
      ...plain(shortCode),
      type: 'DOWNLOAD',
      file: { name: '<b>né.txt', sizeBytes: 7 },
    });
  });
  await t.test('a protected file, without them', async () => {
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
  });
});

test('its status is the one that an attempt would find', async (t) => {
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

test('it is no attempt: neither a view nor a record nor a change of the link comes of it', async (t) => {
  const service = await startService(t);
  const shortCode = await createLink(service, { maxViews: 1, expiresAt: LATER });
  for (let time = 0; time < 3; time++) await describeLink(service, shortCode);
  await send(service, `/api/links/${shortCode}`, { method: 'HEAD' });
  assert.equal(countRows(service, 'audit'), 0);
  assert.equal((await openLink(service, shortCode)).headers.location, TARGET);
});

test('where there is no such link it is 404 with the error record', async (t) => {
  const service = await startService(t);
  const shortCode = await createLink(service);
  const others = [
    'unknown1',
    shortCode.toUpperCase(),
    `${shortCode}x`,
    '%00',
    '%ZZ',
    'a'.repeat(10_000),
    '%F0%9F%98%80',
  ];
  for (const other of others.filter((code) => code !== shortCode)) {
    const path = `/api/links/${other}`;
    assertErrorRecord(await send(service, path), { status: 404, message: 'Link not found', path });
  }
  assert.equal(countRows(service, 'audit'), 0);
  const path = `/api/links/${shortCode}`;
  const posted = await send(service, path, { method: 'POST' });
  assertErrorRecord(posted, { status: 405, message: /use GET, HEAD$/, path });
});

test('`confirm` is taken on creation, and told only where something was said of it', async (t) => {
  const service = await startService(t);
  const ways: [name: string, create: (confirm: unknown) => ReturnType<typeof send>][] = [
    [
      'as JSON',
      (confirm) =>
        sendJson(service, '/api/links', { targetUrl: TARGET, ...(confirm !== undefined && { confirm }) }),
    ],
    [
      'in a form',
      (confirm) =>
        sendForm(service, [
          ...fields(confirm === undefined ? {} : { confirm: String(confirm ?? '') }),
          file('a'),
        ]),
    ],
  ];
  for (const [way, create] of ways) {
    for (const confirm of [true, false, null, undefined]) {
      await t.test(`${way}: ${confirm}`, async () => {
        const answer = await create(confirm);
        assert.equal(answer.status, 201, answer.text);
        const { shortCode, ...created } = json(answer) as Record<string, unknown>;
        const isTold = typeof confirm === 'boolean';
        assert.deepEqual(Object.keys(created), [
          'accessUrl',
          'expiresAt',
          'maxViews',
          ...(isTold ? ['confirm'] : []),
        ]);
        if (isTold) assert.equal(created['confirm'], confirm);
        const described = await describeLink(service, String(shortCode));
        assert.equal(described['confirm'], confirm ?? false);
      });
    }
    for (const confirm of ['yes', 'TRUE', 1, {}]) {
      await t.test(`${way}: ${JSON.stringify(confirm)} is refused`, async () => {
        const path = way === 'as JSON' ? '/api/links' : '/api/links/upload';
        const message = 'confirm: must be true or false';
        assertErrorRecord(await create(confirm), { status: 400, message, path });
      });
    }
  }
  assert.deepEqual(service.storedFiles().length, 4, 'nothing is left of uploads that were refused');
});
