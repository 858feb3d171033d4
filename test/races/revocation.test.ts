import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAuditConsistent } from '../support/audit-consistency.ts';
import { send } from '../support/http-client.ts';
import { createLink, openLink } from '../support/links.ts';
import { startService } from '../support/service.ts';

test('a revocation denies every attempt after its response, and undoes none before', async (t) => {
  const service = await startService(t);
  const lives = Array.from({ length: 15 }, async () => {
    const shortCode = await createLink(service);
    const open = (count: number) => Array.from({ length: count }, () => openLink(service, shortCode));
    const before = open(6);
    const revoked = send(service, `/l/${shortCode}`, { method: 'DELETE' });
    const meanwhile = open(6);
    assert.equal((await revoked).status, 204);
    const after = await Promise.all(open(3));
    for (const { status, text } of after) {
      assert.equal(status, 410);
      assert.match(text, /"message":"Link has been revoked"/);
    }
    const raced = await Promise.all([...before, ...meanwhile]);
    for (const { status, text } of raced) assert.ok(status === 302 || status === 410, text);
    return { shortCode, passed: raced.filter(({ status }) => status === 302).length };
  });
  const ended = await Promise.all(lives);
  const audit = await assertAuditConsistent(service);
  assert.equal(audit.length, ended.length * 15);
  for (const { shortCode, passed } of ended) {
    const ofLink = audit.filter((record) => record.shortCode === shortCode);
    assert.equal(ofLink.filter(({ result }) => result === 'SUCCESS').length, passed);
  }
});
