import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FileRequest } from '../../src/http/file-request-schemas.ts';
import { LinkPatch } from '../../src/http/schemas.ts';
import {
  assertErrorRecord,
  json,
  member,
  type RequestOptions,
  send,
  sendJson,
} from '../support/http-client.ts';
import { addKey, bearer } from '../support/keys.ts';
import { openLink, revokeLink, shortCodeOf, TARGET, uploadFile } from '../support/links.ts';
import { startService, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';
import { SECRET } from '../support/webhook-receiver.ts';

const LATER = '2026-06-15T13:00:00.000Z';
const PASSWORD = 'secret-password';

type Created = { shortCode: string; token: string };

async function create(service: TestService, members: object = {}): Promise<Created> {
  const response = await sendJson(service, '/api/links', { targetUrl: TARGET, ...members });
  return { shortCode: shortCodeOf(response), token: String(response.headers['x-link-token']) };
}

function patch(
  service: TestService,
  { shortCode, token }: Created,
  members: unknown,
  headers: RequestOptions['headers'] = {},
) {
  return send(service, `/api/links/${shortCode}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/merge-patch+json', 'x-link-token': token, ...headers },
    body: JSON.stringify(members),
  });
}

async function readHistory(service: TestService, { shortCode, token }: Created) {
  const response = await send(service, `/api/links/${shortCode}/history`, {
    headers: { 'x-link-token': token },
  });
  const { items } = json(response) as { items: { kind: string; details?: unknown; author?: unknown }[] };
  return items;
}

describe('PATCH /api/links/{shortCode}', () => {
  test('PATCH changes what is sent, keeps the rest, and returns the record with its version', async (t) => {
    const service = await startService(t);
    const link = await create(service, { maxViews: 1, label: 'Old', tags: ['a'] });
    await openLink(service, link.shortCode);
    assert.equal((await openLink(service, link.shortCode)).status, 410);
    const response = await patch(service, link, {
      ...{ maxViews: 2, expiresAt: LATER, label: null, recipient: 'Jane', confirm: false, unknown: 1 },
      targetUrl: 'https://example.org/other',
    });
    assert.equal(response.status, 200, response.text);
    assert.equal(response.headers.etag, '"1"');
    const described = await send(service, `/api/links/${link.shortCode}`, {
      headers: { 'x-link-token': link.token },
    });
    assert.deepEqual(json(described), json(response));
    const { status, viewCount, maxViews, expiresAt, label, tags, recipient, targetUrl } = json(
      response,
    ) as Record<string, unknown>;
    assert.deepEqual(
      { status, viewCount, maxViews, expiresAt, label, tags, recipient, targetUrl },
      {
        ...{ status: 'ACTIVE', viewCount: 1, maxViews: 2, expiresAt: LATER, label: null, tags: ['a'] },
        ...{ recipient: 'Jane', targetUrl: 'https://example.org/other' },
      },
    );
    assert.equal((await openLink(service, link.shortCode)).headers.location, 'https://example.org/other');
    const [, change] = await readHistory(service, link);
    assert.equal(change?.kind, 'CHANGED');
    assert.deepEqual(change?.author, { kind: 'LINK_TOKEN', name: null, ipAddress: '127.0.0.1' });
    assert.deepEqual(Object.keys(change?.details ?? {}), [
      ...['expiresAt', 'label', 'maxViews', 'recipient', 'status', 'targetSha256'],
    ]);
  });

  test('a password is set, changed and removed at once, although the definition is cached', async () => {
    const service = await sharedService();
    const link = await create(service);
    const open = async (password?: string) =>
      (await openLink(service, link.shortCode, password === undefined ? {} : { 'x-link-password': password }))
        .status;
    assert.equal(await open(), 302);
    await patch(service, link, { password: PASSWORD });
    assert.deepEqual([await open(), await open(PASSWORD)], [401, 302]);
    await patch(service, link, { password: 'another-password' });
    assert.deepEqual([await open(PASSWORD), await open('another-password')], [401, 302]);
    await patch(service, link, { password: null });
    assert.equal(await open(), 302);
    const changes = (await readHistory(service, link)).filter(({ kind }) => kind === 'CHANGED');
    const protectedTerm = (after: boolean, before: boolean) => ({
      passwordProtected: { new: after, old: before },
    });
    assert.deepEqual(
      changes.map(({ details }) => details),
      [protectedTerm(false, true), protectedTerm(true, true), protectedTerm(true, false)],
    );
  });

  test('a paused link is refused until it is resumed', async () => {
    const service = await sharedService();
    const link = await create(service);
    assert.equal((json(await patch(service, link, { paused: true })) as { state: string }).state, 'PAUSED');
    assert.equal((await openLink(service, link.shortCode)).status, 403);
    await patch(service, link, { paused: null });
    assert.equal((await openLink(service, link.shortCode)).status, 302);
  });

  test('If-Match lets one of two changes of the same version happen', async () => {
    const service = await sharedService();
    const link = await create(service);
    const status = async (ifMatch: string) =>
      (await patch(service, link, { label: `by ${ifMatch}` }, { 'if-match': ifMatch })).status;
    assert.equal(await status('"0"'), 200);
    assert.equal(await status('"0"'), 412);
    assert.equal(await status('W/"1"'), 412);
    assert.equal(await status('"7", "1"'), 200);
    assert.equal(await status('*'), 200);
  });

  test('a request that changes nothing is not recorded', async () => {
    const service = await sharedService();
    const link = await create(service, { maxViews: 3 });
    const response = await patch(service, link, { maxViews: 3, label: ' ', password: null });
    assert.deepEqual([response.status, response.headers.etag], [200, '"0"']);
    assert.equal((await readHistory(service, link)).length, 1);
  });

  test('an empty text changes nothing, and its error names null where that removes a term', async () => {
    const service = await sharedService();
    const link = await create(service);
    for (const name of Object.keys(LinkPatch.properties)) {
      const { status, text } = await patch(service, link, { [name]: '' });
      const hint = ['targetUrl', 'owner', 'request'].includes(name) ? '' : '; null removes a term';
      assert.equal(`${status} ${Object(JSON.parse(text)).message}`, `400 ${name}: must not be blank${hint}`);
    }
    const asked = await create(service, { targetUrl: undefined, request: { message: 'Your files' } });
    for (const name of Object.keys(FileRequest.properties)) {
      const { status, text } = await patch(service, asked, { request: { [name]: '' } });
      const hint = name === 'message' ? '' : '; null removes a term';
      assert.equal(`${status} ${Object(JSON.parse(text)).message}`, `400 ${name}: must not be blank${hint}`);
    }
  });

  test('a change that is not possible is refused by its field or by the state of the link', async (t) => {
    const service = await startService(t, { flags: ['--app.links.max-views=5'] });
    const link = await create(service, { expiresAt: LATER });
    const message = async (members: unknown, target = link) => {
      const { status, text } = await patch(service, target, members);
      return `${status} ${(JSON.parse(text) as { message: string }).message}`;
    };
    assert.equal(await message({ shortCode: 'x' }), '400 shortCode: cannot be changed');
    assert.equal(await message({ maxViews: 6 }), '400 maxViews: must be at most 5');
    assert.equal(await message({ maxViews: null }), '400 maxViews: must be at most 5');
    assert.equal(await message({ password: '' }), '400 password: must not be blank; null removes a term');
    assert.equal(await message({ targetUrl: null }), '400 targetUrl: must not be blank');
    assert.equal(await message({ startsAt: LATER }), '400 startsAt: must be before the link expires');
    assert.equal(await message([]), '400 Malformed JSON request');
    const other = await create(service);
    assert.equal(await message({}, { ...link, token: other.token }).then((text) => text.slice(0, 3)), '403');
    await revokeLink(service, link.shortCode);
    assert.equal(await message({}), '409 Link has been revoked, so nothing of it can be changed');
    const textType = await patch(service, link, {}, { 'content-type': 'text/plain' });
    assertErrorRecord(textType, {
      status: 415,
      message: 'Content-Type must be application/merge-patch+json',
      path: `/api/links/${link.shortCode}`,
    });
  });

  test('the terms of a file request are changed member by member, in the history and for its senders', async () => {
    const service = await sharedService();
    const wanted = { message: 'Photos', maxFiles: 3, maxBytes: null, recipientKey: null };
    const link = await create(service, { targetUrl: null, request: wanted, maxViews: 2 });
    let expected: object = wanted;
    for (const request of [{ message: 'Photos of the event' }, { maxBytes: 10, maxFiles: null }, {}]) {
      expected = { ...expected, ...request };
      const changed = await patch(service, link, { request });
      assert.deepEqual(member(json(changed), 'request'), expected, changed.text);
      const asked = await send(service, `/l/${link.shortCode}`, { headers: { accept: 'application/json' } });
      assert.deepEqual(member(json(asked), 'request'), expected);
    }
    const items = await readHistory(service, link);
    assert.deepEqual(
      items.filter(({ kind }) => kind === 'CHANGED').map(({ details }) => details),
      [
        { maxBytes: { new: 10, old: null }, maxFiles: { new: null, old: 3 } },
        { requestMessage: { new: 'Photos of the event', old: 'Photos' } },
      ],
    );
    const redirect = await create(service);
    for (const [target, request, code] of [
      [link, { message: ' ' }, 'MESSAGE_MISSING'],
      [link, { message: null }, 'MESSAGE_MISSING'],
      [link, { maxFiles: 0 }, 'LIMIT_OUT_OF_RANGE'],
      [link, { maxBytes: '5' }, 'NOT_AN_INTEGER'],
      [link, { maxBytes: 2 ** 45 }, 'LIMIT_OUT_OF_RANGE'],
      [link, null, 'INVALID_FILE_REQUEST'],
      [link, [], 'INVALID_FILE_REQUEST'],
      [redirect, { message: 'Photos' }, 'TERM_CANNOT_BE_CHANGED'],
    ] as const) {
      const refused = await patch(service, target, { request });
      assert.deepEqual([refused.status, member(json(refused), 'code')], [400, code], refused.text);
    }
  });

  test('a link to a file keeps its file', async () => {
    const service = await sharedService(`--app.access.initial-key=${KEY}`);
    const shortCode = await uploadFile(service, 'content');
    const response = await sendJson(
      service,
      `/api/links/${shortCode}`,
      { targetUrl: TARGET },
      { method: 'PATCH', headers: bearer(KEY) },
    );
    const { message } = JSON.parse(response.text) as { message: string };
    assert.equal(message, 'targetUrl: cannot be changed, because this kind of link has none');
  });

  test('the target and who is notified are shown only with the right to change the link', async () => {
    const flags = [
      ...[`--app.webhooks.secret=${SECRET}`, '--app.webhooks.per-link=everyone'],
      ...['--app.mail.url=smtp://127.0.0.1:9', '--app.mail.from=links@example.com'],
      ...['--app.mail.recipients=example.org', '--app.mail.per-link=everyone'],
    ];
    const service = await sharedService(...flags);
    const notify = { notifyUrl: 'https://hooks.example.org/links', notifyEmail: 'me@example.org' };
    const link = await create(service, notify);
    const read = async (headers: Record<string, string>) => {
      const response = await send(service, `/api/links/${link.shortCode}`, { headers });
      assert.equal(response.headers['x-link-webhook-secret'], undefined);
      const { targetUrl, notifyUrl, notifyEmail } = json(response) as Record<string, unknown>;
      return { targetUrl, notifyUrl, notifyEmail };
    };
    assert.deepEqual(await read({ 'x-link-token': link.token }), { targetUrl: TARGET, ...notify });
    const manager = await addKey(service, 'manager', ['manage']);
    assert.deepEqual(await read(bearer(manager)), { targetUrl: TARGET, ...notify });
    const nothing = { targetUrl: undefined, notifyUrl: undefined, notifyEmail: undefined };
    const reader = await addKey(service, 'reader', ['create', 'read']);
    assert.deepEqual(await read(bearer(reader)), nothing);
    assert.deepEqual(await read({}), nothing);
  });
});

const KEY = 'initial-'.repeat(5);
