import type { IncomingMessage, ServerResponse } from 'node:http';

const expecting = new WeakMap<IncomingMessage, ServerResponse>();

/** Keeps the 100 that a request with `Expect: 100-continue` waits for until its body is read. */
export function delayContinue(request: IncomingMessage, response: ServerResponse): void {
  expecting.set(request, response);
}

/** Sends the 100 that a client waits for, before its body is read. A refused request gets none. */
export function sendContinue(request: IncomingMessage): void {
  const response = expecting.get(request);
  if (response && !response.headersSent) response.writeContinue();
}
