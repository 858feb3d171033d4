import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Purpose } from '../core/model/attempt.ts';
import { DamagedFileError } from '../core/model/stored-file.ts';
import { ClientClosedError } from '../core/model/unavailable.ts';
import { decodePasswordText } from '../core/rules/parse-password.ts';
import type { Resolution, ResolveRequest } from '../core/use-cases/visit/resolution.ts';
import type { ObservedAttempt, RequestIds, RequestLine } from '../observability/observe.ts';
import { continuesDownload } from './byte-ranges.ts';
import { abortSignalOf, isAborted } from './connection-end.ts';
import type { HttpDependencies } from './dependencies.ts';
import { ERRORS } from './errors.ts';
import {
  type CommonHeaders,
  correlationIdOf,
  decodePasswordHeader,
  hasBody,
  isCommandLine,
  passwordHeader,
  userAgentOf,
  wantsJson,
  wantsPage,
} from './headers.ts';
import { prepareToRequestError } from './map-errors.ts';
import { finishedLine, idsOf, prepareReportEnd } from './observe-requests.ts';
import { isVisitMethod, pathOf, toSentAddress, toSentCode } from './path.ts';
import { readTextForm } from './read-form.ts';
import { readRecipient } from './recipient-form.ts';
import { isCrossSite, prepareClientAddress, prepareReportProxy } from './request-origin.ts';
import { type ResponseContext, sendText, toFailure, toResponse, type VisitResponse } from './response.ts';
import { findLeases, prepareResume } from './resume.ts';
import { VisitForm } from './routes/visit-reference.ts';
import type { SlowClients } from './slow-clients.ts';
import { IGNORED_FIELDS_HEADER, namesOf, toIgnoredText } from './unknown-fields.ts';

/**
 * A visit under way, with what its response needs. `address`: its path without the prefix. `bytesBefore`: that its connection
 * had been sent when it began.
 */
type Visit = ResponseContext &
  RequestIds & {
    response: ServerResponse;
    address: string;
    shortCode: string;
    startedAt: number;
    bytesBefore: number;
    attempt: ObservedAttempt | undefined;
  };

/** The dependencies that visits share. While `isClosing` returns true, each connection is closed after its response. */
type VisitContext = {
  commonHeaders: CommonHeaders;
  slowClients: Pick<SlowClients, 'watchDownload'>;
  isClosing: () => boolean;
};

/**
 * Prepares the path of every attempt: read the request, resolve the link, send the response. It never throws.
 * It uses `node:http` directly, because this is the one path whose cost matters: the framework would add 3.5 µs to the
 * 31 µs of a redirect.
 *
 * @param handleOther handles all requests that are no visits, which is the framework
 */
export function prepareVisit(
  deps: HttpDependencies,
  context: VisitContext,
  handleOther: RequestListener,
): RequestListener {
  const open = prepareOpen(deps, context);
  const fileRouteOf = prepareFileRouteOf(deps);

  return (request, response) => {
    overrideMethod(request);
    const path = pathOf(request);
    const start = isVisitMethod(request) ? deps.addresses.startOf(path) : 0;
    if (start === 0 || fileRouteOf(request) !== undefined) handleOther(request, response);
    else open(request, response, path.slice(start));
  };
}

