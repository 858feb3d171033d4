import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Cleanup } from './cleanup.ts';

/** The length and the version of the protocol, before the parameters. */
const HEADER_BYTES = 8;

/**
 * Starts a proxy to the PostgreSQL server of `url` that drops parameters from the first packet of each connection, as a
 * pooler does. Returns that URL with its port.
 */
export async function startStartupProxy(
  t: Cleanup,
  url: string,
  dropped: readonly string[],
): Promise<string> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname);
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on('error', () => {});
    }
    client.once('data', (packet) => {
      database.write(dropParameters(packet as Buffer, dropped));
      client.pipe(database);
    });
    database.pipe(client);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const proxied = new URL(url);
  proxied.port = String((server.address() as AddressInfo).port);
  return proxied.href.replaceAll('+', '%20');
}

function dropParameters(packet: Buffer, dropped: readonly string[]): Buffer {
  const words = packet.toString('utf8', HEADER_BYTES).split('\0').slice(0, -2);
  const kept = words.filter((_, index) => !dropped.includes(words[index - (index % 2)] ?? ''));
  const body = Buffer.from(`${kept.join('\0')}\0\0`);
  const header = Buffer.from(packet.subarray(0, HEADER_BYTES));
  header.writeInt32BE(HEADER_BYTES + body.length);
  return Buffer.concat([header, body]);
}
