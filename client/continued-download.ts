import { type Bytes, iterate } from './encryption/streams.ts';

/** A line that stays away for so many tries, about a minute, is given up. */
const MAX_FAILURES = 10;
const MAX_PAUSE_MS = 8_000;

/**
 * Yields the bytes of a download. When its connection breaks, it is continued at the address that the response names,
 * under the same view.
 *
 * @param cookie of a program that proved a recipient, which a browser sends by itself
 * @throws the error of the last connection, when there is no such address, or it cannot be continued
 */
export async function* readContinued(
  response: Response,
  address = continuationOf(response),
  cookie?: string,
): AsyncGenerator<Bytes, void, void> {
  let receivedBytes = 0;
  let failures = 0;
  let current: Response | undefined = response;
  for (;;) {
    try {
      current ??= await request(address, receivedBytes, cookie);
      for await (const chunk of current.body ? iterate(current.body) : []) {
        receivedBytes += chunk.length;
        failures = 0;
        yield chunk;
      }
      return;
    } catch (error) {
      failures += 1;
      if (!address || failures > MAX_FAILURES || error instanceof RefusedError) throw error;
    }
    current = undefined;
    const pauseMs = Math.min(100 * 2 ** failures, MAX_PAUSE_MS);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Returns the address at which a download is continued under its view: of the same service, regardless of what the response names. */
export function continuationOf({ headers, url }: Response): URL | undefined {
  const named = headers.get('content-location');
  const address = named === null ? null : URL.parse(named, url);
  return address && address.origin === URL.parse(url)?.origin ? address : undefined;
}

class RefusedError extends Error {}

/** Returns whether a later request would get the same status. */
const isFinal = (status: number): boolean => status < 500 && status !== 408 && status !== 429;

async function request(
  address: URL | undefined,
  firstByte: number,
  cookie: string | undefined,
): Promise<Response> {
  const response = await fetch(address ?? '', {
    headers: { range: `bytes=${firstByte}-`, ...(cookie !== undefined && { cookie }) },
    redirect: 'manual', // it could lead to another service
  });
  if (response.status === 206) return response;
  const message = `it cannot be continued after ${firstByte} bytes (HTTP ${response.status})`;
  throw isFinal(response.status) ? new RefusedError(message) : new Error(message);
}