/** Prepares opening the link of an address without its prefix. Most visits wait for nothing but their commit. */
function prepareOpen(deps: HttpDependencies, context: VisitContext) {
  const { config, clock, brand } = deps;
  const { baseUrl, recordsReferrers } = config;
  const { resolveVisit } = deps.useCases;
  const { attempts } = deps.observe;
  const addressOf = prepareClientAddress(deps);
  const resume = prepareResume(deps);
  const { send, complete, fail } = prepareSend(deps, context);

  /** Continues a download, or opens a link after its form has arrived. */
  async function openInSteps(visit: Visit): Promise<void> {
    const { request, shortCode } = visit;
    try {
      for (const lease of mayHaveLease(visit) ? findLeases(request, shortCode) : []) {
        const resumed = await resume(request, lease, visit);
        if (resumed) return send(visit, resumed);
      }
      const intent = request.method === 'POST' ? await readFormIntent(visit, baseUrl) : undefined;
      attemptTo(visit, intent);
    } catch (error) {
      fail(visit, error);
    }
  }

  function attemptTo(visit: Visit, ofForm?: VisitIntent): void {
    const { request, response, shortCode, address } = visit;
    try {
      const intent = ofForm ?? readIntent(request);
      const asked: ResolveRequest = {
        ...intent,
        shortCode,
        address: toSentAddress(request, address),
        ipAddress: addressOf(request),
        userAgent: userAgentOf(request),
        referrer: recordsReferrers ? referrerOf(request, baseUrl) : undefined,
        isAborted: () => isAborted(response),
        abortSignal: () => abortSignalOf(response),
      };
      visit.attempt = attempts.begin(visit, asked);
      resolveVisit(asked, {
        resolve: (resolution) => complete(visit, intent, resolution),
        reject: (error) => fail(visit, error),
      });
    } catch (error) {
      fail(visit, error);
    }
  }

  return (request: IncomingMessage, response: ServerResponse, address: string): void => {
    const startedAt = performance.now();
    const { correlationId, requestId, traceId } = idsOf(request, correlationIdOf(request));
    const visit: Visit = {
      ...{ correlationId, requestId, traceId, request, response, clock, config, brand, startedAt, address },
      shortCode: toSentCode(address),
      bytesBefore: request.socket.bytesWritten,
      attempt: undefined,
    };
    if (request.method === 'POST' || mayHaveLease(visit)) void openInSteps(visit);
    else attemptTo(visit);
  };
}

/** The end of an address of an upload for a file request. */
const UPLOADS = /\/uploads(?:\/[\w-]+)?$/;
/** Lets clients that cannot send PATCH or DELETE send POST to an upload: tus 1.0 requires `X-HTTP-Method-Override`. */
function overrideMethod(request: IncomingMessage): void {
  const { method, headers } = request;
  const override = headers['x-http-method-override'];
  if (method !== 'POST' || headers['tus-resumable'] === undefined || !UPLOADS.test(pathOf(request))) return;
  if (/^(?:DELETE|HEAD|PATCH)$/.test(String(override))) request.method = String(override);
}

/** The ways in which files arrive: in a form, or by the JSON that names their upload. */
const FILES_TYPE = /^(?:multipart\/form-data|application\/json)\b/i;

/**
 * Prepares finding the URL by which the framework routes files that are sent to the address of a link, which only a file
 * request takes. Undefined for any other request: visits send forms without files, or nothing.
 */
export function prepareFileRouteOf({ addresses, config: { baseUrl } }: HttpDependencies) {
  return (request: IncomingMessage): string | undefined => {
    const { method, headers } = request;
    if (method === 'GET') return undefined;
    const path = pathOf(request);
    const type = headers['content-type'] ?? '';
    const [end = ''] = /^multipart/i.test(type) ? [] : (UPLOADS.exec(path) ?? []); // a form is no upload
    const isUpload = end !== '' && headers['tus-resumable'] !== undefined;
    const hasFiles = FILES_TYPE.test(type) && hasBody(request);
    const isForm = method === 'POST' && hasFiles && !isCrossSite(request, baseUrl);
    const start = isUpload || isForm ? addresses.startOf(path) : 0;
    if (start === 0) return undefined;
    const shortCode = toSentCode(path.slice(start, path.length - end.length));
    return `/api/links/${encodeURIComponent(shortCode)}${end || '/submissions'}`;
  };
}

/** Returns false for nearly all visits, so that no other file looks at them. */
function mayHaveLease({ request: { headers }, shortCode }: Visit): boolean {
  return (headers.range ?? headers['if-match']) !== undefined || shortCode.includes('/lease_');
}

