import { LINK_TYPES } from '../../src/core/model/link-type.ts';
import { isHeaderText } from './api-key.ts';
import { getItem, own, setItem } from './browser-storage.ts';
import type { LinkType } from './contract.ts';
import { isRecord, parseJson } from './outcome.ts';

/** A link created in this browser without signing in. Everything else about it comes from the API. */
export type SavedLink = {
  shortCode: string;
  accessUrl: string;
  /** The target URL, the name of the file, or the word for a text. */
  title: string;
  type: LinkType;
  /** Allows to read and revoke the link without a key. None for a link that came without one. */
  token?: string;
};

const STORAGE_KEY = 'postern.links';
/** Browsers store at least 5 MB per site. The oldest links are dropped first. */
const MAX_LINKS = 500;

/** Returns the links of this browser, newest first. */
export function loadSavedLinks(): SavedLink[] {
  const stored = parseJson(getItem(STORAGE_KEY) ?? '[]');
  return Array.isArray(stored) ? stored.filter(isSavedLink) : [];
}

/** Adds a link to those that are stored now: another tab may have changed them. */
export function saveLink(link: SavedLink): SavedLink[] {
  return saveAll([link, ...loadSavedLinks()].slice(0, MAX_LINKS));
}

/** Restores a deleted link at its index. */
export function restoreSavedLink(link: SavedLink, index: number): SavedLink[] {
  const others = loadSavedLinks().filter(({ shortCode }) => shortCode !== link.shortCode);
  return saveAll(others.toSpliced(index, 0, link));
}

export function deleteSavedLink(shortCode: string): SavedLink[] {
  return saveAll(loadSavedLinks().filter((link) => link.shortCode !== shortCode));
}

function saveAll(links: SavedLink[]): SavedLink[] {
  setItem(STORAGE_KEY, JSON.stringify(links));
  return links;
}

/** Calls `onChange` when another tab changes the list. Returns a function that stops this. */
export function onSavedLinksChange(onChange: () => void): () => void {
  const listener = ({ key }: StorageEvent): void => {
    if (key === STORAGE_KEY || key === null) onChange();
  };
  addEventListener('storage', listener);
  return () => removeEventListener('storage', listener);
}

/** Checks a stored value. Another version, or another program, may have stored something else. */
function isSavedLink(value: unknown): value is SavedLink {
  return (
    isRecord(value) &&
    typeof value['shortCode'] === 'string' &&
    isWebUrl(value['accessUrl']) &&
    typeof value['title'] === 'string' &&
    LINK_TYPES.some((type) => type === value['type']) &&
    (value['token'] === undefined || isHeaderText(value['token']))
  );
}

function isWebUrl(value: unknown): boolean {
  return typeof value === 'string' && /^https?:/.test(value) && URL.canParse(value);
}

// The token of a link: kept with the link in the browser that made it, and in a tab in which it was entered.

const TOKEN_STORAGE_KEY = 'postern.token.';
const TOKEN_PREFIX = 'link_';

/** Returns true for a text that is no key but the token of a link. */
export function isLinkToken(text: string): boolean {
  return text.startsWith(TOKEN_PREFIX) && isHeaderText(text);
}

export function loadLinkToken(shortCode: string): string | undefined {
  const entered = getItem(own(TOKEN_STORAGE_KEY + shortCode), 'sessionStorage');
  if (entered !== null && isLinkToken(entered)) return entered;
  return loadSavedLinks().find((link) => link.shortCode === shortCode)?.token;
}

/** Returns a link with its token where this browser has it. */
export function toReference(shortCode: string): { shortCode: string; token?: string } {
  const token = loadLinkToken(shortCode);
  return { shortCode, ...(token !== undefined && { token }) };
}

/** Stores a token for this tab; null removes it. */
export function saveLinkToken(shortCode: string, token: string | null): void {
  setItem(own(TOKEN_STORAGE_KEY + shortCode), token, 'sessionStorage');
}
