import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { formatOwner } from '../core/model/owner.ts';
import { SCOPES, type SignedIn } from '../core/model/people/caller.ts';
import { MAX_UPLOAD_MS } from '../core/use-cases/files/receive-file.ts';
import { RequestWithJoinedChunks } from './read-body.ts';

const local = new WeakSet<IncomingMessage>();

/** Creates the server of the local administrator. It has no endpoint for visits, as that of `app.management.port`. */
export function createLocalServer(handler: RequestListener): Server {
  const options = { requestTimeout: MAX_UPLOAD_MS, IncomingMessage: RequestWithJoinedChunks };
  return createServer(options, (request, response) => {
    local.add(request);
    handler(request, response);
  });
}

/**
 * Returns whether a request arrived at the server of the local administrator. Its client is a program of the service's own
 * user, so there is no host name to check, and no browser that another site could make send it.
 */
export function isLocal(request: IncomingMessage): boolean {
  return local.has(request);
}

/** The header in which a command of the administrator names itself, for histories. */
export const COMMAND_HEADER = 'x-postern-command';
const COMMAND_NAME = /^[a-z]{1,20}$/;
/** The name of a client that names no command, such as curl. */
const SOCKET = 'socket';

/** Returns the sender of a local request, who may do everything. */
export function localCaller({ headers }: IncomingMessage): SignedIn {
  const sent = headers[COMMAND_HEADER]?.toString() ?? '';
  const author = { kind: 'COMMAND', name: COMMAND_NAME.test(sent) ? sent : SOCKET } as const;
  return { ...author, scopes: SCOPES, owner: formatOwner(author), teams: [] };
}
