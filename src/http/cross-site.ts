import type { IncomingMessage } from 'node:http';
import { isHttpUrl } from '../links/rules/target-url.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Returns true for a method that may change something. */
export function isUnsafe({ method = '' }: { method?: string | undefined }): boolean {
  return !SAFE_METHODS.has(method);
}

/**
 * Returns true when a page of another origin made the browser send a request, which would act in the visitor's
 * name. `Sec-Fetch-Site` decides; `Origin` does when it is missing: on plain HTTP and in older browsers. A request
 * with neither comes from a program, which could send any header.
 *
 * @param allowedOrigins further origins whose pages may send requests; `*` allows every origin
 */
export function isCrossSite(
  { headers }: IncomingMessage,
  baseUrl: string,
  allowedOrigins: readonly string[] = [],
): boolean {
  const { origin } = headers;
  if (allowedOrigins.includes('*') || (origin !== undefined && allowedOrigins.includes(origin))) return false;
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  if (origin === undefined) return false;
  const sender = isHttpUrl(origin) ? new URL(origin) : undefined;
  if (sender?.origin !== origin) return true;
  return sender.host !== headers.host && sender.origin !== new URL(baseUrl).origin;
}
