import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAuditConsistent } from '../support/audit-consistency.ts';
import { json, send, sendJson } from '../support/http-client.ts';
import { openLink, shortCodeOf, TARGET } from '../support/links.ts';
import { startService } from '../support/service.ts';

const NEW_TARGET = 'https://example.org/new';

test('after the response to a change no attempt opens by the old terms, and none before is undone', async (t) => {
  const service = await startService(t);
  const created = await sendJson(service, '/api/links', { targetUrl: TARGET, maxViews: 60 });
  const [shortCode, token] = [shortCodeOf(created), String(created.headers['x-link-token'])];
  const open = (count: number, headers: Record<string, string> = {}) =>
    Array.from({ length: count }, () => openLink(service, shortCode, headers));
  const change = async (members: object) => {
    const response = await send(service, `/api/links/${shortCode}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', 'x-link-token': token },
      body: JSON.stringify(members),
    });
    assert.equal(response.status, 200, response.text);
    return json(response) as { maxViews: number; viewCount: number };
  };

  const before = open(8);
  const lowered = change({ maxViews: 24, targetUrl: NEW_TARGET });
  const meanwhile = open(64);
  const { maxViews } = await lowered;
  const late = await Promise.all(open(64));
  const raced = await Promise.all([...before, ...meanwhile]);
  const granted = [...raced, ...late].filter(({ status }) => status === 302);
  assert.equal(granted.length, maxViews);
  for (const { status, headers } of late)
    assert.ok(status === 410 || headers.location === NEW_TARGET, String(headers.location));

  await change({ maxViews: 1_000, password: 'secret-password' });
  for (const { status } of await Promise.all(open(32))) assert.equal(status, 401);
  await change({ password: 'another-password' });
  const [byOld, byNew] = await Promise.all([
    ...open(1, { 'x-link-password': 'secret-password' }),
    ...open(1, { 'x-link-password': 'another-password' }),
  ]);
  assert.deepEqual([byOld?.status, byNew?.status], [401, 302]);
  assert.equal((await assertAuditConsistent(service)).length, 8 + 64 + 64 + 32 + 2);
});
