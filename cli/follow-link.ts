import { setTimeout as sleep } from 'node:timers/promises';
import { createEventParser } from '../client/event-parser.ts';
import { type Connection, call } from './connection.ts';
import { EXIT_CODES, Failure } from './failure.ts';

/** A link, and the header of its token if the client has it. */
type FollowedLink = { shortCode: string; headers: Record<string, string> };

const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;
/** The service sends a comment each 15 s. */
const MAX_SILENCE_MS = 45_000;

/**
 * Calls `onChange` at each change of a link, one call at a time. Connects again when the connection breaks.
 * Never ends by itself. Throws when the service refuses.
 */
export async function followLink(
  connection: Connection,
  link: FollowedLink,
  onChange: () => Promise<void>,
): Promise<never> {
  for (let failures = 0; ; failures++) {
    try {
      for await (const _ of readEvents(connection, link)) {
        await onChange();
        failures = 0;
      }
    } catch (error) {
      const isRefused = error instanceof Failure && error.exitCode !== EXIT_CODES.unreachable;
      if (isRefused) throw error;
    }
    await sleep(Math.min(FIRST_RETRY_MS * 2 ** failures, MAX_RETRY_MS));
  }
}

/** Yields at each event of one connection, until it ends. */
async function* readEvents(
  connection: Connection,
  { shortCode, headers }: FollowedLink,
): AsyncGenerator<void> {
  const silent = new AbortController();
  const request = connection.client.GET('/api/links/{shortCode}/live', {
    params: { path: { shortCode } },
    headers: { ...headers, accept: 'text/event-stream' },
    parseAs: 'stream',
    signal: silent.signal,
  });
  const { response } = await call(connection, request);
  let timer = setTimeout(() => silent.abort(), MAX_SILENCE_MS);
  let events = 0;
  const parse = createEventParser(() => events++);
  try {
    for await (const text of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      clearTimeout(timer);
      timer = setTimeout(() => silent.abort(), MAX_SILENCE_MS);
      events = 0;
      parse(text);
      if (events > 0) yield;
    }
  } finally {
    clearTimeout(timer);
    silent.abort();
  }
}
