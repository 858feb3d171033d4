import type { IncomingHttpHeaders } from 'node:http';
import Negotiator from 'negotiator';

type Accept = IncomingHttpHeaders['accept'];

/** No client names one type more often. */
const MAX_ENTRIES = 20;

/** Returns true when a failure gets a page: `Accept` names `text/html` and not `application/json`. */
export function wantsPage(accept: Accept): boolean {
  return namesType(accept, 'text/html') && !wantsJson(accept);
}

/** "`Accept` selects JSON when it names `application/json` (any case) with a quality above 0." */
export function wantsJson(accept: Accept): boolean {
  return namesType(accept, 'application/json');
}

/** Returns true when a header names a type with a quality above 0. A wildcard names none. */
function namesType(accept: Accept, type: string): boolean {
  // Every visit comes here: most headers are decided without parsing them.
  if (accept === undefined || accept === '*/*') return false;
  const lowerCase = accept.toLowerCase();
  if (lowerCase === type) return true;
  if (!lowerCase.includes(type)) return false;
  // Parsing 32 KB of other types takes 5 ms.
  const entries = lowerCase.split(',').filter((entry) => entry.includes(type));
  const relevant = entries.slice(0, MAX_ENTRIES).join(',');
  return new Negotiator({ headers: { accept: relevant } }).mediaTypes().includes(type);
}
