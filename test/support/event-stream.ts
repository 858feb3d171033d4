import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { recordSecrets } from './log-secrets.ts';

/** An event as it was sent. */
export type SentEvent = { id?: string; event?: string; data?: string };

/** A response of server-sent events, read as it arrives. */
export type TestEvents = {
  status: number;
  headers: IncomingHttpHeaders;
  /** Everything received so far. */
  text(): string;
  /** Resolves to the next event, or to undefined once the stream has ended. */
  next(): Promise<SentEvent | undefined>;
  close(): void;
};

const TIMEOUT_MS = 15_000;

/** Opens a stream of events, on a connection of its own. */
export async function openEvents(
  server: { url: string },
  path: string,
  headers: OutgoingHttpHeaders = {},
): Promise<TestEvents> {
  for (const [name, value] of Object.entries(headers)) recordSecrets(`${name}: ${value}`);
  const outgoing = request(new URL(path, server.url), { headers, agent: false, timeout: TIMEOUT_MS }).end();
  outgoing.on('timeout', () => outgoing.destroy(new Error(`${path} was silent for ${TIMEOUT_MS} ms`)));
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  response.setEncoding('utf8');
  let text = '';
  let read = 0;
  let hasEnded = false;
  response.on('data', (chunk) => {
    text += chunk;
  });
  response.on('error', () => undefined); // a stream that is cut off has ended too
  response.on('close', () => {
    hasEnded = true;
  });

  async function next(): Promise<SentEvent | undefined> {
    for (;;) {
      const end = text.indexOf('\n\n', read);
      if (end >= 0) {
        const lines = text.slice(read, end).split('\n');
        read = end + 2;
        const fields = lines.map((line) => line.split(/: (.*)/s).slice(0, 2));
        if (fields.some(([name]) => name === 'id')) return Object.fromEntries(fields);
      } else if (hasEnded) return undefined;
      else await Promise.race([once(response, 'data'), once(response, 'close')]);
    }
  }

  const { statusCode: status = 0, headers: received } = response;
  return { status, headers: received, text: () => text, next, close: () => outgoing.destroy() };
}

/** Opens a stream of events and closes it, for a test that is about its beginning. */
export async function beginEvents(
  ...parameters: Parameters<typeof openEvents>
): Promise<Pick<TestEvents, 'status' | 'headers'>> {
  const events = await openEvents(...parameters);
  events.close();
  return events;
}
