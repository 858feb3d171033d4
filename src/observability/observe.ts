import { toAuditCode, toAuditResult } from '../core/model/attempt.ts';
import type { Author } from '../core/model/author.ts';
import { formatInstant } from '../core/model/instant.ts';
import type { NewLink } from '../core/model/link.ts';
import { ClientClosedError, OverloadedError } from '../core/model/unavailable.ts';
import type { AuditResult } from '../core/model/verdict.ts';
import type { OnBatch, StartTimer } from '../core/ports/ports.ts';
import type { ChangeCode } from '../core/use-cases/change/change-code.ts';
import type { ChangeLink, RevokeLink } from '../core/use-cases/change/change-link.ts';
import type { CreateLink } from '../core/use-cases/create/create-link.ts';
import type { LimitCause } from '../core/use-cases/visit/check-password.ts';
import type { Resolution, ResolveRequest } from '../core/use-cases/visit/resolution.ts';
import type { Observe } from './histogram.ts';
import { formatFields, type Log, type LogEvent } from './log.ts';
import type { AccessDenial, LimitName, Metrics } from './metrics.ts';
import type { Tracing } from './tracing.ts';

/** A use case that also logs and counts its outcome, with the correlation id of its request. */
export type Observed<UseCase extends (...input: never[]) => unknown> = (
  correlationId: string,
  ...input: Parameters<UseCase>
) => ReturnType<UseCase>;

export type Observers = { log: Log; metrics: Metrics };

/** Logs and counts each created link. Of its password, only its presence is logged; of its token, nothing. */
export function observeCreateLink(createLink: CreateLink, { log, metrics }: Observers): Observed<CreateLink> {
  return async (correlationId, target, wanted, author, client) => {
    const created = await createLink(target, wanted, author, client);
    reportCreated({ log, metrics }, { correlationId, link: created.link, author });
    return created;
  };
}

/** Logs and counts a new link. */
export function reportCreated(
  { log, metrics }: Observers,
  { correlationId, link, author }: { correlationId: string; link: NewLink; author: Author },
): void {
  const { type } = link.target;
  metrics.created.inc({ type });
  log.write('info', 'secure_link_created', {
    ...{ correlationId, type, shortCode: link.shortCode },
    expiresAt: link.expiresAt === null ? null : formatInstant(link.expiresAt),
    maxViews: link.maxViews,
    passwordProtected: link.passwordHash !== null,
    ...toLogFields(author),
  });
}

/** Counts an error of a queue that refused work or dropped it. */
export function countQueueError(error: unknown, { overloads, abandoned }: Metrics): void {
  if (error instanceof OverloadedError) overloads.inc({ queue: error.queue });
  else if (error instanceof ClientClosedError) abandoned.inc({ queue: error.queue });
}

/** Logs and counts each change of a link, with the names of the changed terms. */
export function observeChangeLink(changeLink: ChangeLink, { log, metrics }: Observers): Observed<ChangeLink> {
  return async (correlationId, sentCode, requested, author, client) => {
    const result = await changeLink(sentCode, requested, author, client);
    if (result.result !== 'changed') return result;
    metrics.changed.inc();
    log.write('info', 'secure_link_changed', {
      correlationId,
      shortCode: toAuditCode(sentCode),
      terms: result.changedTerms,
      ...toLogFields(author),
    });
    return result;
  };
}

/** Logs and counts each revoked link, and each request to revoke a link that does not exist. */
export function observeRevokeLink(revokeLink: RevokeLink, { log, metrics }: Observers): Observed<RevokeLink> {
  return async (correlationId, sentCode, author) => {
    const result = await revokeLink(sentCode, author);
    const shortCode = toAuditCode(sentCode);
    if (result === 'revoked') {
      metrics.revoked.inc();
      log.write('info', 'secure_link_revoked', { correlationId, shortCode, ...toLogFields(author) });
    } else if (result === 'not-found') {
      metrics.revokeDenials.inc({ reason: 'not_found' });
      log.write('info', 'secure_link_revoke_denied', { correlationId, shortCode, reason: 'not_found' });
    }
    return result;
  };
}

