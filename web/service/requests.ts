import { type Outcome, parseJson, toRefusal } from './outcome.ts';

/** Resolves a path of the service, which lies under the same base path as the page. */
export function serviceUrl(path: string): URL {
  return new URL(path, document.baseURI);
}

/**
 * Requests a text.
 *
 * @param otherStatus a status outside 2xx that counts as success
 */
export async function requestText(
  path: string,
  options: RequestInit = {},
  otherStatus?: number,
): Promise<Outcome<string>> {
  try {
    const headers = { accept: 'application/json', ...options.headers };
    const response = await fetch(serviceUrl(path), { ...options, headers });
    const text = await response.text().catch(() => '');
    const isDone = response.ok || response.status === otherStatus;
    return isDone ? { kind: 'DONE', value: text } : toRefusal(response.status, text);
  } catch {
    return { kind: options.signal?.aborted ? 'CANCELLED' : 'UNREACHABLE' };
  }
}

/** Requests a JSON document. The parameters are those of `requestText`. */
export async function requestJson<Value>(
  ...parameters: Parameters<typeof requestText>
): Promise<Outcome<Value>> {
  const outcome = await requestText(...parameters);
  return outcome.kind === 'DONE' ? toDocument(outcome.value) : outcome;
}

/** Reads a JSON document. A document cut off in transit counts as no response. */
export function toDocument<Value>(text: string): Outcome<Value> {
  const value = parseJson(text);
  // The page is served by the service that it calls, so the document has the type of that version's schemas.
  return value === undefined ? { kind: 'UNREACHABLE' } : { kind: 'DONE', value: value as Value };
}
