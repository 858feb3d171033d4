import { createPosternClient, type ErrorCode, type PosternClient } from '../client/client.ts';
import { findProxyError, type ProxyError } from '../client/proxy-response.ts';
import { codeOf, messageOf } from '../src/common/error-details.ts';
import { countOf } from '../src/common/format.ts';
import { Failure } from './failure.ts';
import type { Settings } from './settings.ts';

/** A service, and a client of it. */
export type Connection = Settings & { client: PosternClient };

type Result<Data> = { data?: Data; error?: unknown; response: Response };

export function connectTo(settings: Settings): Connection {
  return { ...settings, client: createPosternClient(settings) };
}

/** Waits for a response, and returns its record. Throws a failure for an error and without a response. */
export async function call<Data>(
  { url, source }: Settings,
  request: Promise<Result<Data>>,
): Promise<{ data: NonNullable<Data>; response: Response }> {
  const result = await request.catch((error: unknown) => {
    throw toUnreachable(url, source, error);
  });
  const { data, error, response } = result;
  if (!response.ok && response.status !== 304) throw toFailure(url, response.status, error, response.headers);
  // Only a response without content has no data, and its callers read none.
  return { data: data as NonNullable<Data>, response };
}

/** Returns the failure of a request that got no response. */
export function toUnreachable(url: string, source: string, error: unknown): Failure {
  if (error instanceof SyntaxError) return notPostern(url);
  const { cause = error } = error instanceof Error ? error : {};
  const detail = codeOf(cause) ?? messageOf(cause);
  return new Failure('unreachable', `the service at ${url} cannot be reached: ${detail}`, {
    remedy: `Check that it runs and that the address is right (from ${source}).`,
    cause: error,
  });
}

/** The errors of connections that broke when the request was perhaps sent. */
const BROKEN = ['UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ECONNRESET', 'EPIPE'];
export const MAY_EXIST =
  'The link may have been created all the same: with an API key, postern list --mine shows it.';
const SOME_MAY_EXIST =
  'Links may have been created all the same: with an API key, postern list --mine shows them.';

/** Throws the failure of a creation. Says so where its response was lost, and the link may exist. */
export const refuseCreation = (error: unknown): never => refuse(error, MAY_EXIST);

/** The same of several links. */
export const refuseCreations = (error: unknown): never => refuse(error, SOME_MAY_EXIST);

function refuse(error: unknown, remedy: string): never {
  const isLost =
    error instanceof Failure &&
    (error.code === 'PROXY_NO_RESPONSE' || BROKEN.some((code) => error.message.endsWith(`: ${code}`)));
  throw isLost ? new Failure(error.kind, error.message, { remedy, cause: error }) : error;
}

const notPostern = (url: string, status = ''): Failure =>
  new Failure('failed', `${url} does not respond as Postern does${status}`, {
    remedy: 'Check the address, with the base path of the service if it has one.',
  });

/** Returns the failure of a response that a proxy wrote, or another server. */
function toProxyFailure(url: string, status: number, { code, proxy }: ProxyError): Failure {
  const http = `: HTTP ${status}${proxy && ` from ${proxy}`}`;
  if (code === 'PROXY_RESPONSE') return notPostern(url, http);
  return code === 'PROXY_TOO_LARGE'
    ? new Failure('failed', `a proxy in front of ${url} refuses requests of this size${http}`, {
        code,
        remedy: 'Raise its limit for the body of a request: client_max_body_size in nginx.',
      })
    : new Failure('unreachable', `a proxy in front of ${url} gets no response from the service${http}`, {
        code,
        remedy: 'Check that the service runs, and that the proxy passes requests on to it.',
      });
}

/** Returns the failure of an error response. */
export function toFailure(url: string, status: number, error: unknown, headers: Headers): Failure {
  const location = headers.get('location');
  if (status >= 300 && status < 400 && location) {
    return new Failure('failed', `${url} redirects to ${location}`, { remedy: 'Set that address.' });
  }
  const proxy = findProxyError({ status, header: (name) => headers.get(name), record: error });
  if (proxy) return toProxyFailure(url, status, proxy);
  const record: { message?: unknown; code?: unknown } = typeof error === 'object' && error ? error : {};
  if (typeof record.message !== 'string' || typeof record.code !== 'string')
    return notPostern(url, `: HTTP ${status}`);
  return new Failure('failed', record.message, {
    code: record.code,
    remedy: remedyOf(record.code, headers.get('retry-after')),
  });
}

const SIGN_IN = 'Set POSTERN_KEY, or run postern login; for one link, its --token is enough.';
const REMEDIES: Partial<Record<ErrorCode, string>> = {
  SIGN_IN_REQUIRED: SIGN_IN,
  API_KEY_REQUIRED: SIGN_IN,
  API_KEY_OR_LINK_TOKEN_REQUIRED: SIGN_IN,
  INVALID_API_KEY: 'Check POSTERN_KEY, or run postern login with another key.',
  FOREIGN_LINK_TOKEN: 'Check --token: postern create printed it with the link.',
  NO_SUCH_ENDPOINT:
    'Check the address of the service and its base path. An older version lacks some commands.',
  INVALID_TARGET_URL: 'Write the whole URL, such as https://example.com/offer.',
  VERSION_MISMATCH: 'The link was changed since then: see postern history, or leave out --if-version.',
  NOT_FOUND: 'Check the short code: capital and small letters differ.',
};

function remedyOf(code: string, retryAfter: string | null): string | undefined {
  if (retryAfter !== null && /^\d+$/.test(retryAfter))
    return `Try again in ${countOf(Number(retryAfter), 'second')}.`;
  return Object.entries(REMEDIES).find(([known]) => known === code)?.[1];
}
