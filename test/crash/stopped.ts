import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { linkRows } from '../support/audit-consistency.ts';
import { beginGet, beginUpload } from '../support/begun-requests.ts';
import { openSocket } from '../support/http-client.ts';
import { createLink, openLink, uploadFile } from '../support/links.ts';
import { startLoad } from '../support/load.ts';
import { logLines, startServiceProcess } from '../support/process.ts';
import { temporaryDirectory } from '../support/service.ts';
import { readAudit } from '../support/sqlite-harness.ts';

const PASSWORD = 'open sesame';
const PROTECTED_ATTEMPTS = 12;
const STOPS_WITHIN_MS = 10_000;
/** The service waits this long only for a client that does not read its response: idle connections are closed. */
const CUTS_OFF_AFTER_MS = 9_000;

/** Tests what a stop does with requests in flight. */
export function whenStopped(): void {
  describe('a service that is stopped under load', { concurrency: true }, () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      test(`by ${signal} completes all requests in flight, and ends with exit code 0`, async (t) => {
        const service = await startServiceProcess(t, temporaryDirectory(t));
        const [open, guarded] = [
          await createLink(service),
          await createLink(service, { password: PASSWORD }),
        ];
        const load = startLoad(service, 16, () => ({ shortCode: open }));
        await load.waitForResponses(300);
        const upload = await beginUpload(t, service);
        const readiness = await beginGet(t, service, '/actuator/health/readiness');
        const attempts = Promise.all(
          Array.from({ length: PROTECTED_ATTEMPTS }, () =>
            openLink(service, guarded, { 'x-link-password': PASSWORD }),
          ),
        );
        await service.waitForOutput(({ stdout }) => attemptsOn(guarded, stdout) === PROTECTED_ATTEMPTS);

        const stoppedAt = performance.now();
        service.signal(signal);
        await service.waitForOutput(({ stdout }) => stdout.includes('"service_stopping"'));
        const ready = await readiness.finish();
        assert.match(ready, /^HTTP\/1\.1 503 /);
        assert.match(ready, /"status":"OUT_OF_SERVICE"/);
        const uploaded = await upload.finish();
        assert.match(uploaded, /^HTTP\/1\.1 201 /);
        for (const { status, text } of await attempts) assert.equal(status, 302, text);
        const exit = await service.exited;
        assert.deepEqual({ code: exit.code, signal: exit.signal }, { code: 0, signal: null });
        assert.ok(performance.now() - stoppedAt < CUTS_OFF_AFTER_MS);

        assert.equal(logLines(exit.stdout).at(-1)?.['msg'], 'service_stopped');
        assert.doesNotMatch(exit.stdout, /unexpected_error/);
        const shortCode = /"shortCode":"(\w{8})"/.exec(uploaded)?.[1];
        assert.ok(linkRows(service.databasePath).some((link) => link.shortCode === shortCode));
        await load.ended;
        // Requests that the service had not begun to read are not in its records either.
        const recorded = Map.groupBy(readAudit(service.databasePath), ({ userAgent }) => userAgent);
        for (const { agent, response } of load.sent) {
          assert.equal(recorded.get(agent)?.length ?? 0, response ? 1 : 0, agent);
          if (response) assert.equal(response.status, 302);
        }
      });
    }

    test('does not wait for a client that has stopped reading', async (t) => {
      const service = await startServiceProcess(t, temporaryDirectory(t));
      const shortCode = await uploadFile(service, Buffer.alloc(40 * 1024 ** 2));
      const socket = await openSocket(service);
      t.after(() => socket.destroy());
      socket.on('error', () => {}); // it is cut off
      socket.write(`GET /l/${shortCode} HTTP/1.1\r\nhost: test\r\n\r\n`);
      await once(socket, 'readable');
      const stoppedAt = performance.now();
      service.signal('SIGTERM');
      assert.equal((await service.exited).code, 0);
      assert.ok(performance.now() - stoppedAt < STOPS_WITHIN_MS);
      assert.deepEqual(
        readAudit(service.databasePath).map(({ result }) => result),
        ['SUCCESS'],
      );
    });
  });
}

function attemptsOn(shortCode: string, stdout: string): number {
  const isAttempt = (line: Record<string, unknown>) =>
    line['msg'] === 'secure_link_resolve_attempt' && line['shortCode'] === shortCode;
  return logLines(stdout).filter(isAttempt).length;
}
