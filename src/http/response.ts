import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Static } from 'typebox';
import { formatInstant } from '../core/model/instant.ts';
import { isBoundLease } from '../core/model/lease.ts';
import type { FileRequest, Target } from '../core/model/link.ts';
import { toLocation } from '../core/model/location.ts';
import type { OpenFile } from '../core/ports/file-store.ts';
import type { Clock } from '../core/ports/ports.ts';
import type { AboutLink } from '../core/use-cases/visit/about-link.ts';
import type { Resolution } from '../core/use-cases/visit/resolution.ts';
import { continuesDownload, leaseAddressOf, namesTags, toLeaseReference, toLeaseTag } from './byte-ranges.ts';
import { closeLingering } from './connection-end.ts';
import { type ErrorDetails, toErrorPage } from './error-page.ts';
import { authenticate, DENIALS, ERRORS, type ErrorCode, type ErrorStatus } from './errors.ts';
import type { Receipt } from './file-request-schemas.ts';
import { contentDisposition, type Disposition, toDigestField, wantsJson, wantsPage } from './headers.ts';
import { encryptedPage } from './pages/encrypted-page.ts';
import type { Page } from './pages/page.ts';
import type { ShownReceipt } from './pages/receipt-text.ts';
import { receiptPage, requestPage } from './pages/request-pages.ts';
import { textPage } from './pages/shown-file-pages.ts';
import { readVisitor, type Site, type Visitor } from './pages/visitor.ts';
import { confirmPage, prefetchPage, terms } from './pages/visitor-pages.ts';
import { pathOf } from './path.ts';
import { browserCookieOf } from './recipient-form.ts';
import type { ErrorRecord } from './schemas.ts';

/** A response as a value: its headers as names and values in turn. */
export type TextResponse = { status: number; headers: readonly string[]; body: string };

/** The path of the failed request, the time of the failure, and the headers that every response carries. */
type ErrorContext = { path: string; now: number; commonHeaders: readonly string[] };

export const JSON_HEADERS = ['content-type', 'application/json; charset=utf-8'];

/** Writes an error record as the whole response. */
export function sendError(response: ServerResponse, error: ErrorStatus, context: ErrorContext): void {
  sendText(response, context.commonHeaders, toErrorResponse(error, context.path, context.now));
}

/** Writes an error record to a connection whose request could not be read, then closes the connection. */
export function sendErrorToSocket(socket: Socket, error: ErrorStatus, now: number): void {
  closeLingering(socket, toSocketError(error, now));
}