/** A request that was refused for its credentials. `uri` is the pattern of its path. */
type DeniedRequest = {
  correlationId: string;
  method: string;
  uri: string;
  reason: AccessDenial;
  author: Author;
};

/** Logs and counts a request that was refused for its credentials, never these themselves. */
export function reportAccessDenial(
  { log, metrics, refusalLines }: Observers & { refusalLines: RefusalLines },
  { author, ...denied }: DeniedRequest,
): void {
  metrics.accessDenials.inc({ reason: denied.reason });
  if (!refusalLines.add()) return;
  const { ipAddress } = author;
  log.write('info', 'access_denied', { ...denied, ipAddress, ...toLogFields(author) });
}

/** A change of a person, a team or a key. `name`: of which one. `members`: the names of what was changed, never values. */
export type AccessChange = {
  change:
    | `person_${'added' | 'changed' | 'deactivated' | 'invited' | 'invitation_mailed'}`
    | `team_${'added' | 'changed' | 'deleted'}`
    | `key_${'created' | 'revoked'}`
    | 'log_key_changed';
  name: string;
  members?: readonly string[];
};

/** Logs a change of a person, a team or a key, with its author. */
export function reportAccessChange(
  log: Log,
  { id, author }: { id: string; author: Author },
  change: AccessChange,
): void {
  log.write('info', 'access_changed', { correlationId: id, ...change, ...toLogFields(author) });
}

/** Names the author of a change who sent credentials, never these. Anonymous changes keep the specified fields. */
export function toLogFields({ kind, name }: Author): Record<string, string> {
  if (kind === 'ANONYMOUS') return {};
  return name === null ? { authorKind: kind } : { authorKind: kind, authorName: name };
}

/** A flood of refused requests would fill the disk with lines. */
const MAX_REFUSALS_PER_SECOND = 10;
const SECOND_MS = 1_000;

/** The part of a line of the log about a request, its fields formatted, apart from those of the response. */
export type RequestLine = { event: LogEvent; fields: string };

/**
 * An attempt that is under way. `fields`: those that its lines share, formatted once. `isLogged`: false if its lines are
 * left out. `line`: its outcome, until that is logged. `result`: what the audit records, once the attempt has ended.
 */
export type ObservedAttempt = {
  isPreview: boolean;
  startedAt: number;
  fields: string;
  isAnnounced: boolean;
  isLogged: boolean;
  line: RequestLine | undefined;
  result: AuditResult | null;
};

/** The ids by which lines of the log belong together. */
export type RequestIds = {
  correlationId: string;
  requestId: string | undefined;
  traceId: string | undefined;
};

/** Texts that JSON need not escape. */
const PLAIN = /^[\w-]*$/;

/** Formats the ids of an attempt, mostly without `JSON.stringify`, which takes as long as writing a line. */
function formatIds({ correlationId, requestId, traceId }: RequestIds, sentCode: string): string {
  const shortCode = toAuditCode(sentCode);
  if (
    requestId !== undefined ||
    traceId !== undefined ||
    !PLAIN.test(correlationId) ||
    !PLAIN.test(shortCode)
  )
    return formatFields({ correlationId, requestId, traceId, shortCode });
  return `"correlationId":"${correlationId}","shortCode":"${shortCode}"`;
}

/** Logs and counts attempts. A target is never logged. */
export type AttemptObserver = ReturnType<typeof createAttemptObserver>;

/**
 * Creates what logs and counts each attempt, at its start and with its outcome. While the lines of refusals are used up,
 * an attempt is only logged once it is known not to be refused by a limit.
 */
