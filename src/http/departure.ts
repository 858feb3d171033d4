import type { ServerResponse } from 'node:http';

/** Returns true when the client's connection has closed, or is closing, before the response was sent. */
export function hasLeft(response: ServerResponse): boolean {
  return response.closed || response.socket?.destroyed === true;
}

/** Returns a signal that is aborted when the client's connection closes before the response is complete. */
export function departureOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (hasLeft(response)) controller.abort();
  else {
    response.once('close', () => {
      if (!response.writableFinished) controller.abort(); // for a complete response, it would build an error in vain
    });
  }
  return controller.signal;
}
