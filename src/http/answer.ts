import type { IncomingHttpHeaders } from 'node:http';
import type { OpenFile } from '../links/ports.ts';
import type { Resolution } from '../links/resolve-link.ts';
import { contentDisposition } from '../links/rules/file-name.ts';
import { toLocationHeader } from '../links/rules/target-url.ts';
import type { Denial } from '../links/verdict.ts';
import { DENIALS, type ErrorRecord } from './errors.ts';
import { html, PAGE_HEADERS, renderErrorPage, renderPage } from './pages.ts';

/** An answer as a value: its headers as names and values in turn, and its body. */
export type Answer = { status: number; headers: readonly string[]; body: string | OpenFile };

type Accept = IncomingHttpHeaders['accept'];

const REDIRECT_HEADERS = ['cache-control', 'no-store', 'referrer-policy', 'no-referrer'];
const JSON_HEADERS = ['content-type', 'application/json; charset=utf-8'];
const NO_STORE = ['cache-control', 'no-store'];
/** RFC 9110, 15.5.2: a 401 names a way to authenticate. */
const AUTHENTICATE = ['www-authenticate', 'X-Link-Password realm="link"'];

/** What a resolution is answered with: the one place that puts a target or a file into an answer. */
export function toAnswer(
  resolution: Resolution,
  accept: Accept,
  toError: (status: number, message: string) => ErrorRecord,
): Answer {
  switch (resolution.kind) {
    case 'REDIRECT':
      return toRedirect(resolution.targetUrl, accept);
    case 'FILE':
      return toDownload(resolution);
    case 'DENIED':
      return toDenial(resolution.denial, accept, toError);
    case 'PREVIEW':
      return resolution.verdict === 'SUCCESS'
        ? toPreview(accept)
        : toDenial(resolution.verdict, accept, toError);
  }
}

/** The error record, or a page of the same status and text for a visitor's browser. */
export function toErrorAnswer(error: ErrorRecord, accept: Accept, headers: readonly string[] = []): Answer {
  return wantsPage(accept)
    ? {
        status: error.status,
        headers: [...headers, ...PAGE_HEADERS],
        body: renderErrorPage(error.status, error.message),
      }
    : { status: error.status, headers: [...headers, ...JSON_HEADERS], body: JSON.stringify(error) };
}

function toRedirect(targetUrl: string, accept: Accept): Answer {
  if (wantsJson(accept)) {
    const body = JSON.stringify({ type: 'REDIRECT', targetUrl });
    return { status: 200, headers: [...REDIRECT_HEADERS, ...JSON_HEADERS], body };
  }
  return { status: 302, headers: [...REDIRECT_HEADERS, 'location', toLocationHeader(targetUrl)], body: '' };
}

/** The bytes are never shown as a page of this origin, whatever they hold. */
function toDownload({ fileName, file }: Extract<Resolution, { kind: 'FILE' }>): Answer {
  return {
    status: 200,
    headers: [
      ...['content-type', 'application/octet-stream'],
      ...['content-length', String(file.sizeBytes)],
      ...['content-disposition', contentDisposition(fileName)],
      ...['cache-control', 'private, no-store'],
      ...['content-security-policy', "sandbox; default-src 'none'"],
    ],
    body: file,
  };
}

function toDenial(
  denial: Denial,
  accept: Accept,
  toError: (status: number, message: string) => ErrorRecord,
): Answer {
  const { status, message } = DENIALS[denial];
  return toErrorAnswer(
    toError(status, message),
    accept,
    status === 401 ? [...NO_STORE, ...AUTHENTICATE] : NO_STORE,
  );
}

/** "The status that GET would give with success as 200 and no `Location`": it tells nothing of the target. */
function toPreview(accept: Accept): Answer {
  if (!wantsPage(accept)) return { status: 200, headers: REDIRECT_HEADERS, body: '' };
  // A browser may show what it prefetched: then the visitor opens the link from there.
  const body = renderPage(
    'Open this link',
    html`<h1>A link for you</h1><p><a href="">Open this link</a></p>`,
  );
  return { status: 200, headers: [...NO_STORE, ...PAGE_HEADERS], body };
}

/** Whether a failure is answered with a page: a browser's navigation, and no program that asks for JSON. */
function wantsPage(accept: Accept): boolean {
  return accept?.includes('text/html') === true && !wantsJson(accept);
}

/** "The value `application/json` selects a 200 JSON response", also among others. */
function wantsJson(accept: Accept): boolean {
  return accept?.includes('application/json') === true;
}
