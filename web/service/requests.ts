import { credentialHeaders, loadKey, reportRefusal, TOKEN_HEADER } from './api-key.ts';
import type { Created, Link, Settings } from './contract.ts';
import { type Outcome, parseJson, toRefusal } from './outcome.ts';

/** The parts of a response that pages use. */
export type Reply = {
  body: string;
  linkToken: string | null;
  webhookSecret: string | null;
  fingerprint: string | null;
  entityTag: string | null;
  uploadOffset: string | null;
};

const SECRET_HEADER = 'x-link-webhook-secret';
const FINGERPRINT_HEADER = 'x-link-fingerprint';

const scriptUrl = import.meta.url;

/** Resolves a path of the service, which may lie under any base path. The scripts are in its directory `assets/`. */
export function serviceUrl(path: string): URL {
  return new URL(`../${path}`, scriptUrl);
}

/** The options of `fetch`, and the token of the link that the request concerns. */
export type RequestOptions = Omit<RequestInit, 'headers'> & {
  headers?: Record<string, string> | undefined;
  token?: string | undefined;
};

/** Returns the options of a request with a body of JSON. */
export function withJson(
  method: string,
  body: unknown,
  headers: Record<string, string> = {},
): RequestOptions {
  const sent = { 'content-type': 'application/json', ...headers };
  return { method, headers: sent, body: JSON.stringify(body) };
}

/**
 * Sends a request with a key.
 *
 * @param otherStatus a status outside 2xx that counts as success
 */
export async function send(
  path: string,
  key: string | null,
  { token, ...options }: RequestOptions = {},
  otherStatus?: number,
): Promise<Outcome<Reply>> {
  try {
    const headers = { accept: 'application/json', ...credentialHeaders(key, token), ...options.headers };
    const response = await fetch(serviceUrl(path), { ...options, headers });
    const body = await response.text().catch(() => '');
    const { headers: received } = response;
    const isPage = received.get('content-type')?.startsWith('text/html'); // of a proxy: the API has none
    const isDone = (response.ok && !isPage) || response.status === otherStatus;
    if (!isDone) return toRefusal(response.status, body, (name) => received.get(name));
    const value = {
      body,
      linkToken: received.get(TOKEN_HEADER),
      webhookSecret: received.get(SECRET_HEADER),
      fingerprint: received.get(FINGERPRINT_HEADER),
      entityTag: received.get('etag'),
      uploadOffset: received.get('upload-offset'),
    };
    return { kind: 'DONE', value };
  } catch {
    return { kind: options.signal?.aborted ? 'CANCELLED' : 'UNREACHABLE' };
  }
}

const ENDED_TOKEN = /^(?:FOREIGN|NEEDLESS)_LINK_TOKEN$/;

/** Sends a request with the key of this tab. */
export async function request(
  path: string,
  options?: RequestOptions,
  otherStatus?: number,
): Promise<Outcome<Reply>> {
  const key = loadKey();
  const outcome = await send(path, key, options, otherStatus);
  // The token of a link ends when the link gets another owner. The user may have other rights.
  if (options?.token !== undefined && outcome.kind === 'REFUSED' && ENDED_TOKEN.test(outcome.code ?? ''))
    return request(path, { ...options, token: undefined }, otherStatus);
  if (outcome.kind === 'REFUSED' && outcome.status === 401) reportRefusal(key);
  return outcome;
}

/** Selects a page of a list: at most `limit` items after the cursor, if there is one. */
export type PageRequest = { limit: number; cursor: string | null; signal: AbortSignal };

/** Returns the parameters of a time range. Its ends are days of the reader's time zone, inclusive, or empty. */
export function toDayRange({ from, to }: { from: string; to: string }): Record<string, string> {
  return {
    ...(from !== '' && { start: startOfDay(from, 0) }),
    ...(to !== '' && { end: startOfDay(to, 1) }),
  };
}

function startOfDay(day: string, daysLater: number): string {
  const at = new Date(`${day}T00:00`);
  at.setDate(at.getDate() + daysLater);
  return at.toISOString();
}

/** Reads a JSON document. A document cut off in transit counts as no response. */
export function toDocument<Value>(text: string): Outcome<Value> {
  const value = parseJson(text);
  // The page is served by the service that it calls, so the document has the type of that version's schemas.
  return value === undefined ? { kind: 'UNREACHABLE' } : { kind: 'DONE', value: value as Value };
}

/** Reads the response of a creation. */
export function toCreated(reply: Omit<Reply, 'entityTag' | 'uploadOffset'>): Outcome<Created> {
  const { body, linkToken, webhookSecret, fingerprint } = reply;
  const outcome = toDocument<Link>(body);
  return outcome.kind === 'DONE'
    ? { kind: 'DONE', value: { link: outcome.value, token: linkToken, webhookSecret, fingerprint } }
    : outcome;
}

/** Requests the settings of the service, with the owner of this key as the caller. A wrong key is refused with 401. */
export async function fetchSettings(key: string | null): Promise<Outcome<Settings>> {
  const outcome = await send('api/settings', key);
  return outcome.kind === 'DONE' ? toDocument(outcome.value.body) : outcome;
}
