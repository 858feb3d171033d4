import assert from 'node:assert/strict';
import test from 'node:test';
import { STALE_UPLOAD_MS } from '../../src/core/use-cases/files/sweep-uploads.ts';
import { assertErrorRecord, json, member, send, sendJson } from '../support/http-client.ts';
import { addKey, bearer } from '../support/keys.ts';
import { encodeForm, file, MULTIPART_HEADERS, sendForm } from '../support/multipart.ts';
import { personHeaders } from '../support/people.ts';
import { startService } from '../support/service.ts';
import { addBytes, announce, beginUpload, codeOf, TUS } from '../support/uploads.ts';

test('each way in for files obeys the quota of the owner who they are for', async (t) => {
  const service = await startService(t, {
    flags: ['--app.access=keys', '--app.storage.quota-per-owner=1000', '--app.storage.quota=2KB'],
  });
  const ada = bearer(await addKey(service, 'ada', ['create']));
  const bob = bearer(await addKey(service, 'bob', ['create', 'manage']));
  const mine = async (headers: Record<string, string>) =>
    json(await send(service, '/api/stats/storage/mine', { headers }));
  assert.deepEqual(await mine(ada), { usedBytes: 0, fileCount: 0, quotaBytes: 1_000 });
  const created = await sendJson(service, '/api/links', { request: { message: 'Files' } }, { headers: ada });
  const request = String(member(json(created), 'shortCode'));
  assert.equal((await announce(service, 600, ada)).status, 201);
  assert.deepEqual(await mine(ada), { usedBytes: 600, fileCount: 1, quotaBytes: 1_000 });

  const form = (path: string, headers: object, more = {}) =>
    sendForm(service, [file('x'.repeat(400))], { path, headers: { ...headers, ...more } });
  const refused = [
    await announce(service, 401, ada),
    await form('/api/links/upload', ada),
    // Of unknown size, it may have as many bytes as a form can.
    await send(service, '/api/links/upload', {
      method: 'POST',
      headers: { ...ada, ...MULTIPART_HEADERS },
      body: [encodeForm([file('x')])],
    }),
    await sendJson(service, '/api/links', { text: 'x'.repeat(401) }, { headers: ada }),
    await form(`/l/${request}`, { accept: 'application/json' }),
    await form(`/api/links/${request}/submissions`, {}),
    await send(service, `/l/${request}/uploads`, {
      method: 'POST',
      headers: { ...TUS, 'upload-length': '401' },
    }),
  ];
  for (const response of refused) {
    assert.equal(codeOf(response), 'QUOTA_EXCEEDED', response.text);
    assertErrorRecord(response, {
      status: 507,
      path: String(member(json(response), 'path')),
      message: /^The quota for stored files/,
    });
  }
  assert.deepEqual(await mine(ada), { usedBytes: 600, fileCount: 1, quotaBytes: 1_000 });
  assert.deepEqual(service.storedFiles(), []);

  const text = await sendJson(service, '/api/links', { text: 'x'.repeat(200) }, { headers: ada });
  assert.equal(text.status, 201, text.text);
  const submitted = await sendForm(service, [file('y')], { path: `/api/links/${request}/submissions` });
  assert.equal(submitted.status, 201, submitted.text);
  assert.deepEqual(await mine(ada), { usedBytes: 801, fileCount: 3, quotaBytes: 1_000 });

  await t.test('replacing a file takes the space of the owner of the link', async () => {
    const path = `/api/links/${member(json(text), 'shortCode')}/file`;
    const replace = (size: number) =>
      send(service, path, {
        method: 'PUT',
        headers: { ...bob, ...MULTIPART_HEADERS },
        body: encodeForm([file('z'.repeat(size))]),
      });
    assert.equal(codeOf(await replace(200)), 'QUOTA_EXCEEDED');
    assert.equal((await replace(10)).status, 200);
    assert.deepEqual(await mine(bob), { usedBytes: 0, fileCount: 0, quotaBytes: 1_000 });
  });

  await t.test('an administrator sees who uses how much', async () => {
    const admin = await personHeaders(service, 'root', ['create', 'admin']);
    assert.equal((await announce(service, 900, bob)).status, 201);
    const read = async () => json(await send(service, '/api/stats/storage', { headers: admin }));
    const owners = [
      { owner: { kind: 'KEY', name: 'bob' }, usedBytes: 900, fileCount: 1 },
      { owner: { kind: 'KEY', name: 'ada' }, usedBytes: 811, fileCount: 4 },
    ];
    const limits = { quotaBytes: 2_048, quotaPerOwnerBytes: 1_000 };
    assert.deepEqual(await read(), { usedBytes: 1_711, fileCount: 5, ...limits, owners, teams: [] });
    assert.equal((await send(service, '/api/stats/storage', { headers: bob })).status, 403);
    const third = bearer(await addKey(service, 'carl', ['create']));
    assert.equal(codeOf(await announce(service, 338, third)), 'QUOTA_EXCEEDED');
    assert.equal((await announce(service, 337, third)).status, 201);
    service.clock.now += 2 * STALE_UPLOAD_MS;
    await service.startJobs();
    assert.partialDeepStrictEqual(await read(), { usedBytes: 11, owners: [{ usedBytes: 11 }] });
  });
});

test('uploads that replace files of another owner at once stay within the quota of that owner', async (t) => {
  const service = await startService(t, {
    flags: ['--app.access=keys', '--app.storage.quota-per-owner=1000'],
  });
  const ada = bearer(await addKey(service, 'ada', ['create']));
  const bob = bearer(await addKey(service, 'bob', ['create', 'manage']));
  const replace = async (): Promise<() => Promise<unknown>> => {
    const text = await sendJson(service, '/api/links', { text: 'x'.repeat(100) }, { headers: ada });
    const address = await beginUpload(service, 450, bob);
    await addBytes(service, address, { offset: 0, bytes: Buffer.alloc(450), headers: bob });
    const path = `/api/links/${member(json(text), 'shortCode')}/file`;
    const body = { uploadId: address.split('/').at(-1) };
    return async () => {
      const replaced = await sendJson(service, path, body, { method: 'PUT', headers: bob });
      return replaced.status === 200 ? 'replaced' : codeOf(replaced);
    };
  };
  const both = [await replace(), await replace()];
  const results = await Promise.all(both.map((send) => send()));
  assert.deepEqual(results.sort(), ['QUOTA_EXCEEDED', 'replaced']);
  const used = async (headers: Record<string, string>) =>
    member(json(await send(service, '/api/stats/storage/mine', { headers })), 'usedBytes');
  assert.deepEqual([await used(ada), await used(bob)], [650, 450]);

  await t.test('an upload that a link refuses takes the space of its sender again', async () => {
    const text = await sendJson(service, '/api/links', { text: 'x'.repeat(100) }, { headers: ada });
    const path = `/api/links/${member(json(text), 'shortCode')}/file`;
    const address = await beginUpload(service, 100, bob);
    await addBytes(service, address, { offset: 0, bytes: Buffer.alloc(100), headers: bob });
    const body = { uploadId: address.split('/').at(-1), encrypted: true };
    const refused = await sendJson(service, path, body, { method: 'PUT', headers: bob });
    assert.equal(codeOf(refused), 'NOT_ENCRYPTED', refused.text);
    assert.deepEqual([await used(ada), await used(bob)], [750, 550]);
  });
});
