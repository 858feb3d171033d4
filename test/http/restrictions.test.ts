import assert from 'node:assert/strict';
import { rmSync, truncateSync, writeFileSync } from 'node:fs';
import test from 'node:test';
import { assertErrorRecord, send } from '../support/http-client.ts';
import {
  auditedResults,
  createLink,
  linkState,
  openLink,
  revokeLink,
  storedFileOf,
  uploadFile,
} from '../support/links.ts';
import { startService } from '../support/service.ts';

const EXPIRES_AT = '2026-06-15T14:00:00+02:00';
const START = Date.parse('2026-06-15T11:00:00Z');

test('the background job marks expired links', async (t) => {
  const service = await startService(t);
  const due = await createLink(service, { expiresAt: '2026-06-15T12:00:01Z' });
  const atNow = await createLink(service, { expiresAt: '2026-06-15T12:00:02Z' });
  service.clock.now += 2_000;
  await service.startJobs();
  assert.equal(linkState(service, due).status, 'EXPIRED');
  assert.equal(linkState(service, atNow).status, 'ACTIVE');
  assert.deepEqual(auditedResults(service, due), [], 'the job makes no attempt');
  service.clock.now += 1;
  assert.equal((await openLink(service, due)).status, 410);
  assert.deepEqual(auditedResults(service, due), ['EXPIRED']);
});

test('the first failing check is returned and audited, and spends no view', async (t) => {
  const service = await startService(t);
  const password = 'right';
  const spent = { password, maxViews: '1' };
  const expiring = { ...spent, expiresAt: EXPIRES_AT };
  // Each link fails the later checks as well.
  const checks: [result: string, status: number, message: string, fields: typeof spent, sent: string][] = [
    ['REVOKED', 410, 'Link has been revoked', expiring, 'wrong'],
    ['PASSWORD_REQUIRED', 401, 'Password required', expiring, ''],
    ['INVALID_PASSWORD', 401, 'Invalid password', expiring, 'wrong'],
    ['EXPIRED', 410, 'Link has expired', expiring, password],
    ['VIEW_LIMIT_REACHED', 410, 'Link has reached its view limit', spent, password],
    ['NOT_FOUND', 404, 'File not found', { password, maxViews: '2' }, password],
  ];
  for (const [result, status, message, fields, sent] of checks) {
    await t.test(result, async () => {
      service.clock.now = START;
      const shortCode = await uploadFile(service, 'content', { fields });
      const open = (header: string) => openLink(service, shortCode, { 'x-link-password': header });
      assert.equal((await open(password)).text, 'content');
      if (result === 'REVOKED') await revokeLink(service, shortCode);
      rmSync(storedFileOf(service, shortCode));
      service.clock.now = Date.parse(EXPIRES_AT) + 1;
      assertErrorRecord(await open(sent), { status, message, path: `/l/${shortCode}` });
      assert.deepEqual(auditedResults(service, shortCode), ['SUCCESS', result]);
      assert.equal(linkState(service, shortCode).viewCount, 1);
    });
  }
});

test('a missing or damaged file is 404 and spends no view', async (t) => {
  const service = await startService(t);
  const damages: [name: string, damage: (path: string) => void][] = [
    ['removed', (path) => rmSync(path)],
    ['cut short', (path) => truncateSync(path, 3)],
  ];
  for (const [name, damage] of damages) {
    await t.test(name, async () => {
      const shortCode = await uploadFile(service, 'content', { fields: { maxViews: '1' } });
      damage(storedFileOf(service, shortCode));
      const response = await openLink(service, shortCode);
      assertErrorRecord(response, { status: 404, message: 'File not found', path: `/l/${shortCode}` });
      assert.deepEqual(linkState(service, shortCode), { status: 'ACTIVE', viewCount: 0 });
      assert.deepEqual(auditedResults(service, shortCode), ['NOT_FOUND']);
    });
  }

  await t.test('a restored file can be opened', async () => {
    const shortCode = await uploadFile(service, 'content', { fields: { maxViews: '1' } });
    const path = storedFileOf(service, shortCode);
    rmSync(path);
    assert.equal((await openLink(service, shortCode)).status, 404);
    writeFileSync(path, 'content');
    assert.equal((await openLink(service, shortCode)).text, 'content');
  });
});

test('an inactive link that no other check denies is 410 UNEXPECTED_STATE', async (t) => {
  const service = await startService(t);
  const shortCode = await createLink(service, { expiresAt: EXPIRES_AT.replace('14', '18') });
  const path = `/l/${shortCode}`;
  service.clock.now += 24 * 3_600_000;
  await service.startJobs();
  service.clock.now -= 24 * 3_600_000; // the clock was wrong and is corrected
  assertErrorRecord(await openLink(service, shortCode), { status: 410, message: 'Link is not active', path });
  assert.deepEqual(auditedResults(service, shortCode), ['UNEXPECTED_STATE']);
  assert.deepEqual(linkState(service, shortCode), { status: 'EXPIRED', viewCount: 0 });
  assert.equal((await send(service, path, { method: 'DELETE' })).status, 204);
});
