import type { ServerResponse } from 'node:http';

/** A server-sent event. Without a name, it only sets the id that the client sends when it connects again. */
export type LiveEvent = { id: string; name?: string; data?: string };

/** Browsers and our pages connect again after this time. */
const RETRY_MS = 2_000;
/** A client that takes nothing during so many heartbeats is cut off. */
const MAX_MISSED_BEATS = 2;

export const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no', // nginx would collect events until its buffer is full
};

/**
 * A response of server-sent events, in the format of WHATWG's HTML, 9.2. Memory stays flat however slow its client is:
 * one write is on its way, and behind it waits only the newest event. Events must therefore be states, not differences.
 */
export type EventStream = {
  send(event: LiveEvent): void;
  /** Sends a comment, which keeps proxies from closing the connection. Returns false for a client that is stuck. */
  beat(): boolean;
  /** Ends the response, without what the client has not taken yet. */
  end(): void;
};

/** Begins the body of a response whose headers are sent. */
export function createEventStream(response: ServerResponse): EventStream {
  let isWriting = false;
  let missedBeats = 0;
  let waiting: string | undefined;

  function write(text: string): void {
    isWriting = true;
    response.write(text, () => {
      isWriting = false;
      missedBeats = 0;
      const next = waiting;
      waiting = undefined;
      if (next !== undefined && !response.writableEnded && !response.destroyed) write(next);
    });
  }

  write(`retry: ${RETRY_MS}\n\n`);
  return {
    send(event) {
      const text = formatEvent(event);
      if (isWriting) waiting = text;
      else write(text);
    },
    beat() {
      if (!isWriting) write(':\n\n');
      else missedBeats += 1;
      return missedBeats < MAX_MISSED_BEATS;
    },
    end() {
      if (isWriting)
        response.destroy(); // a client that does not read would delay the end, and a stop with it
      else response.end();
    },
  };
}

function formatEvent({ id, name, data }: LiveEvent): string {
  const event = name === undefined ? '' : `event: ${name}\n`;
  return `id: ${id}\n${event}${data === undefined ? '' : `data: ${data}\n`}\n`;
}
