import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import type { Cleanup } from './cleanup.ts';

/** Starts a proxy that breaks each connection after so many bytes of its responses. Returns its URL. */
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
    client.pipe(service);
    service.on('data', (bytes: Buffer) => {
      restBytes -= bytes.length;
      if (!client.write(bytes.subarray(0, Math.max(0, bytes.length + Math.min(0, restBytes))))) {
        service.pause();
        client.once('drain', () => service.resume());
      }
      if (restBytes <= 0) client.end(close);
    });
  });
  t.after(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