export function createAttemptObserver({ log, metrics }: Observers, refusalLines: RefusalLines) {
  const observeDuration = metrics.resolveDuration.bind({});

  function announce(attempt: ObservedAttempt): void {
    if (!attempt.isAnnounced) log.write('info', 'secure_link_resolve_attempt', attempt.fields);
    attempt.isAnnounced = true;
  }

  return {
    begin(
      ids: RequestIds,
      { shortCode, purpose }: Pick<ResolveRequest, 'shortCode' | 'purpose'>,
    ): ObservedAttempt {
      const isPreview = purpose === 'PREVIEW';
      const end = shortCode.indexOf('/'); // what follows may be a part of the target
      const fields = formatIds(ids, end === -1 ? shortCode : shortCode.slice(0, end));
      const startedAt = performance.now();
      const shared = { isPreview, startedAt, fields };
      const attempt = { ...shared, isAnnounced: isPreview, isLogged: true, line: undefined, result: null };
      if (!refusalLines.isFull()) announce(attempt);
      return attempt;
    },

    /** Counts the outcome of an attempt. Its line is left to its response, which may follow at once. */
    end(attempt: ObservedAttempt, resolution: Resolution): void {
      const isLogged = resolution.kind !== 'LIMITED' || refusalLines.add();
      attempt.isLogged = isLogged;
      if (isLogged) announce(attempt);
      const isAttempt = !attempt.isPreview && resolution.kind !== 'CONFIRM';
      if (isAttempt) {
        observeDuration((performance.now() - attempt.startedAt) / 1000);
        metrics.resolveAttempts.inc();
      }
      if ('viewCount' in resolution) {
        attempt.result = 'SUCCESS';
        metrics.resolveSuccesses.inc();
        const fields = `${attempt.fields},"viewCount":${resolution.viewCount}`;
        attempt.line = { event: 'secure_link_resolve_success', fields };
        return;
      }
      attempt.result = toAuditResult(isAttempt ? 'OPEN' : 'PREVIEW', resolution.verdict);
      if (resolution.kind === 'LIMITED') countRefusal(resolution.cause, metrics);
      // "`reason` is the result in lower case (`file_not_found` for a missing file)."
      const reason = resolution.verdict.toLowerCase();
      (isAttempt ? metrics.resolveDenials : metrics.previews).inc({ reason });
      const event = isAttempt ? 'secure_link_resolve_denied' : 'secure_link_preview';
      if (isLogged) attempt.line = { event, fields: `${attempt.fields},"reason":"${reason}"` };
    },

    /** Counts an attempt that failed with an error, unless it has ended before. One that a queue refused has no record. */
    fail(attempt: ObservedAttempt, error: unknown): void {
      if (attempt.result !== null) return;
      announce(attempt);
      const hasRecord = !(error instanceof OverloadedError || error instanceof ClientClosedError);
      if (hasRecord && !attempt.isPreview) metrics.resolveAttempts.inc();
    },
  };
}

const LIMITS = {
  WRONG_PASSWORDS: 'wrong_passwords',
  UNKNOWN_CODES: 'unknown_codes',
  RECIPIENT_CODES: 'recipient_codes',
} as const satisfies Partial<Record<LimitCause, LimitName>>;

function countRefusal(cause: LimitCause, { rateLimited, overloads }: Metrics): void {
  if (cause === 'OVERLOAD') overloads.inc({ queue: 'passwords' });
  else if (cause !== 'NO_MAIL') rateLimited.inc({ limit: LIMITS[cause] });
}

export type RefusalLines = ReturnType<typeof createRefusalLines>;

/**
 * Bounds how many refusals are logged in a second, and logs the number of the others. They are attempts that a limit
 * refused, and requests without sufficient credentials.
 */
export function createRefusalLines(log: Log, startTimer: StartTimer) {
  let count = 0;
  let cancelTimer: (() => void) | undefined;

  function endSecond(): void {
    cancelTimer?.();
    cancelTimer = undefined;
    if (count > MAX_REFUSALS_PER_SECOND)
      log.write('info', 'secure_link_refusals_not_logged', { count: count - MAX_REFUSALS_PER_SECOND });
    count = 0;
  }

  return {
    isFull: () => count >= MAX_REFUSALS_PER_SECOND,
    /** Returns whether refusals were left out in this second. */
    isExceeded: () => count > MAX_REFUSALS_PER_SECOND,
    /** Counts a refusal. Returns whether it is logged. */
    add(): boolean {
      cancelTimer ??= startTimer(endSecond, SECOND_MS);
      count += 1;
      return count <= MAX_REFUSALS_PER_SECOND;
    },
    /** Logs how many were left out in the second that has not ended. */
    close: endSecond,
  };
}

