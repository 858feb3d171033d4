import type { IncomingMessage } from 'node:http';

/**
 * Whether a page of another origin had a browser send this form, which would spend a view in its visitor's name.
 * Browsers tell it in `Sec-Fetch-Site`; where they do not, because the service is reached by plain http or they are
 * older, in `Origin`. A request with neither comes from a program, which could as well send any header.
 */
export function isCrossSite({ headers }: IncomingMessage, baseUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin } = headers;
  if (origin === undefined) return false;
  const sender = URL.parse(origin);
  return sender === null || (sender.host !== headers.host && sender.origin !== new URL(baseUrl).origin);
}
