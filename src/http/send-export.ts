import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../observability/log.ts';
import type { SlowClients } from './slow-clients.ts';

/** The lines of a file that is written while it is sent. Each step returns many lines. */
export type ExportedFile = {
  name: string;
  contentType: string;
  lines: AsyncGenerator<string, void, undefined>;
};

/**
 * Sends lines at the pace of the client. The first ones are read before the headers are sent, so that an error gets its
 * status. Later errors break the connection off, as a download's do.
 */
export async function sendExport(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, contentType, lines }: ExportedFile,
  { log, watchDownload }: { log: Log } & Pick<SlowClients, 'watchDownload'>,
): Promise<FastifyReply> {
  const { raw: response } = reply;
  const first = await lines.next();
  reply
    .header('content-type', `${contentType}; charset=utf-8`)
    .header('content-disposition', `attachment; filename="${name}"`);
  if (request.method === 'HEAD') {
    await lines.return();
    return reply.send(Readable.from([]));
  }
  const body = Readable.from(startWith(first, lines), { highWaterMark: 1 });
  let reason = 'The client left';
  body.once('error', (error) => {
    reason = error.message;
  });
  response.once('close', () => {
    if (response.writableFinished) return;
    const { message } = response.errored ?? { message: reason };
    log.write('warn', 'download_broken_off', { correlationId: request.id, reason: message });
  });
  watchDownload(response);
  return reply.send(body);
}

async function* startWith(
  first: IteratorResult<string, void>,
  rest: AsyncGenerator<string, void, undefined>,
) {
  if (!first.done) yield first.value;
  yield* rest;
}
