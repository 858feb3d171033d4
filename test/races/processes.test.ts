import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertAuditConsistent } from '../support/audit-consistency.ts';
import { send, type TestResponse } from '../support/http-client.ts';
import { createLink, openLink, uploadFile } from '../support/links.ts';
import { startServiceProcess } from '../support/process.ts';
import { temporaryDirectory } from '../support/service.ts';

const ATTEMPTS = 200;
/** Fewer, because each needs a hash. */
const PROTECTED_ATTEMPTS = 40;
const PASSWORD = 'open sesame';

describe('two processes of the service on one database', () => {
  test('two that start together without a database create one, and keep a limit', async (t) => {
    const directory = temporaryDirectory(t);
    const [one, other] = await Promise.all([
      startServiceProcess(t, directory),
      startServiceProcess(t, directory),
    ]);
    const serviceOf = (index: number) => (index % 2 === 0 ? one : other);
    let attempts = 0;

    /** Makes attempts on both processes in parallel; returns the granted responses. */
    async function race(shortCode: string, count = ATTEMPTS, headers = {}): Promise<TestResponse[]> {
      attempts += count;
      const responses = await Promise.all(
        Array.from({ length: count }, (_, index) => openLink(serviceOf(index), shortCode, headers)),
      );
      for (const { status, text } of responses)
        assert.ok([200, 302, 410].includes(status), `${status} ${text}`);
      return responses.filter(({ status }) => status < 400);
    }

    await t.test('a redirect keeps its limit', async () => {
      for (const maxViews of [1, 5]) {
        // Each process finds the links that the other has created.
        const shortCode = await createLink(serviceOf(maxViews), { maxViews });
        assert.equal((await race(shortCode)).length, maxViews);
      }
    });

    await t.test('a protected link keeps its limit', async () => {
      const shortCode = await createLink(one, { maxViews: 2, password: PASSWORD });
      const granted = await race(shortCode, PROTECTED_ATTEMPTS, { 'x-link-password': PASSWORD });
      assert.equal(granted.length, 2);
    });

    await t.test('a file keeps its limit', async () => {
      const shortCode = await uploadFile(other, 'content', { fields: { maxViews: '5' } });
      const granted = await race(shortCode);
      assert.equal(granted.length, 5);
      for (const { text } of granted) assert.equal(text, 'content');
    });

    await t.test('a revocation by one process holds for the other', async () => {
      const shortCode = await createLink(one);
      assert.equal((await openLink(other, shortCode)).status, 302);
      assert.equal((await send(one, `/l/${shortCode}`, { method: 'DELETE' })).status, 204);
      assert.equal((await openLink(other, shortCode)).status, 410);
      attempts += 2;
    });

    for (const service of [one, other]) {
      const audit = await assertAuditConsistent(service);
      assert.equal(audit.length, attempts, 'one record for each attempt');
    }
  });
});
