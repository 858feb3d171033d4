import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { STALE_UPLOAD_MS } from '../../src/links/sweep-uploads.ts';
import { linkRows } from '../support/audit-consistency.ts';
import { beginUpload, incomingFiles } from '../support/begun-requests.ts';
import { json, type Server, send, until } from '../support/http-client.ts';
import { openLink, uploadFile } from '../support/links.ts';
import { startServiceProcess } from '../support/process.ts';
import { startService, temporaryDirectory, testClock } from '../support/service.ts';
import { readDatabase } from '../support/sqlite-harness.ts';

/** Tests what a kill leaves of uploads. `test/chaos/` kills a service under a mixed load. */
export function whenKilled(): void {
  describe('a service that is killed during uploads', () => {
    test('leaves no link to half a file, and nothing of such a file after a sweep', async (t) => {
      const directory = temporaryDirectory(t);
      const first = await startServiceProcess(t, directory);
      const whole = await uploadFile(first, 'whole');
      for (let uploads = 0; uploads < 4; uploads++) await beginUpload(t, first);
      first.signal('SIGKILL');
      await first.exited;
      assert.equal(incomingFiles(first).length, 4);

      const second = await startServiceProcess(t, directory);
      assert.deepEqual(
        linkRows(second.databasePath).map(({ shortCode }) => shortCode),
        [whole],
      );
      second.signal('SIGTERM');
      await second.exited;

      const clock = testClock(Date.now() + STALE_UPLOAD_MS + 60_000);
      const later = await startService(t, { directory, clock });
      await later.startJobs();
      assert.equal((await openLink(later, whole)).text, 'whole');
      await later.stop(); // waits for the running jobs
      assert.equal(later.storedFiles().length, 1);
      assert.equal(
        readDatabase(later.databasePath, (db) => db.prepare('SELECT * FROM upload').all()).length,
        0,
      );
    });
  });

  describe('a service that is killed between a commit and its response', () => {
    test('creates each link of a repeated request once', async (t) => {
      const directory = temporaryDirectory(t);
      const first = await startServiceProcess(t, directory);
      // The passwords delay the response long after the first links are committed.
      const items = Array.from({ length: 150 }, (_, index) => ({
        targetUrl: `https://example.com/${index}`,
        ...(index >= 120 && { password: 'open sesame' }),
      }));
      const sendTo = (service: Server) =>
        send(service, '/api/links/bulk', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': 'campaign' },
          body: JSON.stringify({ items }),
        });
      const unanswered = assert.rejects(sendTo(first));
      await until(() => linkRows(first.databasePath).length > 0);
      first.signal('SIGKILL');
      await unanswered;
      await first.exited;
      const committed = linkRows(first.databasePath).map(({ shortCode }) => shortCode);
      assert.ok(committed.length > 0 && committed.length < items.length, `${committed.length} committed`);

      const second = await startServiceProcess(t, directory);
      const { results } = json(await sendTo(second)) as { results: { link?: { shortCode: string } }[] };
      const created = results.map(({ link }) => link?.shortCode ?? '');
      assert.equal(new Set(created).size, items.length);
      assert.deepEqual(
        committed.filter((shortCode) => !created.includes(shortCode)),
        [],
      );
      assert.equal(linkRows(second.databasePath).length, items.length);
    });
  });
}
