import { getItem, setItem } from './browser-storage.ts';
import { serviceUrl } from './requests.ts';

// A person who signed in at a provider goes through it again from time to time: to the provider and back to the page,
// which shows nothing while the person is still signed in there. A sign-in that the user begins returns the same way.

const TRIED_AT = 'postern.provider-check';
const PAGE = 'postern.provider-check-page';
/** A provider that sends the browser back without a sign-in must not make it go round in circles. */
const ONCE_PER_MS = 60_000;

/** Sends the browser to the provider. Returns false, and does nothing, where it could go round in circles. */
export function leaveForCheck(): boolean {
  const now = Date.now();
  const triedMs = now - Number(getItem(TRIED_AT, 'sessionStorage') ?? 0);
  const hasFailed = new URLSearchParams(location.search).has('problem');
  if (hasFailed || (triedMs >= 0 && triedMs < ONCE_PER_MS)) return false;
  setItem(TRIED_AT, String(now), 'sessionStorage');
  rememberPage();
  // Without this note, which a browser may forbid, nothing would end a circle.
  if (getItem(TRIED_AT, 'sessionStorage') === null) return false;
  location.replace(serviceUrl('api/sign-in').href);
  return true;
}

/** Notes the page that the user leaves for a sign-in at the provider. */
export function rememberPage(): void {
  setItem(PAGE, location.href, 'sessionStorage');
}

/** Forgets it after a sign-in without the provider. */
export function forgetPage(): void {
  setItem(PAGE, null, 'sessionStorage');
}

/** Returns true on the page which says that the name of a new person at the provider could not be kept here. */
export const isRenamed = (): boolean => new URLSearchParams(location.search).has('renamed');

/** Returns the browser to the page that it left for the provider. Returns whether it does. */
export function returnFromCheck(): boolean {
  const page = getItem(PAGE, 'sessionStorage');
  forgetPage();
  if (page === null || isRenamed() || page === location.href || !page.startsWith(serviceUrl('').href))
    return false;
  location.replace(page);
  return true;
}
