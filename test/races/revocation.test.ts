import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertAuditConsistent } from '../support/audit-consistency.ts';
import { send } from '../support/http-client.ts';
import { createLink, openLink } from '../support/links.ts';
import { startService } from '../support/service.ts';

describe('a revocation under parallel attempts', () => {
  test('denies every attempt after its response, and undoes none before', async (t) => {
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

  test('requested many times in parallel answers 204 each time, and counts one link', async (t) => {
    const service = await startService(t);
    const shortCode = await createLink(service);
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => send(service, `/l/${shortCode}`, { method: 'DELETE' })),
    );
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([204]));
    assert.equal(service.logged().filter(({ msg }) => msg === 'secure_link_revoked').length, 1);
    await assertAuditConsistent(service);
  });

  test('right after the creation leaves no link that opens', async (t) => {
    const service = await startService(t);
    const codes = await Promise.all(
      Array.from({ length: 60 }, async () => {
        const shortCode = await createLink(service);
        assert.equal((await send(service, `/l/${shortCode}`, { method: 'DELETE' })).status, 204);
        return shortCode;
      }),
    );
    assert.equal(new Set(codes).size, codes.length);
    const responses = await Promise.all(codes.map((shortCode) => openLink(service, shortCode)));
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([410]));
    await assertAuditConsistent(service);
  });
});
