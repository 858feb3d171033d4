import { type Outcome, parseJson, toRefusal } from './outcome.ts';

/** Resolves a path of the service, which lies under the same base path as the page. */
export function serviceUrl(path: string): URL {
  return new URL(path, document.baseURI);
}

/**
 * Requests a JSON document.
 *
 * @param otherStatus a status besides 2xx whose body is such a document too
 */
export async function requestJson<Value>(
  path: string,
  options: RequestInit = {},
  otherStatus?: number,
): Promise<Outcome<Value>> {
  const response = await request(path, options);
  if (!response) return { kind: options.signal?.aborted ? 'CANCELLED' : 'UNREACHABLE' };
  const { status, text } = response;
  return response.ok || status === otherStatus ? toDocument(text) : toRefusal(status, text);
}

/** Reads a JSON document. A body cut off on its way is no response. */
export function toDocument<Value>(text: string): Outcome<Value> {
  const value = parseJson(text);
  // The page is served by the service that it calls, so the document has the type of that version's schemas.
  return value === undefined ? { kind: 'UNREACHABLE' } : { kind: 'DONE', value: value as Value };
}

/** Sends a DELETE. A resource that does not exist counts as deleted. */
export async function requestDelete(path: string): Promise<Outcome<null>> {
  const response = await request(path, { method: 'DELETE' });
  if (!response) return { kind: 'UNREACHABLE' };
  if (response.ok || response.status === 404) return { kind: 'DONE', value: null };
  return toRefusal(response.status, response.text);
}

type TextResponse = { ok: boolean; status: number; text: string };

async function request(path: string, options: RequestInit): Promise<TextResponse | undefined> {
  try {
    const headers = { accept: 'application/json', ...options.headers };
    const response = await fetch(serviceUrl(path), { ...options, headers });
    const text = await response.text().catch(() => '');
    return { ok: response.ok, status: response.status, text };
  } catch {
    return undefined;
  }
}
