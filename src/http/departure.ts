import type { ServerResponse } from 'node:http';

/** Returns a signal that is aborted when the client's connection closes before the response is complete. */
export function departureOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (response.closed || response.socket?.destroyed) controller.abort();
  else {
    response.once('close', () => {
      if (!response.writableFinished) controller.abort(); // for a complete response, it would build an error in vain
    });
  }
  return controller.signal;
}
