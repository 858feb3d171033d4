import type { IncomingMessage, ServerResponse } from 'node:http';

/** How a request of S3 fails. */
export type Fault =
  /** It is answered with this error. */
  | { kind: 'status'; status: number; code: string }
  /** Its connection is cut before it is done. */
  | { kind: 'cut-request' }
  /** It is never answered. */
  | { kind: 'hang' }
  /** It is done only once `after` is kept, which is told to `done`, and never answered. */
  | { kind: 'late'; after: Promise<void>; done: () => void }
  /** A bit of its body is another one when it arrives. */
  | { kind: 'corrupt' }
  /** Of the parts that it puts together, the last one is left out. */
  | { kind: 'forget-part' }
  /** It is done, and its connection is cut before its answer. */
  | { kind: 'lose-response' }
  /** It is done, and its connection is cut so many bytes into the body of its answer. */
  | { kind: 'cut-response'; afterBytes: number }
  /** It is done, and its answer stops after so many bytes, its connection open. */
  | { kind: 'stall-response'; afterBytes: number };

/** Answers with a whole body. */
export function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-length': Buffer.byteLength(body) }).end(body);
}

/** Passes an answer on, up to where it fails. */
export function sendBroken(
  answer: IncomingMessage,
  response: ServerResponse,
  fault: Fault | undefined,
): void {
  if (fault?.kind === 'lose-response') {
    answer.resume();
    response.destroy();
    return;
  }
  answer.on('error', () => response.destroy());
  response.on('close', () => answer.destroy());
  if (fault?.kind !== 'cut-response' && fault?.kind !== 'stall-response') {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
    return;
  }
  const isCut = fault.kind === 'cut-response';
  response.writeHead(answer.statusCode ?? 502, answer.headers);
  response.flushHeaders();
  let left = fault.afterBytes;
  const stop = (): void => {
    answer.pause();
    if (isCut) response.socket?.end(() => response.destroy());
  };
  if (left === 0) stop();
  else {
    answer.on('data', (chunk: Buffer) => {
      const taken = chunk.subarray(0, left);
      left -= taken.length;
      response.write(taken);
      if (left === 0) stop();
    });
  }
}
