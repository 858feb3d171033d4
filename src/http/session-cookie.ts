import type { IncomingMessage } from 'node:http';
import { isCrossSite } from './request-origin.ts';

/** A cookie that no page can read. */
export type Cookie = {
  /** Returns whether the browser of a request keeps the cookie, and sends it to no other server. */
  isKept(request: IncomingMessage): boolean;
  read(request: IncomingMessage): string | undefined;
  /** Returns a `Set-Cookie`, which lasts until the browser is closed if it has no lifetime. */
  write(value: string, maxAgeMs?: number): string;
  /** Returns the `Set-Cookie` that deletes the cookie. */
  clear(): string;
};

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * Prepares a cookie of this service alone: no other host, path or scheme can read or replace a `__Host-` cookie. Over
 * http, browsers keep none; there it is a plain one, on loopback alone.
 */
export function prepareCookie(name: string, baseUrl: string): Cookie {
  const isSecure = new URL(baseUrl).protocol === 'https:';
  const fullName = isSecure ? `__Host-${name}` : name;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  const isKept = ({ headers }: IncomingMessage) => isSecure || LOOPBACK.test(headers.host ?? '');
  return {
    isKept,
    read: (request) => (isKept(request) ? readCookie(request, fullName) : undefined),
    write(value, maxAgeMs) {
      const lifetime = maxAgeMs === undefined ? '' : `; Max-Age=${maxAgeMs / 1_000}`;
      return `${fullName}=${value}; ${attributes}${lifetime}`;
    },
    clear: () => `${fullName}=; ${attributes}; Max-Age=0`,
  };
}

/** Reads a cookie that a request has. */
export function readCookie({ headers }: IncomingMessage, name: string): string | undefined {
  const pairs = headers.cookie?.split(';').map((pair) => pair.trim());
  return pairs?.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** Prepares the cookie with the secret of a session. The store ends a session; the cookie may last longer. */
export const prepareSessionCookie = (baseUrl: string): Cookie => prepareCookie('postern', baseUrl);

/**
 * Returns true if a page of this service made the browser send a request. A browser sends the cookie by itself, so
 * neither the origins of CORS nor a request without these headers are believed.
 */
export function isFromOwnPage(request: IncomingMessage, baseUrl: string): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  return (site !== undefined || origin !== undefined) && !isCrossSite(request, baseUrl);
}
