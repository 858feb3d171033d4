import type { IncomingHttpHeaders } from 'node:http';

type Accept = IncomingHttpHeaders['accept'];

/** Whether a failure is answered with a page: a browser's navigation, and no program that asks for JSON. */
export function wantsPage(accept: Accept): boolean {
  return accept?.includes('text/html') === true && !wantsJson(accept);
}

/** "The value `application/json` selects a 200 JSON response", also among others. */
export function wantsJson(accept: Accept): boolean {
  return accept?.includes('application/json') === true;
}
