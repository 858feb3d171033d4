import { loadSavedLinks } from '../create/saved-links.ts';
import { isHeaderText } from './api-key.ts';
import { getItem, setItem } from './browser-storage.ts';

// The token of a link: kept with the link in the browser that made it, and in a tab in which it was entered.

const STORAGE_KEY = 'postern.token.';
const PREFIX = 'link_';

/** Returns true for a text that is no key but the token of a link. */
export function isLinkToken(text: string): boolean {
  return text.startsWith(PREFIX) && isHeaderText(text);
}

export function loadLinkToken(shortCode: string): string | undefined {
  const entered = getItem(STORAGE_KEY + shortCode, 'sessionStorage');
  if (entered !== null && isLinkToken(entered)) return entered;
  return loadSavedLinks().find((link) => link.shortCode === shortCode)?.token;
}

/** Stores a token for this tab; null removes it. */
export function saveLinkToken(shortCode: string, token: string | null): void {
  setItem(STORAGE_KEY + shortCode, token, 'sessionStorage');
}
