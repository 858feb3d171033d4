import assert from 'node:assert/strict';
import test from 'node:test';
import { assertErrorRecord, send } from '../support/http-client.ts';
import { countRows, createLink, linkState, readRows } from '../support/links.ts';
import { startService, type TestService } from '../support/service.ts';

const revoke = (
  service: TestService,
  shortCode: string,
  headers: Record<string, string> = {},
  body?: string,
) => send(service, `/l/${shortCode}`, { method: 'DELETE', headers, ...(body !== undefined && { body }) });

test('DELETE /l/{shortCode}', async (t) => {
  const service = await startService(t);

  await t.test('a revocation answers 204 without a body', async () => {
    const shortCode = await createLink(service);
    const response = await revoke(service, shortCode);
    assert.equal(response.status, 204);
    assert.equal(response.text, '');
    assert.equal(response.headers['content-type'], undefined);
    assert.equal(response.headers['content-length'], undefined);
    assert.equal(linkState(service, shortCode).status, 'REVOKED');
    assert.equal(countRows(service, 'audit'), 0, 'a revocation is not an attempt');
  });

  await t.test('DELETE /api/links/{shortCode} revokes the same link', async () => {
    const shortCode = await createLink(service);
    const path = `/api/links/${shortCode}`;
    for (const status of [204, 204]) {
      const response = await send(service, path, { method: 'DELETE', body: '{"not json' });
      assert.deepEqual([response.status, response.text], [status, '']);
    }
    assert.equal(linkState(service, shortCode).status, 'REVOKED');
    const unknown = await send(service, '/api/links/unknown1', { method: 'DELETE' });
    assertErrorRecord(unknown, { status: 404, message: 'Link not found', path: '/api/links/unknown1' });
  });

  await t.test('a revocation is recorded once, with the address of its client', async () => {
    const shortCode = await createLink(service);
    for (const address of ['203.0.113.7', '203.0.113.8']) {
      await revoke(service, shortCode, { 'x-forwarded-for': address });
    }
    const rows = readRows(
      service,
      `SELECT author_kind, ip_address FROM entry WHERE short_code = ? AND kind = 'REVOKED'`,
      [shortCode],
    );
    assert.deepEqual(rows.map(Object.values), [['ANONYMOUS', '203.0.113.7']]);
  });

  await t.test('a body of any type is ignored', async () => {
    for (const type of [
      'application/json',
      'multipart/form-data; boundary=x',
      'application/x-unknown',
      '/',
      '',
    ]) {
      const shortCode = await createLink(service);
      const headers = { 'content-type': type };
      assert.equal((await revoke(service, shortCode, headers, '{"not json')).status, 204, type);
    }
  });
  await t.test('an unknown short code answers 404', async () => {
    const shortCode = await createLink(service);
    const audited = countRows(service, 'audit');
    const others = ['unknown1', '', 'a/b/c', `${shortCode}/`, `%20${shortCode}`, '%ZZ', 'x'.repeat(5000)];
    for (const text of others) {
      const unknown = { status: 404, message: 'Link not found', path: `/l/${text}` };
      assertErrorRecord(await revoke(service, text), unknown);
    }
    assert.equal(linkState(service, shortCode).status, 'ACTIVE');
    assert.equal(countRows(service, 'audit'), audited);
  });
});
