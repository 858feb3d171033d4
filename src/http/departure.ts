import type { ServerResponse } from 'node:http';
import type { Departure } from '../links/ports.ts';

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

/** Returns how work for a response notices that its client leaves. */
export function watchDeparture(response: ServerResponse): Departure {
  return { hasLeft: () => hasLeft(response), departure: () => departureOf(response) };
}
