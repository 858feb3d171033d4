import type { IncomingMessage } from 'node:http';
import { BROWSER_COOKIE, CODE_LIFETIME_MS } from '../core/model/recipient-code.ts';
import type { RecipientStep, SentRecipient } from '../core/use-cases/visit/check-recipient.ts';
import { readLanguage } from './pages/visitor.ts';

// How a visitor proves a mail address: two forms, and a cookie, which binds the code to the browser.

/** Reads the fields of a form that prove a recipient; undefined without an address. */
export function readRecipient(
  request: IncomingMessage,
  {
    recipientAddress,
    recipientCode,
  }: { recipientAddress?: string | undefined; recipientCode?: string | undefined },
): SentRecipient | undefined {
  if (recipientAddress === undefined) return undefined;
  const { cookie = '', 'accept-language': acceptLanguage } = request.headers;
  const sent = cookie.split(';').map((pair) => pair.trim());
  const browser = sent
    .find((pair) => pair.startsWith(`${BROWSER_COOKIE}=`))
    ?.slice(BROWSER_COOKIE.length + 1);
  return {
    address: recipientAddress,
    code: recipientCode?.trim() || null,
    browser: browser ?? null,
    language: readLanguage(acceptLanguage),
  };
}

/**
 * Returns the header that gives a browser its secret, which lasts as long as a code. It names no path: the browser sends it to
 * the links beside this one, also where a proxy removes a part of the address.
 */
export function browserCookieOf({ asked }: RecipientStep, { headers }: IncomingMessage): string[] {
  if (!asked) return [];
  const isSecure = headers.origin?.startsWith('https:'); // every browser sends it with a form
  const attributes = [`Max-Age=${CODE_LIFETIME_MS / 1_000}`, 'HttpOnly', 'SameSite=Strict'];
  if (isSecure) attributes.push('Secure');
  return ['set-cookie', [`${BROWSER_COOKIE}=${asked.browser}`, ...attributes].join('; ')];
}
