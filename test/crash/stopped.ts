import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { linkRows } from '../support/books.ts';
import { openSocket, type Server, until } from '../support/http-client.ts';
import { createLink, openLink, uploadFile } from '../support/links.ts';
import { startLoad } from '../support/load.ts';
import { END_OF_FORM, encodePart, file, MULTIPART_HEADERS } from '../support/multipart.ts';
import { logLines, type ServiceProcess, startServiceProcess } from '../support/process.ts';
import { temporaryDirectory } from '../support/service.ts';
import { readAudit } from '../support/sqlite-harness.ts';

const PASSWORD = 'open sesame';
const PROTECTED_ATTEMPTS = 12;
const STOPS_WITHIN_MS = 10_000;

/** What a stop in good order does with what is in flight. */
export function whenStopped(): void {
  describe('a service that is told to stop under load', { concurrency: true }, () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      test(`by ${signal} answers all that is in flight, and ends with exit code 0`, async (t) => {
        const service = await startServiceProcess(t, temporaryDirectory(t));
        const [open, guarded] = [
          await createLink(service),
          await createLink(service, { password: PASSWORD }),
        ];
        const load = startLoad(service, 16, () => ({ shortCode: open }));
        await load.hasAnswers(300);
        const upload = await beginUpload(service);
        const readiness = await beginRequest(service, '/actuator/health/readiness');
        const attempts = Promise.all(
          Array.from({ length: PROTECTED_ATTEMPTS }, () =>
            openLink(service, guarded, { 'x-link-password': PASSWORD }),
          ),
        );
        await service.says(({ stdout }) => attemptsOn(guarded, stdout) === PROTECTED_ATTEMPTS);

        const stoppedAt = performance.now();
        service.signal(signal);
        await service.says(({ stdout }) => stdout.includes('"service_stopping"'));
        const ready = await readiness.finish();
        assert.match(ready, /^HTTP\/1\.1 503 /);
        assert.match(ready, /"status":"OUT_OF_SERVICE"/);
        const uploaded = await upload.finish();
        assert.match(uploaded, /^HTTP\/1\.1 201 /);
        for (const { status, text } of await attempts) assert.equal(status, 302, text);
        const exit = await service.exited;
        assert.deepEqual({ code: exit.code, signal: exit.signal }, { code: 0, signal: null });
        assert.ok(performance.now() - stoppedAt < STOPS_WITHIN_MS);

        assert.equal(logLines(exit.stdout).at(-1)?.['msg'], 'service_stopped');
        assert.doesNotMatch(exit.stdout, /unexpected_error/);
        const shortCode = /"shortCode":"(\w{8})"/.exec(uploaded)?.[1];
        assert.ok(linkRows(service.databasePath).some((link) => link.shortCode === shortCode));
        await load.ended;
        // What the service had not begun to read when it hung up is not in its records either.
        const recorded = Map.groupBy(readAudit(service.databasePath), ({ userAgent }) => userAgent);
        for (const { agent, answer } of load.sent) {
          assert.equal(recorded.get(agent)?.length ?? 0, answer ? 1 : 0, agent);
          if (answer) assert.equal(answer.status, 302);
        }
      });
    }

    test('waits for no client that reads nothing any more', async (t) => {
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

/** A request of which the service has read a part. `finish` sends the rest and gives the answer. */
type Begun = { finish(): Promise<string> };

/** A GET without the end of its headers, right behind a whole one, whose answer shows that both were read. */
async function beginRequest(service: Server, path: string): Promise<Begun> {
  const socket = await openSocket(service);
  const begun = `GET ${path} HTTP/1.1\r\nhost: test\r\n`;
  socket.write(`${begun}\r\n${begun}`);
  const answer = nextAnswer(socket);
  assert.match(await answer, /^HTTP\/1\.1 200 /);
  return {
    finish() {
      const answer = nextAnswer(socket);
      socket.write('connection: close\r\n\r\n');
      return answer;
    },
  };
}

/** An upload of which the service has begun to write the file. */
async function beginUpload(service: ServiceProcess): Promise<Begun> {
  const socket = await openSocket(service);
  const body = Buffer.concat([encodePart(file(Buffer.alloc(200_000, 'upload'))), Buffer.from(END_OF_FORM)]);
  const half = body.length / 2;
  const headers = { host: 'test', ...MULTIPART_HEADERS, 'content-length': body.length };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST /api/links/upload HTTP/1.1\r\n${lines.join('')}\r\n`);
  socket.write(body.subarray(0, half));
  await until(() => readdirSync(service.storagePath).includes('incoming'));
  await until(() => readdirSync(join(service.storagePath, 'incoming')).length > 0);
  return {
    async finish() {
      const answer = nextAnswer(socket);
      socket.write(body.subarray(half));
      await answer;
      socket.end(); // as a client does that has nothing more to ask
      return answer;
    },
  };
}

/** The next answer on a connection, which has a body of the length that it tells. */
function nextAnswer(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const done = (settle: () => void): void => {
      socket.off('data', read).off('error', reject).off('close', broken);
      settle();
    };
    const broken = (): void => done(() => reject(new Error(`the connection broke after: ${said}`)));
    const read = (bytes: Buffer): void => {
      said += bytes.toString('latin1');
      const endOfHead = said.indexOf('\r\n\r\n');
      const length = /content-length: (\d+)/i.exec(said)?.[1];
      if (endOfHead >= 0 && said.length >= endOfHead + 4 + Number(length)) done(() => resolve(said));
    };
    socket.on('data', read).once('error', reject).once('close', broken);
  });
}
