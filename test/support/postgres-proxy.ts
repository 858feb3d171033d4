import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Cleanup } from './cleanup.ts';

/**
 * When a COMMIT breaks its connection: before the database receives it; after it is executed and before its response
 * arrives; or so that it reaches the database only when the next transaction begins. `silent`: it is executed, nothing
 * arrives any more, and the connection stays open.
 */
export type Break = 'before' | 'after' | 'late' | 'silent';

export type BreakingProxy = {
  port: number;
  breakNext(...where: Break[]): void;
  /** Breaks every open connection. */
  breakAll(): void;
  /** Breaks every open connection and refuses others, until the returned function is called. */
  refuse(): () => Promise<void>;
  /** Passes nothing on any more, as a frozen database would. Connections stay open. */
  freeze(): void;
  broken(): number;
};

/** Starts a proxy to a PostgreSQL server that breaks connections where a test wants it. */
export async function startProxy(t: Cleanup, target: { host: string; port: number }): Promise<BreakingProxy> {
  const sockets = new Set<Socket>();
  const wanted: Break[] = [];
  let brokenCount = 0;
  let sendLate: (() => void) | undefined;
  let isFrozen = false;

  const server = createServer((client) => {
    const database = connect(target.port, target.host);
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
    }
    let breaksAfter: 'after' | 'silent' | undefined;
    client.on('data', (bytes: Buffer) => {
      if (isFrozen) return;
      if (sendLate && bytes.includes('BEGIN ')) {
        sendLate();
        sendLate = undefined;
      }
      const where = bytes.includes('COMMIT\0') ? wanted.shift() : undefined;
      if (where === undefined) {
        database.write(bytes);
        return;
      }
      brokenCount += 1;
      if (where === 'after' || where === 'silent') {
        breaksAfter = where;
        database.write(bytes);
      } else {
        if (where === 'late') sendLate = () => database.write(bytes);
        else database.destroy();
        client.destroy();
      }
    });
    database.on('data', (bytes: Buffer) => {
      if (isFrozen) return;
      if (breaksAfter === undefined) client.write(bytes);
      else if (breaksAfter === 'after' && bytes.includes('COMMIT\0')) client.destroy();
    });
    client.on('end', () => database.end());
    database.on('end', () => client.end());
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const close = (): void => {
    server.close();
    breakAll();
  };
  t.after(close);
  return {
    port,
    breakNext(...where) {
      wanted.push(...where);
    },
    breakAll,
    refuse() {
      close();
      return () => listen(port);
    },
    freeze() {
      isFrozen = true;
    },
    broken: () => brokenCount,
  };
}
