import type { IncomingMessage } from 'node:http';
import { ERRORS } from './errors.ts';
import { sendContinue } from './expect-continue.ts';
import { toSizeText } from './sizes.ts';
import { failWhenSlow } from './slow-clients.ts';

/**
 * Reads a small body to its end and discards what exceeds the limit, so that the client gets the response.
 *
 * @param maxMs the time that the body may take, where a small one may not take the usual 30 s
 * @throws RequestError when the body is too large, arrives too slowly, or ends early
 */
export function readBody(request: IncomingMessage, maxBytes: number, maxMs?: number): Promise<Buffer> {
  const tooLarge = () => ERRORS.bodyTooLarge(toSizeText(maxBytes));
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
    request.resume();
    return Promise.reject(tooLarge());
  }
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      sizeBytes += chunk.length;
      if (sizeBytes <= maxBytes) chunks.push(chunk);
      else reject(tooLarge());
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', () => reject(ERRORS.malformedRequest()));
    request.once('close', () => {
      if (!request.readableEnded) reject(ERRORS.malformedRequest());
    });
    failWhenSlow(request, reject);
    if (maxMs !== undefined) {
      const timer = setTimeout(() => reject(ERRORS.requestTimeout()), maxMs);
      request.once('close', () => clearTimeout(timer));
    }
    sendContinue(request);
  });
}
