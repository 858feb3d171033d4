import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { RequestError } from '../../src/http/errors.ts';
import { readBody } from '../../src/http/read-body.ts';

test('a body that has not arrived after its time fails with 408', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = request({ port, host: '127.0.0.1', method: 'POST' }).on('error', () => {});
  t.after(() => {
    client.destroy();
    server.close();
  });
  client.write('{');
  const [received] = (await once(server, 'request')) as [IncomingMessage];
  await assert.rejects(
    readBody(received, 100, { maxMs: 10 }),
    (error) => error instanceof RequestError && error.status === 408,
  );
});
