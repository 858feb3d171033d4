import type { IncomingMessage } from 'node:http';
import type { Limited } from '../links/check-password.ts';
import type { Clock, OpenFile } from '../links/ports.ts';
import type { AboutLink, Resolution } from '../links/resolve-link.ts';
import type { Denial } from '../links/verdict.ts';
import { wantsJson, wantsPage } from './accept.ts';
import { DENIALS, ERRORS, type ErrorStatus, type RequestError } from './errors.ts';
import { contentDisposition, toDigestField, toLocationHeader } from './headers.ts';
import type { Page } from './pages/page.ts';
import { readVisitor, type Site, type Visitor } from './pages/visitor.ts';
import {
  confirmPage,
  limitedPage,
  noticePage,
  notStartedPage,
  passwordPage,
  prefetchPage,
  serverErrorPage,
} from './pages/visitor-pages.ts';
import { pathOf } from './path.ts';
import { JSON_HEADERS, retryAfterHeader, type TextResponse, toErrorResponse } from './send-error.ts';

/** The response to a visit as a value. A file as its body must be sent or closed. */
export type VisitResponse = Omit<TextResponse, 'body'> & { body: string | OpenFile };

/**
 * The request that a response belongs to, the clock that dates error records, and what the pages show
 * of the administrator.
 */
export type ResponseContext = { request: IncomingMessage; clock: Clock } & Site;

const NO_STORE = ['cache-control', 'no-store'];
const REDIRECT_HEADERS = [...NO_STORE, 'referrer-policy', 'no-referrer'];
/** RFC 9110, 15.5.2: a 401 names a way to authenticate. */
const AUTHENTICATE = ['www-authenticate', 'X-Link-Password realm="link"'];

/** Returns the response to an attempt. This is the one place that puts a target or a file into a response. */
export function toResponse(resolution: Resolution, context: ResponseContext): VisitResponse {
  const { request } = context;
  switch (resolution.kind) {
    case 'REDIRECT':
      return toRedirect(resolution.targetUrl, request);
    case 'FILE':
      return toDownload(resolution);
    case 'LIMITED':
      return toLimited(resolution, context);
    case 'CONFIRM':
      return toConfirmation(resolution.about, context);
    case 'DENIED':
    case 'PREVIEW':
      return resolution.verdict === 'SUCCESS'
        ? toPreview(context)
        : toDenial(resolution.verdict, context, resolution.startsAt);
  }
}

/** Returns the response to a visit whose form is cross-site or cannot be read. */
export function toRefusal(error: RequestError, context: ResponseContext): VisitResponse {
  return toError(error, context, (visitor) =>
    noticePage(error.status === 403 ? 'CROSS_SITE' : 'UNREADABLE_FORM', visitor),
  );
}

/** Returns the response to a visit for which the store or the password checks have no room. */
export function toOverload(context: ResponseContext): VisitResponse {
  return toError(ERRORS.overloaded(), context, (visitor) => noticePage('OVERLOADED', visitor));
}

/** Returns the response to a visit while the database cannot be used. */
export function toUnavailable(context: ResponseContext): VisitResponse {
  return toError(ERRORS.databaseUnavailable(), context, (visitor) => noticePage('SERVER_ERROR', visitor));
}

/** Returns the response to a visit that failed in the service. */
export function toServerError(reference: string, context: ResponseContext): VisitResponse {
  return toError(ERRORS.unexpected(reference), context, (visitor) => serverErrorPage(visitor, reference));
}

function toRedirect(targetUrl: string, { method, headers }: IncomingMessage): VisitResponse {
  if (wantsJson(headers.accept)) return toJson({ type: 'REDIRECT', targetUrl }, REDIRECT_HEADERS);
  return {
    status: method === 'POST' ? 303 : 302, // 303 makes the browser GET the target, not POST the form to it
    headers: [...REDIRECT_HEADERS, 'location', toLocationHeader(targetUrl)],
    body: '',
  };
}

/** Prevents a browser from showing any file as a page of this origin. */
function toDownload({ fileName, sha256, file }: Extract<Resolution, { kind: 'FILE' }>): VisitResponse {
  return {
    status: 200,
    headers: [
      ...['content-type', 'application/octet-stream'],
      ...['content-length', String(file.sizeBytes)],
      ...['content-disposition', contentDisposition(fileName)],
      ...['repr-digest', toDigestField(sha256)],
      ...['cache-control', 'private, no-store'],
      ...['content-security-policy', "sandbox; default-src 'none'"],
      ...['x-accel-buffering', 'no'], // else nginx takes the whole file, and the end of the download is unknown
    ],
    body: file,
  };
}

function toDenial(denial: Denial, context: ResponseContext, startsAt: number | null = null): VisitResponse {
  const toPage = (visitor: Visitor): Page => {
    if (denial === 'INVALID_PASSWORD') return passwordPage(visitor, 'wrong');
    if (startsAt !== null) return notStartedPage(visitor, startsAt);
    if (denial !== 'PASSWORD_REQUIRED') return noticePage(denial, visitor);
    return passwordPage(visitor, context.request.method === 'POST' ? 'missing' : undefined);
  };
  const error = DENIALS[denial];
  return toError(error, context, toPage, error.status === 401 ? AUTHENTICATE : []);
}

function toLimited({ cause, retryAfterMs }: Limited, context: ResponseContext): VisitResponse {
  if (cause === 'OVERLOAD') return toOverload(context);
  return toError({ ...DENIALS.RATE_LIMITED, retryAfterMs }, context, (visitor) =>
    limitedPage(visitor, retryAfterMs),
  );
}

/** Returns the error record, or a page of the same status for a browser. */
function toError(
  error: ErrorStatus,
  context: ResponseContext,
  toPage: (visitor: Visitor) => Page,
  headers: readonly string[] = [],
): VisitResponse {
  const { request, clock } = context;
  if (wantsPage(request.headers.accept)) {
    const retryAfter = error.retryAfterMs === undefined ? [] : retryAfterHeader(error.retryAfterMs);
    return toPageResponse(error.status, context, toPage, [...headers, ...retryAfter]);
  }
  return toErrorResponse(error, pathOf(request), clock(), [...headers, ...NO_STORE]);
}

function toPageResponse(
  status: number,
  { request, abuseContact, brand }: ResponseContext,
  toPage: (visitor: Visitor) => Page,
  more: readonly string[] = [],
): VisitResponse {
  const page = toPage(readVisitor(request.headers['accept-language'], { abuseContact, brand }));
  return { status, headers: [...more, ...page.headers], body: page.body };
}

/** Returns the confirmation page; JSON for the script of a form, which is a dry run that has sent the right password. */
function toConfirmation(about: AboutLink, context: ResponseContext): VisitResponse {
  if (context.request.method === 'POST')
    return toJson({ type: about.type, sha256: about.file?.sha256 }, NO_STORE);
  return toPageResponse(200, context, (visitor) => confirmPage(visitor, about));
}

function toJson(value: unknown, headers: readonly string[]): VisitResponse {
  return { status: 200, headers: [...headers, ...JSON_HEADERS], body: JSON.stringify(value) };
}

/** "The status that GET would give with success as 200 and no `Location`": it shows nothing of the target. */
function toPreview(context: ResponseContext): VisitResponse {
  if (wantsPage(context.request.headers.accept)) return toPageResponse(200, context, prefetchPage);
  return { status: 200, headers: REDIRECT_HEADERS, body: '' };
}
