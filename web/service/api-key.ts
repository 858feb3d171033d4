import { getItem, setItem } from './browser-storage.ts';

// The API key with which this tab is signed in. The browser stores it for this tab only and deletes it with the tab.
// Each request reads it there, and only an upload keeps it: after a sign-out, a page that the browser had set aside must
// not use it.

const STORAGE_KEY = 'postern.key';

export function loadKey(): string | null {
  return getItem(STORAGE_KEY, 'sessionStorage');
}

/** Stores a key, or deletes it. Returns false where the browser stores nothing. */
export function saveKey(key: string | null): boolean {
  setItem(STORAGE_KEY, key, 'sessionStorage');
  return loadKey() === key;
}

/** The header with the token of a link, in requests and in the response to a creation. */
export const TOKEN_HEADER = 'x-link-token';

/** Returns the headers that send a key and the token of a link. */
export function credentialHeaders(key: string | null, token?: string): Record<string, string> {
  return {
    ...(key !== null && { authorization: `Bearer ${key}` }),
    ...(token !== undefined && { [TOKEN_HEADER]: token }),
  };
}

const refusals = new EventTarget();

/** Reports that a request was refused for its credentials. After a change of the key it has no effect. */
export function reportRefusal(key: string | null): void {
  if (key === loadKey()) refusals.dispatchEvent(new Event('refusal'));
}

/** Calls `onRefusal` for each report. Returns a function that stops this. */
export function onCredentialRefusal(onRefusal: () => void): () => void {
  refusals.addEventListener('refusal', onRefusal);
  return () => refusals.removeEventListener('refusal', onRefusal);
}

/** Returns true for a text that a header can carry: visible ASCII characters. */
export function isHeaderText(text: unknown): text is string {
  return typeof text === 'string' && /^[!-~]+$/.test(text);
}
