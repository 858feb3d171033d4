import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { request as sendRequest } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import { json } from 'node:stream/consumers';
import { COMMAND_HEADER } from '../../http/local-requests.ts';
import { createLog } from '../../observability/log.ts';
import { composeService } from '../../service/compose.ts';
import type { Config } from '../../service/config/config.ts';
import { findLocalService } from '../../service/local-socket.ts';
import { createFileStore, openLinkStore } from '../../service/open-stores.ts';

/** The requests of a command, as the local administrator. */
export type Administration = {
  /** Sends a request. Resolves to what its response has. @throws RefusedRequest for an error response */
  send<Sent>(method: string, path: string, body?: object): Promise<Sent>;
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
  const connect = isThere ? await findLocalService(database.path) : undefined;
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

/** Composes the service in this process, without its files: a command may have no access to them. */
async function composeHere(config: Config, onDatabaseCreated: () => void) {
  const store = await openLinkStore(config, { onDatabaseCreated });
  const log = createLog('error', { write: (lines) => void process.stderr.write(lines) });
  const service = await composeService(config, log, {
    stores: { store, files: await createFileStore(config) },
  });
  return {
    stop: service.stop,
    connect(): Duplex {
      const [client, server] = duplexPair();
      service.localServer.emit('connection', server);
      return client;
    },
  };
}

function prepareSend(connect: () => Duplex, command: string): Administration['send'] {
  return async <Sent>(method: string, path: string, body?: object) => {
    const content = body && JSON.stringify(body);
    const request = sendRequest({
      ...{ method, path, createConnection: connect },
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
    request.end(content);
    const [response] = await once(request, 'response');
    // The routes say what they send. A response without content has none that is read.
    if (response.statusCode === 204) return undefined as Sent;
    const sent = await json(response);
    if (response.statusCode >= 400) throw new RefusedRequest(response.statusCode, sent as RefusedRequest);
    return sent as Sent;
  };
}
