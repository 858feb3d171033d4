import type { IncomingMessage } from 'node:http';
import { BROWSER_COOKIE } from '../core/model/recipient-code.ts';
import type { RecipientStep, SentRecipient } from '../core/use-cases/visit/check-recipient.ts';
import { readLanguage } from './pages/visitor.ts';
import { readCookie } from './session-cookie.ts';

// How a visitor proves a mail address: two forms, and a cookie, which binds the code and the download to the browser.

/** Reads the fields of a form that prove a recipient; undefined without an address. */
export function readRecipient(
  request: IncomingMessage,
  {
    recipientAddress,
    recipientCode,
  }: { recipientAddress?: string | undefined; recipientCode?: string | undefined },
): SentRecipient | undefined {
  if (recipientAddress === undefined) return undefined;
  return {
    address: recipientAddress,
    code: recipientCode?.trim() || null,
    browser: readBrowser(request) ?? null,
    language: readLanguage(request.headers['accept-language']),
  };
}

/** Reads the secret of a browser. */
export const readBrowser = (request: IncomingMessage): string | undefined =>
  readCookie(request, BROWSER_COOKIE);

/**
 * Returns the header that gives a browser its secret. It names no path: the browser sends it to the links beside this one, also
 * where a proxy removes a part of the address. Not Strict: where a page of mails led to the link, browsers take the reload of a
 * download for a request of that page.
 */
export function browserCookieOf({ asked }: RecipientStep, { headers }: IncomingMessage): string[] {
  if (!asked) return [];
  const isSecure = headers.origin?.startsWith('https:'); // every browser sends it with a form
  const attributes = [`Max-Age=${asked.keptMs / 1_000}`, 'HttpOnly', 'SameSite=Lax'];
  if (isSecure) attributes.push('Secure');
  return ['set-cookie', [`${BROWSER_COOKIE}=${asked.browser}`, ...attributes].join('; ')];
}