/** Returns the bytes of an error record for a connection without a request. */
export function toSocketError(error: ErrorStatus, now: number, more: readonly string[] = []): string {
  const { status, headers, body } = toErrorResponse(error, '', now, ['connection', 'close', ...more]);
  const length = ['content-length', String(Buffer.byteLength(body))];
  const lines = ['x-content-type-options', 'nosniff', ...headers, ...length].map((text, index) =>
    index % 2 === 0 ? `\r\n${text}` : `: ${text}`,
  );
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}${lines.join('')}\r\n\r\n${body}`;
}

/** Returns an error record as a response. Every error response is made here, except pages. */
export function toErrorResponse(
  error: ErrorStatus,
  path: string,
  now: number,
  headers: readonly string[] = [],
): TextResponse {
  const { status, retryAfterMs } = error;
  const retryAfter = retryAfterMs === undefined ? [] : retryAfterHeader(retryAfterMs);
  const body = JSON.stringify(toErrorRecord(error, path, now));
  return { status, headers: [...headers, ...retryAfter, ...JSON_HEADERS], body };
}

export function toErrorRecord(
  { status, code, message, field, params }: ErrorStatus,
  path: string,
  now: number,
): ErrorRecord {
  return {
    timestamp: new Date(now).toISOString(),
    status,
    error: STATUS_CODES[status] ?? 'Unknown', // "the standard reason phrase of `status`"
    message,
    path,
    code: code as ErrorCode, // every error is made of the catalog of codes
    ...(field !== undefined && { field }),
    ...(params && { params: { ...params } }),
  };
}

/** Rounds up: a client that waits this long is not refused again. */
export function retryAfterHeader(retryAfterMs: number): string[] {
  return ['retry-after', String(Math.ceil(retryAfterMs / 1000))];
}

/** Writes a whole response; destroys the connection if another response has begun. */
export function sendText(
  response: ServerResponse,
  commonHeaders: readonly string[],
  { status, headers, body }: TextResponse,
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (status === 408) response.shouldKeepAlive = false; // the rest of the request would take as long
  const length = body === '' ? '0' : String(Buffer.byteLength(body));
  response.writeHead(status, [...commonHeaders, ...headers, 'content-length', length]).end(body);
}

/** The response to a visit as a value. A file as its body must be sent or closed; null sends the headers alone. */
export type VisitResponse = Omit<TextResponse, 'body'> & { body: string | OpenFile | null };

/**
 * The request that a response belongs to, the clock that dates error records, and what the pages show
 * of the administrator.
 */
export type ResponseContext = { request: IncomingMessage; clock: Clock } & Site;

export const NO_STORE = ['cache-control', 'no-store'];
const REDIRECT_HEADERS = [...NO_STORE, 'referrer-policy', 'no-referrer'];

/** Returns the response to an attempt, with the target or the files where it was granted. */
export function toResponse(resolution: Resolution, context: ResponseContext): VisitResponse {
  const { request } = context;
  switch (resolution.kind) {
    case 'REDIRECT':
      return toRedirect(resolution.targetUrl, request);
    case 'FILE':
      return toDownload(resolution, request);
    case 'FILE_ADDRESS':
      // The browser requests the file by GET, so that it can continue the download.
      return {
        status: 303,
        headers: [...REDIRECT_HEADERS, 'location', addressOf(resolution, request)],
        body: '',
      };
    case 'SUBMITTED':
      return toReceipt(resolution, context);
    case 'TEXT':
      return toText(resolution, context);
    case 'LIMITED':
      return toFailure(refusalOf(resolution), context, resolution);
    case 'CONFIRM':
      return toConfirmation(resolution.about, context);
    case 'DENIED':
      if (resolution.needsLease) return toFailure(withoutLease(request), context);
      // A program gets the error that it knows, a browser the page that the creator of the link chose.
      return resolution.fallbackUrl !== undefined && !wantsJson(request.headers.accept)
        ? toRedirect(resolution.fallbackUrl, request)
        : toFailure(refusalAt(request, resolution), context, resolution);
    case 'PREVIEW':
      return resolution.verdict === 'SUCCESS'
        ? toPreview(context)
        : toFailure(refusalAt(request, resolution), context, resolution);
  }
}

/** Returns the error of an attempt at an address: that of a bound lease says where it is of use, whether or not there is one. */
function refusalAt(request: IncomingMessage, resolution: Resolved<'DENIED' | 'PREVIEW'>): ErrorStatus {
  const isLease = isBoundLease(leaseAddressOf(pathOf(request))?.leaseToken ?? '');
  return isLease && resolution.verdict === 'NOT_FOUND' ? ERRORS.leaseNotHere() : refusalOf(resolution);
}

/** Returns the error of a request that continues a download and names none of its leases; `*` names any. */
const withoutLease = ({ headers }: IncomingMessage): ErrorStatus =>
  namesTags(headers['if-match']) ? ERRORS.leaseMismatch() : ERRORS.leaseRequired();

/** Returns the error of an attempt that opens nothing. */
export function refusalOf(resolution: Resolution): ErrorStatus {
  if (resolution.kind === 'LIMITED' && resolution.cause === 'NO_MAIL')
    return ERRORS.codesUnavailable(resolution.retryAfterMs);
  if (resolution.kind === 'LIMITED')
    return resolution.cause === 'OVERLOAD'
      ? ERRORS.overloaded()
      : { ...DENIALS.RATE_LIMITED, retryAfterMs: resolution.retryAfterMs };
  return 'verdict' in resolution && resolution.verdict !== 'SUCCESS'
    ? DENIALS[resolution.verdict]
    : DENIALS.NOT_FOUND;
}

function toRedirect(targetUrl: string, { method, headers }: IncomingMessage): VisitResponse {
  if (wantsJson(headers.accept)) return toJson({ type: 'REDIRECT', targetUrl }, REDIRECT_HEADERS);
  return {
    status: method === 'POST' ? 303 : 302, // 303 makes the browser GET the target, not POST the form to it
    headers: [...REDIRECT_HEADERS, 'location', toLocation(targetUrl)],
    body: '',
  };
}

type Resolved<Kind> = Extract<Resolution, { kind: Kind }>;

function toDownload(resolution: Resolved<'FILE'>, request: IncomingMessage): VisitResponse {
  const { file, leaseToken } = resolution;
  const address = ['content-location', addressOf(resolution, request)];
  return {
    status: 200,
    headers: [...toFileHeaders(resolution, leaseToken, file.sizeBytes), ...address],
    body: file,
  };
}

/** Returns a text: to a browser on a page, to a program as its bytes. It is sent at once, and has no lease. */
function toText(resolution: Resolved<'TEXT'>, context: ResponseContext): VisitResponse {
  const { text } = resolution;
  if (wantsPage(context.request.headers.accept))
    return toPageResponse(200, context, (visitor) => textPage(visitor, resolution));
  const type = ['content-type', 'text/plain; charset=utf-8'];
  const headers = [...type, ...describeFile(resolution, 'attachment'), ...KEPT_APART];
  return { status: 200, headers, body: text };
}

/** Returns the address of a lease relative to that of the link, which was visited. */
function addressOf(
  { leaseToken, fileName, isPage = false }: { leaseToken: string; fileName: string; isPage?: boolean },
  request: IncomingMessage,
): string {
  return toLeaseReference(pathOf(request), leaseToken, isPage ? '' : fileName);
}

type NamedFile = { fileName: string; sha256: string | undefined };

/** Returns the headers of a file or a part of it. A browser shows only one of a known type. */
export function toFileHeaders(
  file: NamedFile & { shownType?: string | undefined },
  leaseToken: string,
  lengthBytes: number,
): string[] {
  const { shownType = 'application/octet-stream' } = file;
  return [
    ...['content-type', shownType],
    ...['content-length', String(lengthBytes)],
    ...describeFile(file, file.shownType === undefined ? 'attachment' : 'inline'),
    ...['accept-ranges', 'bytes', 'etag', toLeaseTag(leaseToken)],
    ...KEPT_APART,
    ...['x-accel-buffering', 'no'], // else nginx takes the whole file, and the end of the download is unknown
  ];
}

const describeFile = ({ fileName, sha256 }: NamedFile, disposition: Disposition): string[] => [
  ...['content-disposition', contentDisposition(fileName, disposition)],
  ...(sha256 === undefined ? [] : ['repr-digest', toDigestField(sha256)]),
];

/** Prevents a browser from showing any file as a page of this origin. */
const KEPT_APART = [
  ...['cache-control', 'private, no-store'],
  ...['content-security-policy', "sandbox; default-src 'none'"],
];

/** Returns the error record, or a page of the same status for a browser. */
export function toFailure(
  error: ErrorStatus,
  context: ResponseContext,
  details: ErrorDetails = {},
): VisitResponse {
  const { request, clock } = context;
  const { status, retryAfterMs } = error;
  const cookie = details.recipient ? browserCookieOf(details.recipient, request) : [];
  const headers = status === 401 ? [...authenticate(error.code), ...cookie] : [];
  if (!wantsPage(request.headers.accept))
    return toErrorResponse(error, pathOf(request), clock(), [...headers, ...NO_STORE]);
  const retryAfter = retryAfterMs === undefined ? [] : retryAfterHeader(retryAfterMs);
  const toPage = (visitor: Visitor) => toErrorPage(error, request, visitor, details);
  return toPageResponse(status, context, toPage, [...headers, ...retryAfter]);
}

/** Returns a page in the language of the request. */
export function toPageResponse(
  status: number,
  { request, config, brand }: ResponseContext,
  toPage: (visitor: Visitor) => Page,
  more: readonly string[] = [],
): VisitResponse {
  const page = toPage(readVisitor(request.headers['accept-language'], { config, brand }));
  return { status, headers: [...more, ...page.headers], body: page.body };
}

/**
 * Returns the confirmation page. A dry run is a POST with the right password: to the script of a form it returns the page that
 * comes next, if there is one, and to a program JSON.
 */
function toConfirmation(about: AboutLink, context: ResponseContext): VisitResponse {
  const { request } = context;
  const { sha256, encrypted, sizeBytes = 0 } = about.file ?? {};
  if (about.type === 'DOWNLOAD' && continuesDownload(request))
    return toFailure(withoutLease(request), context);
  if (about.request) return toRequest(about, about.request, context);
  if (request.method === 'POST' && !(wantsPage(request.headers.accept) && (about.confirm || about.file)))
    return toJson({ type: about.type, sha256: about.isText ? undefined : sha256, encrypted }, NO_STORE);
  return toPageResponse(200, context, (visitor) =>
    encrypted
      ? encryptedPage(visitor, {
          ...{ sizeBytes, introduction: about, terms: terms(visitor, about) },
        })
      : confirmPage(visitor, about),
  );
}

/** Returns what a file request asks for: as JSON, or as the page with its form. */
function toRequest(
  { expiresAt, viewsLeft, hasPassword, senderName, account, isReceived }: AboutLink,
  request: FileRequest,
  context: ResponseContext,
): VisitResponse {
  if (wantsPage(context.request.headers.accept))
    return toPageResponse(200, context, (visitor) =>
      requestPage(visitor, { ...request, expiresAt, hasPassword, senderName, account, isReceived }),
    );
  const ends = {
    expiresAt: expiresAt === null ? null : formatInstant(expiresAt),
    submissionsLeft: viewsLeft,
  };
  return toJson({ type: 'REQUEST', request, ...ends }, NO_STORE);
}

/** Returns the receipt of submitted files. It does not name their link, which is not for the sender. */
function toReceipt(resolution: Resolved<'SUBMITTED'>, context: ResponseContext): VisitResponse {
  const { link, request, sender = null, introduction, address, history } = resolution;
  const encrypted = link.target.type === 'DOWNLOAD' && link.target.file.traits?.encrypted === true;
  const receipt = { message: request.message, receivedAt: link.createdAt, files: filesOf(link.target) };
  if (wantsPage(context.request.headers.accept))
    return toPageResponse(201, context, (visitor) =>
      receiptPage(visitor, {
        ...receipt,
        encrypted,
        sender,
        note: link.terms.note,
        introduction,
        address,
        history,
      }),
    );
  const record = { type: 'REQUEST' as const, ...receipt, receivedAt: formatInstant(link.createdAt) };
  return { ...toJson(record satisfies Static<typeof Receipt>, NO_STORE), status: 201 };
}

function filesOf(target: Target): ShownReceipt['files'] {
  if (target.type !== 'DOWNLOAD') return [];
  const { parts = [target.file] } = target.file;
  return parts.map(({ fileName: name, sizeBytes, sha256 }) => ({ name, sizeBytes, sha256 }));
}

function toJson(value: unknown, headers: readonly string[]): VisitResponse {
  return { status: 200, headers: [...headers, ...JSON_HEADERS], body: JSON.stringify(value) };
}

/** Responds with "the status that GET would give with success as 200 and no `Location`": it shows nothing of the target. */
function toPreview(context: ResponseContext): VisitResponse {
  if (wantsPage(context.request.headers.accept)) return toPageResponse(200, context, prefetchPage);
  return { status: 200, headers: REDIRECT_HEADERS, body: '' };
}
