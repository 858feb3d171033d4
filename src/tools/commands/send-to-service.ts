import { existsSync, statSync } from 'node:fs';
import { type IncomingMessage, request as sendRequest } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../../common/error-details.ts';
import type { Config } from '../../core/config/config.ts';
import { COMMAND_HEADER } from '../../http/local-requests.ts';
import { createLog } from '../../observability/log.ts';
import { composeService } from '../../service/compose.ts';
import { findLocalService } from '../../service/local-socket.ts';
import { createFileStore, openLinkStore } from '../../service/open-stores.ts';
import { lockPath } from '../../stores/sqlite/store-lock.ts';
import { printNote } from './terminal.ts';

/** The requests of a command, as the local administrator. */
export type Administration = {
  /**
   * Sends a request. Resolves to what its response has. `isLong`: it may take minutes.
   *
   * @throws RefusedRequest for an error response
   */
  send<Sent>(method: string, path: string, body?: object, options?: { isLong?: boolean }): Promise<Sent>;
  /** True if the command has created the database. */
  isDatabaseNew: boolean;
};

/** An error response, with its message. */
export class RefusedRequest extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, { code, message }: { code: string; message: string }) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/**
 * Runs work that sends requests to the service: to the one that runs on this SQLite database, or to one that is composed in
 * this process for the time of the work, as on PostgreSQL.
 *
 * @param options.command the name of the command, for histories
 * @param options.creates whether the work may create the database
 * @throws when there is no database, or it cannot be opened
 */
export async function administrate<T>(
  config: Config,
  { command, creates = false }: { command: string; creates?: boolean },
  work: (administration: Administration) => Promise<T>,
): Promise<T> {
  const { database } = config;
  const isThere = database.kind === 'sqlite' && existsSync(database.path);
  const connect = isThere ? await findServiceOrLock(database.path) : undefined;
  if (connect) return work({ isDatabaseNew: false, send: prepareSend(connect, command) });
  let isDatabaseNew = false;
  const composed = await composeHere(
    creates ? config : { ...config, databaseMustExist: 'FOR_COMMAND' },
    () => {
      isDatabaseNew = true;
    },
  );
  try {
    return await work({ isDatabaseNew, send: prepareSend(composed.connect, command) });
  } finally {
    await composed.stop();
  }
}

/** A service that starts or stops takes less. */
const LOCKED_MS = 10_000;
const LOOK_EACH_MS = 100;

/**
 * Returns how to connect to the service that runs on a database; undefined if none does, so that a command may use it.
 *
 * @throws when another process uses the database, and cannot be reached in time
 */
async function findServiceOrLock(databasePath: string): Promise<(() => Duplex) | undefined> {
  const endsAt = performance.now() + LOCKED_MS;
  for (;;) {
    const connect = await findLocalService(databasePath);
    if (connect) return connect;
    assertOwnFiles(databasePath);
    const lock = lockPath(databasePath, 0);
    lock?.close();
    if (lock) return undefined;
    if (performance.now() > endsAt)
      throw new Error(
        'another command uses this database, or a service that starts, stops, or has no socket: repeat the command when it ' +
          'has ended, or stop the service',
      );
    await pause(LOOK_EACH_MS);
  }
}

/** @throws as root on the database of another user, whose service could not use what the command creates */
function assertOwnFiles(databasePath: string): void {
  const { uid } = statSync(databasePath);
  if (process.getuid?.() !== 0 || uid === 0) return;
  throw new Error(
    `${databasePath}: it belongs to the user ${uid}; run the command as that user, such as with sudo -u, or while the service runs`,
  );
}

/** Composes the service in this process, without its files: a command may have no access to them. */
async function composeHere(config: Config, onDatabaseCreated: () => void) {
  const store = await openLinkStore(config, { onDatabaseCreated });
  const log = createLog('error', { write: (lines) => void process.stderr.write(lines) });
  try {
    const stores = { store, files: await createFileStore(config) };
    const service = await composeService(config, log, { stores });
    return {
      stop: service.stop,
      connect(): Duplex {
        const [client, server] = duplexPair();
        service.localServer.emit('connection', server);
        return client;
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** After this time without a response, the command says that it waits. */
const NOTE_AFTER_MS = 5_000;
const GIVE_UP_AFTER_MS = 60_000;

function prepareSend(connect: () => Duplex, command: string): Administration['send'] {
  return async <Sent>(method: string, path: string, body?: object, { isLong = false } = {}) => {
    const content = body === undefined ? undefined : JSON.stringify(body);
    const noting = setTimeout(
      () => printNote('The service has not responded yet. Waiting for it.\n'),
      NOTE_AFTER_MS,
    );
    const request = sendRequest({
      ...{ method, path, createConnection: connect },
      ...(!isLong && { signal: AbortSignal.timeout(GIVE_UP_AFTER_MS) }),
      headers: {
        [COMMAND_HEADER]: command,
        host: 'localhost',
        connection: 'close',
        ...(content !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(content),
        }),
      },
    });
    try {
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
      request.on('error', reject).once('response', resolve).end(content);
      return await readResponse<Sent>(await promise);
    } catch (cause) {
      if (cause instanceof RefusedRequest) throw cause;
      const isRead = method === 'GET';
      const remedy = isRead
        ? 'repeat the command'
        : 'it may be done all the same: look before you repeat the command';
      throw new Error(`the service did not respond (${messageOf(cause)}); ${remedy}`, { cause });
    } finally {
      clearTimeout(noting);
    }
  };
}

async function readResponse<Sent>(response: IncomingMessage): Promise<Sent> {
  const { statusCode = 0 } = response;
  // The routes say what they send. A response without content has none that is read.
  if (statusCode === 204) return undefined as Sent;
  const sent: unknown = await json(response);
  if (statusCode >= 400) throw new RefusedRequest(statusCode, sent as RefusedRequest); // the error record
  return sent as Sent;
}
