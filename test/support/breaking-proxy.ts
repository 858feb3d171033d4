import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Cleanup } from './cleanup.ts';

/** Starts a proxy that breaks each connection after so many bytes, of both directions together. Returns its URL. */
export async function startBreakingProxy(t: Cleanup, url: string, maxBytes: number): Promise<string> {
  const { port, hostname } = new URL(url);
  const server = createServer((client) => {
    const service = connect(Number(port), hostname);
    let restBytes = maxBytes;
    const close = (): void => {
      client.destroy();
      service.destroy();
    };
    for (const socket of [client, service]) socket.on('error', close).on('close', close);
    const pass = (from: Socket, to: Socket): void => {
      from.on('data', (bytes: Buffer) => {
        restBytes -= bytes.length;
        if (!to.write(bytes.subarray(0, Math.max(0, bytes.length + Math.min(0, restBytes))))) {
          from.pause();
          to.once('drain', () => from.resume());
        }
        if (restBytes <= 0) to.end(close);
      });
      from.on('end', () => to.end());
    };
    pass(client, service);
    pass(service, client);
  });
  t.after(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
