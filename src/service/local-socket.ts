import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, lstatSync, realpathSync, rmSync, type Stats, statSync } from 'node:fs';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { codeOf, messageOf } from '../common/error-details.ts';
import type { Config } from '../core/config/config.ts';

// The local socket of a service on SQLite, at which the commands of the administrator send their requests. It is beside the
// database, for the user of the service alone. On Windows it is a named pipe, which no other user may write to.

/** The bytes that the system allows in the path of a socket: 107 on Linux, 103 on macOS. */
const MAX_PATH_BYTES = process.platform === 'linux' ? 107 : 103;
/** Takes the rights of the group and of others from what is created. */
const OWNER_ONLY = 0o077;

/** Returns the address of the socket of a service on an existing database. */
function localSocketPath(databasePath: string): string {
  const path = realpathSync(databasePath);
  if (process.platform !== 'win32') return `${path}-socket`;
  return `\\\\.\\pipe\\postern-${createHash('sha256').update(path.toLowerCase()).digest('hex')}`;
}

/**
 * Listens at the socket of a database of SQLite, which the caller has locked. Returns a warning where that is impossible: the
 * service works without.
 */
export async function listenLocally(
  server: Server,
  { database }: Pick<Config, 'database'>,
): Promise<string[]> {
  if (database.kind !== 'sqlite') return [];
  const path = localSocketPath(database.path);
  try {
    await listen(server, path);
    return [];
  } catch (error) {
    return [
      `Commands such as postern keys cannot reach this service, and need it to be stopped: ${path}: ${messageOf(error)}`,
    ];
  }
}

/** @throws when the path is too long or taken by something else, or the file system has no sockets */
async function listen(server: Server, path: string): Promise<void> {
  if (Buffer.byteLength(path) > MAX_PATH_BYTES)
    throw new Error(`the path of a socket has at most ${MAX_PATH_BYTES} bytes`);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSocket())
    rmSync(path); // of a service that was killed: no other has the lock of the database
  else if (found && process.platform !== 'win32') throw new Error('it is no socket; remove it');
  const umask = process.umask(OWNER_ONLY);
  try {
    server.listen(path); // creates the file before it returns
  } finally {
    process.umask(umask);
  }
  if (process.platform !== 'win32') chmodSync(path, 0o600);
  await once(server, 'listening');
}

/** The errors of a socket at which no service listens. */
const NO_SERVICE: unknown[] = ['ENOENT', 'ECONNREFUSED'];

/**
 * Returns how to connect to the service that runs on a database; undefined if none does.
 *
 * @throws when the socket is not that of the database's owner, or this user may not use it
 */
export async function findLocalService(databasePath: string): Promise<(() => Socket) | undefined> {
  const path = localSocketPath(databasePath);
  if (process.platform !== 'win32') {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (!found) return undefined;
    assertTrustworthy(path, found, statSync(databasePath));
  }
  const socket = connect(path);
  try {
    await once(socket, 'connect');
  } catch (cause) {
    if (NO_SERVICE.includes(codeOf(cause))) return undefined;
    const remedy = 'run the command as the user of the service, such as with sudo -u';
    throw new Error(`${path}: ${messageOf(cause)}; ${remedy}`, { cause });
  } finally {
    socket.destroy();
  }
  return () => connect(path);
}

/** @throws unless the socket was created by the owner of the database, or by the user of this process */
function assertTrustworthy(path: string, socket: Stats, database: Stats): void {
  if (!socket.isSocket())
    throw new Error(`${path}: it is no socket; stop the service, remove it, and start the service again`);
  if ([database.uid, process.getuid?.()].includes(socket.uid)) return;
  throw new Error(
    `${path}: it belongs to the user ${socket.uid}, the database to ${database.uid}; find out who created it, stop the ` +
      'service, remove it, and start the service again',
  );
}
