import type { ServerResponse } from 'node:http';

/** Returns a signal that is aborted when the client's connection closes, or once the response is complete. */
export function departureOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (response.closed || response.socket?.destroyed) controller.abort();
  else response.once('close', () => controller.abort());
  return controller.signal;
}