/** Prepares sending the response to a visit. */
function prepareSend(deps: HttpDependencies, { commonHeaders, slowClients, isClosing }: VisitContext) {
  const { attempts } = deps.observe;
  const { observe, reportOutcome, reportBrokenOff } = prepareReports(deps);
  const reportProxy = prepareReportProxy(deps);
  const toRequestError = prepareToRequestError(deps.observe);

  function send(visit: Visit, { status, headers, body }: VisitResponse): void {
    const { request, response, correlationId } = visit;
    if (isClosing()) response.shouldKeepAlive = false;
    const common = commonHeaders(request, correlationId);
    if (body === null || typeof body === 'string') {
      if (body === null) response.writeHead(status, [...common, ...headers]).end();
      else sendText(response, common, { status, headers, body });
      observe(visit, status);
      return;
    }
    reportOutcome(visit.attempt);
    body
      .sendTo(response.writeHead(status, [...common, ...headers]))
      .catch((error: Error) => reportBrokenOff(visit, error))
      .finally(() => observe(visit, status));
    slowClients.watchDownload(response);
  }

  /** Sends the error of a visit. */
  function fail(visit: Visit, error: unknown): void {
    if (visit.attempt) attempts.fail(visit.attempt, error);
    const failure = toRequestError(error, { id: visit.correlationId });
    // Of one whose client left, nothing was done, and there is no connection to write to.
    if (!(error instanceof ClientClosedError)) send(visit, toFailure(failure, visit));
  }

  return {
    send,
    fail,
    /** Sends the resolution of a visit. */
    complete(visit: Visit, intent: VisitIntent, resolution: Resolution): void {
      try {
        if (visit.attempt) attempts.end(visit.attempt, resolution);
        if (resolution.kind === 'LIMITED') reportProxy(visit.request);
        const isCrossSiteForm = intent === CROSS_SITE_INTENT;
        send(visit, isCrossSiteForm ? toFailure(ERRORS.crossSite(), visit) : toResponse(resolution, visit));
      } catch (error) {
        fail(visit, error);
      }
    },
  };
}

/** Prepares reporting the end of a visit. */
function prepareReports(deps: HttpDependencies) {
  const { log, metrics } = deps.observe;
  const reportEnd = prepareReportEnd(deps);

  function observe(visit: Visit, status: number): void {
    const { request, startedAt, bytesBefore, attempt } = visit;
    reportEnd(request, bytesBefore, {
      method: request.method ?? '',
      route: '/l/*',
      status,
      durationMs: performance.now() - startedAt,
      line: lineOf(visit),
      result: attempt?.result,
    });
  }

  /** Logs the outcome of an attempt before its download, which can take long. */
  function reportOutcome(attempt: ObservedAttempt | undefined): void {
    if (attempt?.line) log.write('info', attempt.line.event, attempt.line.fields);
    if (attempt) attempt.line = undefined;
  }

  function reportBrokenOff({ correlationId, response }: Visit, error: Error): void {
    if (error instanceof DamagedFileError) {
      metrics.damagedFiles.inc();
      log.write('error', 'file_damaged', { correlationId, fileId: error.fileId });
    } else {
      const reason = (response.errored ?? error).message;
      log.write('warn', 'download_broken_off', { correlationId, reason });
    }
  }

  return { observe, reportOutcome, reportBrokenOff };
}

/** Returns the line of a request: the outcome of its attempt, unless that is logged already. */
function lineOf({ attempt, correlationId, requestId, traceId }: Visit): RequestLine | undefined {
  if (attempt?.line) return attempt.line;
  if (attempt && !attempt.isLogged) return undefined;
  return attempt
    ? { event: 'request_finished', fields: attempt.fields }
    : finishedLine({ correlationId, requestId, traceId });
}

