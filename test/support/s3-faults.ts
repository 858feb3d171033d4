import type { IncomingMessage, ServerResponse } from 'node:http';

/** The way in which a request of S3 fails. */
export type Fault =
  /** Responds with this error. */
  | { kind: 'status'; status: number; code: string }
  /** Cuts the connection before the request is executed. */
  | { kind: 'cut-request' }
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

/** Forwards a response up to its fault. */
export function sendBroken(
  upstream: IncomingMessage,
  response: ServerResponse,
  fault: Fault | undefined,
): void {
  if (fault?.kind === 'lose-response') {
    upstream.resume();
    response.destroy();
    return;
  }
  upstream.on('error', () => response.destroy());
  response.on('close', () => upstream.destroy());
  if (fault?.kind !== 'cut-response' && fault?.kind !== 'stall-response') {
    response.writeHead(upstream.statusCode ?? 502, upstream.headers);
    upstream.pipe(response);
    return;
  }
  const isCut = fault.kind === 'cut-response';
  response.writeHead(upstream.statusCode ?? 502, upstream.headers);
  response.flushHeaders();
  let left = fault.afterBytes;
  const stop = (): void => {
    upstream.pause();
    if (isCut) response.socket?.end(() => response.destroy());
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