/** Counts each batch of operations that a store commits. */
export function createBatchObserver({ batchSizes, batchSeconds }: Metrics): OnBatch {
  const series: Record<string, { observeSize: Observe; observeSeconds: Observe }> = {};
  return (operation, { size, seconds }) => {
    series[operation] ??= {
      observeSize: batchSizes.bind({ operation }),
      observeSeconds: batchSeconds.bind({ operation }),
    };
    series[operation].observeSize(size);
    series[operation].observeSeconds(seconds);
  };
}

/** A request whose response has ended. */
export type FinishedRequest = {
  /** Identifies the request to its trace. */
  request: object;
  method: string;
  /** The pattern of the path. Metrics and log must not contain paths. */
  route: string;
  status: number;
  durationMs: number;
  /** The bytes of the response, headers included. */
  sizeBytes: number;
  /** The line to which the fields of the response are added; undefined for a request that is not logged. */
  line: RequestLine | undefined;
  result?: AuditResult | null | undefined;
  /** Only where addresses are logged. */
  ipAddress: string | null | undefined;
};

/** Logs and counts each request when its response has ended. */
export type RequestObserver = ReturnType<typeof createRequestObserver>;

export function createRequestObserver(observers: Observers & { tracing: Tracing | undefined }) {
  const { log, metrics, tracing } = observers;
  const allSeries: Record<string, Record<string, { observe: Observe; text: string }[]>> = {};

  return (request: FinishedRequest): void => {
    const { method, route, status, durationMs, line, result, ipAddress, sizeBytes } = request;
    tracing?.endRequest(request.request, `${method} ${route}`, toSpanAttributes(request), status >= 500);
    allSeries[route] ??= {};
    allSeries[route][method] ??= [];
    allSeries[route][method][status] ??= {
      observe: metrics.requests.bind({ method, uri: route, status }),
      text: formatFields({ method, route, status }),
    };
    const { observe, text } = allSeries[route][method][status];
    observe(durationMs / 1000);
    if (line === undefined) return;
    // Neither a result nor an address needs to be escaped.
    const outcome = result ? `${text},"result":"${result}"` : text;
    const client = ipAddress ? `,"ipAddress":"${ipAddress}"` : '';
    const ms = Math.round(durationMs * 10) / 10;
    log.write('info', line.event, `${line.fields},${outcome},"ms":${ms},"size":${sizeBytes}${client}`);
  };
}

/** Names attributes as the semantic conventions of OpenTelemetry do. A short code opens links, so it stays in the log. */
function toSpanAttributes({ method, route, status, result, sizeBytes }: FinishedRequest) {
  return {
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': status,
    'http.response.size': sizeBytes,
    'postern.result': result ?? undefined,
  };
}

/** Logs and counts each change of a short code, as a change of the link that had the former one. */
function observeChangeCode(changeCode: ChangeCode, { log, metrics }: Observers): Observed<ChangeCode> {
  return async (correlationId, sentCode, requested, author) => {
    const result = await changeCode(sentCode, requested, author);
    if (result.result !== 'changed') return result;
    metrics.changed.inc();
    log.write('info', 'secure_link_changed', {
      correlationId,
      shortCode: toAuditCode(sentCode),
      terms: ['shortCode'],
      ...toLogFields(author),
    });
    return result;
  };
}

type UseCases = {
  createLink: CreateLink;
  changeLink: ChangeLink;
  changeCode: ChangeCode;
  revokeLink: RevokeLink;
};

/** Logs and counts what requests do to links, except submissions and transfers. */
export const observeUseCases = (useCases: UseCases, observers: Observers) => ({
  createLink: observeCreateLink(useCases.createLink, observers),
  changeLink: observeChangeLink(useCases.changeLink, observers),
  changeCode: observeChangeCode(useCases.changeCode, observers),
  revokeLink: observeRevokeLink(useCases.revokeLink, observers),
});
