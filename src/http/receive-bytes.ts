import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { collectGarbageEvery } from '../common/collect-garbage.ts';
import { ERRORS, type RequestError } from './errors.ts';
import { sendContinue } from './read-body.ts';
import { failWhenSlow } from './slow-clients.ts';

/** The bytes of a body. `failure`: why they ended before the end of the body. */
export type ReceivedBytes = { bytes: Readable; failure: () => RequestError | undefined; discard: () => void };

/**
 * Receives a body of which each byte counts. When the line breaks, the body is too slow or too long, or `signal` is aborted,
 * the bytes end there without an error, and the response can still be sent. The caller calls `discard` in the end.
 *
 * @param options.toError returns the error of a body with more than `maxBytes`
 */
export function receiveBytes(
  request: IncomingMessage,
  options: {
    maxBytes: number;
    toError: () => RequestError;
    signal: AbortSignal;
  },
): ReceivedBytes {
  const { maxBytes, toError, signal } = options;
  let failure: RequestError | undefined;
  let restBytes = maxBytes;
  let hasEnded = false;
  const bytes = new Readable({ read: () => void request.resume() });

  function end(error?: RequestError): void {
    if (hasEnded) return;
    hasEnded = true;
    failure = error;
    bytes.push(null);
  }

  request.on('data', (chunk: Buffer) => {
    if (hasEnded) return;
    collectGarbageEvery(chunk.length);
    const taken = chunk.subarray(0, restBytes);
    restBytes -= taken.length;
    if (!bytes.push(taken)) request.pause();
    if (taken.length < chunk.length) end(toError());
  });
  const failMalformed = () => {
    if (!request.readableEnded) end(ERRORS.malformedRequest());
  };
  request.once('end', () => end());
  request.once('close', failMalformed).once('error', failMalformed);
  signal.addEventListener('abort', () => end(ERRORS.uploadLocked()));
  failWhenSlow(request, end, 'large');
  if (request.destroyed) failMalformed(); // the client left before
  if (signal.aborted) end(ERRORS.uploadLocked());
  sendContinue(request);
  return {
    bytes,
    failure: () => failure,
    discard() {
      hasEnded = true;
      request.resume();
    },
  };
}
