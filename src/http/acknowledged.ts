import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';

/** Linux shows the connections of the process's network here. Node has no other way to ask for their state. */
const TABLES = ['/proc/self/net/tcp', '/proc/self/net/tcp6'];
/** The columns of a table: its own number, the addresses `<hex>:<hex port>` of both sides, the state, and others. */
const ROW = /^ *\d+: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]+:([0-9A-F]{4}) ([0-9A-F]{2})/gm;
/** The service has half-closed the connection, and the client's system has acknowledged that. */
const FIN_WAIT_2 = '05';

/**
 * Returns the half-closed connections whose last byte has reached the client's system: nothing that happens to the
 * service can take it away. Returns none where the system does not say.
 */
export async function findAcknowledged(sockets: readonly Socket[]): Promise<readonly Socket[]> {
  const tables = await Promise.all(TABLES.map((table) => readFile(table, 'latin1').catch(() => '')));
  const states = new Map<string, string[]>();
  for (const [, local = '', remote = '', state = ''] of tables.join('\n').matchAll(ROW)) {
    const ports = `${Number.parseInt(local, 16)} ${Number.parseInt(remote, 16)}`;
    states.set(ports, [...(states.get(ports) ?? []), state]);
  }
  // Clients with the same port cannot be distinguished: then all of them must have acknowledged everything.
  return sockets.filter(({ localPort, remotePort }) =>
    states.get(`${localPort} ${remotePort}`)?.every((state) => state === FIN_WAIT_2),
  );
}
