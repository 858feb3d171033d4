import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, call } from './connection.ts';
import { EXIT_CODES, Failure } from './failure.ts';

/** A link, and the header of its token if the client has it. */
type FollowedLink = { shortCode: string; headers: Record<string, string> };

/** The interval between requests; after each further failure in a row it is doubled. */
const ASK_EACH_MS = 2_000;
const MAX_RETRY_MS = 30_000;

/**
 * Calls `onChange` at each change of a link, one call at a time, also at first. Tries again when the service cannot be
 * reached. Never ends by itself. Throws when the service refuses.
 */
export async function followLink(
  connection: Connection,
  link: FollowedLink,
  onChange: () => Promise<void>,
): Promise<never> {
  let tag: string | null = null;
  for (let failures = 0; ; ) {
    try {
      const newTag = await readTag(connection, link, tag);
      if (newTag !== tag) await onChange();
      tag = newTag;
      failures = 0;
    } catch (error) {
      const isRefused = error instanceof Failure && error.exitCode !== EXIT_CODES.unreachable;
      if (isRefused) throw error;
      failures += 1;
    }
    await sleep(Math.min(ASK_EACH_MS * 2 ** failures, MAX_RETRY_MS));
  }
}

/** Returns the entity tag of the history of a link. */
async function readTag(
  connection: Connection,
  { shortCode, headers }: FollowedLink,
  tag: string | null,
): Promise<string | null> {
  const request = connection.client.GET('/api/links/{shortCode}/history', {
    params: { path: { shortCode }, query: { limit: 1 } },
    headers: { ...headers, ...(tag !== null && { 'if-none-match': tag }) },
  });
  return (await call(connection, request)).response.headers.get('etag');
}
