import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { WITHOUT_OPENSSL } from '../support/certificates.ts';
import { readProjectFile } from '../support/documents.ts';
import { json, openSocket, type Server, send, until } from '../support/http-client.ts';
import { createLink, uploadFile } from '../support/links.ts';
import { startProgram } from '../support/process.ts';
import {
  COMPOSED_HAPROXY,
  REVERSE_PROXIES,
  startReverseProxy,
  withoutProxy,
} from '../support/reverse-proxies.ts';
import { startService, temporaryDirectory } from '../support/service.ts';

const KEY = 'initial-'.repeat(5);
const FILE_BYTES = 45 * 1024 ** 2;
const TAKEN_BYTES = 2 * 1024 ** 2;
/** While it serves so many other requests, a proxy that buffers takes more of a response. */
const REQUESTS_MEANWHILE = 50;

for (const proxy of REVERSE_PROXIES) {
  test(`${proxy.file} passes the check of ${proxy.program}`, {
    skip: withoutProxy(proxy) || WITHOUT_OPENSSL,
  }, (t) => {
    const [program = '', ...args] = proxy.check(temporaryDirectory(t));
    const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
    assert.equal(status, 0, stdout + stderr);
    const documented = readProjectFile('docs/operations/reverse-proxy.md');
    assert.ok(documented.includes(`| \`${proxy.file}\` |`), 'the file is documented');
  });
}

test('a proxy', async (t) => {
  const service = await startService(t, { flags: [`--app.access.initial-key=${KEY}`] });
  await service.startJobs(); // HAProxy checks the readiness
  const file = await uploadFile(service, Buffer.alloc(FILE_BYTES));
  const link = await createLink(service);

  /** Downloads a part of the file, stops reading until the service cannot send more, and leaves. */
  async function downloadPart(proxy: Server): Promise<void> {
    const connections: Socket[] = [];
    service.app.server.on('connection', (socket) => connections.push(socket));
    const countSentBytes = () =>
      Math.max(...connections.map(({ bytesWritten, writableLength }) => bytesWritten - writableLength));
    const client = await openSocket(proxy);
    client.write(`GET /l/${file} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: 203.0.113.7\r\n\r\n`);
    while (client.bytesRead < TAKEN_BYTES) {
      await once(client, 'readable');
      client.read();
    }
    for (let [sentBytes, unchanged] = [0, 0]; unchanged < REQUESTS_MEANWHILE; unchanged++) {
      assert.equal((await send(proxy, `/l/${link}`)).status, 302);
      if (countSentBytes() > sentBytes) unchanged = 0;
      sentBytes = countSentBytes();
    }
    client.resetAndDestroy();
  }

  /** Returns the newest attempt on the file once its download has ended. */
  async function readEnd(): Promise<Record<'ipAddress' | 'isSentCompletely' | 'bytesSent', unknown>> {
    const headers = { authorization: `Bearer ${KEY}` };
    const read = async () =>
      Object(json(await send(service, `/api/links/${file}/history?limit=1`, { headers }))).items[0];
    await until(async () => (await read()).downloads.length > 0);
    const { ipAddress, downloads } = await read();
    return { ...downloads[0], ipAddress };
  }

  for (const proxy of [...REVERSE_PROXIES, COMPOSED_HAPROXY]) {
    await t.test(proxy.file, { skip: withoutProxy(proxy) }, async (t) => {
      const running = await startReverseProxy(t, proxy, service);

      await t.test('a proxy lets visitors open links and nothing else', async () => {
        const paths = [`DELETE /l/${link}`, 'GET /', 'GET /api/stats/links', 'POST /api/links'];
        for (const line of paths) {
          const [method = '', path = ''] = line.split(' ');
          assert.match(String((await send(running, path, { method })).status), /^40[34]$/, line);
        }
      });

      await t.test(
        'a proxy passes a download on at the pace of its client, and the address of that',
        async (t) => {
          await downloadPart(running);
          const { ipAddress, isSentCompletely, bytesSent } = await readEnd();
          t.diagnostic(`sent ${bytesSent} bytes of ${FILE_BYTES}`);
          assert.equal(isSentCompletely, false);
          assert.ok(Number(bytesSent) < FILE_BYTES);
          assert.equal(ipAddress, '127.0.0.1', 'the proxy replaces the forged address');
        },
      );

      await t.test(
        'the doctor reaches the service through a proxy, which replaces a forged address',
        async (t) => {
          const { databasePath, storagePath } = service;
          const { code, stdout } = await startProgram(t, [
            ...['cli/main.ts', 'doctor', `--app.base-url=${running.url}`],
            ...[`--server.host=127.0.0.1`, `--server.port=${new URL(service.url).port}`],
            ...[`--app.database.url=sqlite:${databasePath}`, `--app.storage.path=${storagePath}`],
          ]).exited;
          assert.equal(code, 0, stdout);
          assert.match(
            stdout,
            /^ok {7}service: app\.base-url leads here, and the service sees the client as 127\.0\.0\.1/m,
          );
        },
      );

      await t.test('a proxy passes the longest Location on', async () => {
        const targetUrl = `https://example.com/${'日'.repeat(900)}`;
        const code = await createLink(service, { targetUrl, forwardQuery: true, maxViews: 1 });
        const room = 8_192 - new URL(targetUrl).href.length - '?q='.length;
        const { status, headers } = await send(running, `/l/${code}?q=${'x'.repeat(room)}`);
        assert.deepEqual([status, headers.location?.length], [302, 8_192]);
      });

      await t.test('a proxy passes on what visitors send', async () => {
        for (const method of ['HEAD', 'POST', 'PATCH']) {
          const { headers } = await send(running, `/l/${link}`, { method });
          assert.ok(headers['x-correlation-id'], method);
        }
      });
    });
  }
});
