import type { IncomingMessage, ServerResponse } from 'node:http';

/** The way in which a request of S3 fails. */
export type Failure =
  /** Responds with this error. */
  | { kind: 'status'; status: number; code: string }
  /** Cuts the connection before the request is executed. */
  | { kind: 'cut-request' }
  /** Executes the request after a time. */
  | { kind: 'slow'; delayMs: number }
  /** Never responds. */
  | { kind: 'hang' }
  /** Executes the request once `after` resolves, then calls `done`, and never responds. */
  | { kind: 'late'; after: Promise<void>; done: () => void }
  /** Flips a bit of the body. */
  | { kind: 'corrupt' }
  /** Omits the last of the parts that are completed. */
  | { kind: 'forget-part' }
  /** Executes the request, and cuts the connection before the response. */
  | { kind: 'lose-response' }
  /** Executes the request, and cuts the connection after this many bytes of the response body. */
  | { kind: 'cut-response'; afterBytes: number }
  /** Executes the request, and stops after this many bytes of the response body, with the connection open. */
  | { kind: 'stall-response'; afterBytes: number };

/** Sends a complete response. */
export function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-length': Buffer.byteLength(body) }).end(body);
}

/** Forwards a response, up to its failure if it has one. */
export function sendBroken(
  upstream: IncomingMessage,
  response: ServerResponse,
  failure: Failure | undefined,
): void {
  if (failure?.kind === 'lose-response') {
    upstream.resume();
    response.destroy();
    return;
  }
  upstream.on('error', () => response.destroy());
  response.on('close', () => upstream.destroy());
  response.writeHead(upstream.statusCode ?? 502, upstream.headers);
  if (failure?.kind !== 'cut-response' && failure?.kind !== 'stall-response') {
    upstream.pipe(response);
    return;
  }
  response.flushHeaders();
  let left = failure.afterBytes;
  const stop = (): void => {
    upstream.pause();
    if (failure.kind === 'cut-response') response.socket?.end(() => response.destroy());
  };
  if (left === 0) stop();
  else {
    upstream.on('data', (chunk: Buffer) => {
      const taken = chunk.subarray(0, left);
      left -= taken.length;
      response.write(taken);
      if (left === 0) stop();
    });
  }
}