/** The visitor's intent, as far as the request shows it. */
type VisitIntent = Pick<
  ResolveRequest,
  'password' | 'recipient' | 'purpose' | 'confirmation' | 'wantsAddress' | 'acceptsPage' | 'continues'
>;

/** A form that another site sent is only a preview: it is audited, spends no view and reveals nothing. */
const CROSS_SITE_INTENT: VisitIntent = { password: null, purpose: 'PREVIEW', confirmation: 'GIVEN' };

/** Reads the intent of GET and HEAD. A client that accepts JSON or sends a password needs no confirmation. */
function readIntent(request: IncomingMessage): VisitIntent {
  const { accept, range, 'if-match': ifMatch, 'user-agent': userAgent = '' } = request.headers;
  const password = passwordHeader(request);
  const isProgram = password !== undefined || wantsJson(accept);
  const isImplied = isCommandLine(userAgent) || accept === 'text/plain';
  return {
    password: decodePasswordHeader(password),
    purpose: purposeOf(request),
    confirmation: isProgram ? 'GIVEN' : isImplied ? 'IMPLIED' : 'MISSING',
    acceptsPage: () => wantsPage(accept),
    ...((range ?? ifMatch) !== undefined && { continues: continuesDownload(request) }),
  };
}

async function readFormIntent({ request, response }: Visit, baseUrl: string): Promise<VisitIntent> {
  if (isCrossSite(request, baseUrl)) return CROSS_SITE_INTENT;
  // A misspelt field is refused: a dry run would spend a view.
  const { fields, ignored } = await readTextForm(request, VISIT_FIELDS);
  const { password, ask, list } = fields;
  const isDryRun = ask === 'true'; // only checks the password
  const purpose = isDryRun ? 'OPEN' : purposeOf(request);
  const recipient = purpose === 'OPEN' && readRecipient(request, fields); // a prefetch asks for no code, and guesses none
  if (ignored.length > 0) response.setHeader(IGNORED_FIELDS_HEADER, toIgnoredText(ignored));
  return {
    password: decodePasswordText(password) ?? decodePasswordHeader(passwordHeader(request)),
    ...(recipient && { recipient }),
    purpose,
    confirmation: isDryRun ? 'WITHHELD' : 'GIVEN',
    // A browser cannot continue the response to a form. It gets the page of the files first if it wants that.
    wantsAddress: wantsPage(request.headers.accept) ? (list === 'true' ? 'PAGE' : 'FILE') : undefined,
  };
}

/** Returns the host of the page that had the link. A visitor page of the service is none: its form sends the visit on. */
function referrerOf({ headers }: IncomingMessage, baseUrl: string): string | undefined {
  if (headers.referer === undefined) return undefined;
  const { protocol = '', hostname = '' } = URL.parse(headers.referer) ?? {};
  const isPage = protocol === 'http:' || protocol === 'https:';
  const own = [baseUrl, `http://${headers.host}`].map((url) => URL.parse(url)?.hostname);
  return isPage && !own.includes(hostname) ? hostname : undefined;
}

/** "a prefetch (`Sec-Purpose: prefetch`; also `Purpose` and `X-Moz: prefetch`, `X-Purpose: preview`)" */
const PREVIEW_HEADERS = [
  ['sec-purpose', /\bprefetch\b/i],
  ['purpose', /\bprefetch\b/i],
  ['x-moz', /\bprefetch\b/i],
  ['x-purpose', /\bpreview\b/i],
] as const;

/** Reads the purpose. "HEAD, and a prefetch, never spends a view and never shows a target." */
function purposeOf({ method, headers }: IncomingMessage): Purpose {
  const isPreview = PREVIEW_HEADERS.some(
    ([name, value]) => headers[name] !== undefined && value.test(String(headers[name])),
  );
  return method === 'HEAD' || isPreview ? 'PREVIEW' : 'OPEN';
}

/** The form of a visitor page. */
const VISIT_FIELDS = namesOf(VisitForm);
