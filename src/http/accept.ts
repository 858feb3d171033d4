import type { IncomingHttpHeaders } from 'node:http';
import Negotiator from 'negotiator';

type Accept = IncomingHttpHeaders['accept'];

/** Clients send far less. Parsing all of 32 KB takes 5 ms. */
const MAX_PARSED_CHARACTERS = 1_000;

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
  return new Negotiator({ headers: { accept: boundForParsing(lowerCase, type) } })
    .mediaTypes()
    .includes(type);
}

/** Returns the header, or of a long one only the entries that name the type, up to the bound. */
function boundForParsing(accept: string, type: string): string {
  if (accept.length <= MAX_PARSED_CHARACTERS) return accept;
  const entries = accept.split(',').filter((entry) => entry.includes(type));
  return entries.join(',').slice(0, MAX_PARSED_CHARACTERS);
}

/** Returns the first of these media types that the client prefers; the first of all where it names none. */
export function preferredType<Type extends string>(accept: Accept, types: readonly [Type, ...Type[]]): Type {
  const [first] = types;
  if (accept === undefined) return first;
  const headers = { accept: accept.toLowerCase().slice(0, MAX_PARSED_CHARACTERS) };
  const preferred = new Negotiator({ headers }).mediaType([...types]);
  return types.find((type) => type === preferred) ?? first;
}
