import type { IncomingMessage } from 'node:http';
import type { Clock, OpenFile } from '../links/ports.ts';
import type { Resolution } from '../links/resolve-link.ts';
import { contentDisposition } from '../links/rules/file-name.ts';
import { toLocationHeader } from '../links/rules/target-url.ts';
import type { Denial } from '../links/verdict.ts';
import { wantsJson, wantsPage } from './accept.ts';
import {
  DENIALS,
  type ErrorRecord,
  type RequestError,
  toErrorRecord,
  unexpectedErrorMessage,
} from './errors.ts';
import type { Page } from './pages/page.ts';
import { readVisitor, type Visitor } from './pages/visitor.ts';
import {
  confirmPage,
  noticePage,
  passwordPage,
  prefetchPage,
  serverErrorPage,
} from './pages/visitor-pages.ts';
import { pathOf } from './path.ts';

/** An answer as a value: its headers as names and values in turn, and its body. */
export type VisitResponse = { status: number; headers: readonly string[]; body: string | OpenFile };

/** Who is answered, and when. */
export type ResponseContext = { request: IncomingMessage; clock: Clock };

const REDIRECT_HEADERS = ['cache-control', 'no-store', 'referrer-policy', 'no-referrer'];
const JSON_HEADERS = ['content-type', 'application/json; charset=utf-8'];
const NO_STORE = ['cache-control', 'no-store'];
const NONE: readonly string[] = [];
/** RFC 9110, 15.5.2: a 401 names a way to authenticate. */
const AUTHENTICATE = ['www-authenticate', 'X-Link-Password realm="link"'];

/** What a resolution is answered with: the one place that puts a target or a file into an answer. */
export function toResponse(resolution: Resolution, context: ResponseContext): VisitResponse {
  switch (resolution.kind) {
    case 'REDIRECT':
      return toRedirect(resolution.targetUrl, context.request);
    case 'FILE':
      return toDownload(resolution);
    case 'DENIED':
      return toDenial(resolution.denial, context);
    case 'CONFIRM':
      return toConfirmation(resolution, context.request);
    case 'PREVIEW':
      return resolution.verdict === 'SUCCESS'
        ? toPreview(context.request)
        : toDenial(resolution.verdict, context);
  }
}

/** What a visit is answered with that is no attempt: another site sent it, or its form cannot be read. */
export function toRefusal({ status, message }: RequestError, context: ResponseContext): VisitResponse {
  const toPage = (visitor: Visitor) => noticePage(status === 403 ? 'CROSS_SITE' : 'UNREADABLE_FORM', visitor);
  return toError(toErrorRecord(status, message, pathOf(context.request), context.clock()), context, toPage);
}

/** What a visit is answered with that failed by our fault. */
export function toServerError(reference: string, context: ResponseContext): VisitResponse {
  const record = toErrorRecord(
    500,
    unexpectedErrorMessage(reference),
    pathOf(context.request),
    context.clock(),
  );
  return toError(record, context, (visitor) => serverErrorPage(visitor, reference));
}

function toRedirect(targetUrl: string, { method, headers }: IncomingMessage): VisitResponse {
  if (wantsJson(headers.accept)) {
    const body = JSON.stringify({ type: 'REDIRECT', targetUrl });
    return { status: 200, headers: [...REDIRECT_HEADERS, ...JSON_HEADERS], body };
  }
  return {
    status: method === 'POST' ? 303 : 302, // a form's answer is fetched from there, and not posted to it
    headers: [...REDIRECT_HEADERS, 'location', toLocationHeader(targetUrl)],
    body: '',
  };
}

/** The bytes are never shown as a page of this origin, whatever they hold. */
function toDownload({ fileName, file }: Extract<Resolution, { kind: 'FILE' }>): VisitResponse {
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

function toDenial(denial: Denial, context: ResponseContext): VisitResponse {
  const { status, message } = DENIALS[denial];
  const toPage = (visitor: Visitor): Page => {
    if (denial === 'INVALID_PASSWORD') return passwordPage(visitor, 'wrong');
    if (denial !== 'PASSWORD_REQUIRED') return noticePage(denial, visitor);
    return passwordPage(visitor, context.request.method === 'POST' ? 'missing' : undefined);
  };
  const record = toErrorRecord(status, message, pathOf(context.request), context.clock());
  return toError(record, context, toPage, status === 401 ? AUTHENTICATE : NONE);
}

/** The error record, or a page of the same status for a visitor's browser. */
function toError(
  error: ErrorRecord,
  { request }: ResponseContext,
  toPage: (visitor: Visitor) => Page,
  headers = NONE,
): VisitResponse {
  if (wantsPage(request.headers.accept)) return toPageAnswer(error.status, request, toPage, headers);
  return {
    status: error.status,
    headers: [...headers, ...NO_STORE, ...JSON_HEADERS],
    body: JSON.stringify(error),
  };
}

function toPageAnswer(
  status: number,
  { headers }: IncomingMessage,
  toPage: (visitor: Visitor) => Page,
  more = NONE,
): VisitResponse {
  const page = toPage(readVisitor(headers['accept-language']));
  return { status, headers: [...more, ...page.headers], body: page.body };
}

/** A page for whoever opens the link; a form that only asks is told what it would get, and has shown its password. */
function toConfirmation(
  { about }: Extract<Resolution, { kind: 'CONFIRM' }>,
  request: IncomingMessage,
): VisitResponse {
  if (request.method === 'POST') {
    return {
      status: 200,
      headers: [...NO_STORE, ...JSON_HEADERS],
      body: JSON.stringify({ type: about.type }),
    };
  }
  return toPageAnswer(200, request, (visitor) => confirmPage(visitor, about));
}

/** "The status that GET would give with success as 200 and no `Location`": it tells nothing of the target. */
function toPreview(request: IncomingMessage): VisitResponse {
  if (wantsPage(request.headers.accept)) return toPageAnswer(200, request, prefetchPage);
  return { status: 200, headers: REDIRECT_HEADERS, body: '' };
}
