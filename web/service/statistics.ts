import { requestJson, toPath } from './api.ts';
import { ceilToHour, fromClock, toClock } from './clock.ts';
import type {
  AccessSummary,
  AttemptEntry,
  Devices,
  Health,
  HourlyBucket,
  LinkStatusCounts,
  OwnStatistics,
  Period,
  PeriodUnit,
  Referrers,
  ResultCount,
  SecurityException,
  SentLinks,
  TopLink,
} from './contract.ts';
import type { Outcome } from './outcome.ts';
import { request, toDocument } from './requests.ts';
import { REFUSALS } from './results.ts';
import type { Whose } from './whose.ts';

/** The links that were created in a range, the attempts of the range, and how they ended. */
export type Totals = {
  sent: SentLinks;
  summary: AccessSummary;
  /** Only the results that any attempt had, and those of previews, which are not attempts. */
  results: ResultCount[];
};

export type Statistics = Totals & {
  /** Of the period before, if there is one to compare. */
  before?: Totals;
  /** Only the periods that have any attempt. `failed` has no password requests: an honest visitor makes one first. */
  periods: Period[];
  hours: HourlyBucket[];
  sources: Sources;
  /** The newest attempts that opened a link or were refused, as far as the user may read histories. */
  latest: LatestAttempt[];
  /** The rest covers all time. */
  topLinks: TopLink[];
  /** Undefined of the links of one owner. */
  exceptions?: SecurityException[];
  linkCounts: LinkStatusCounts;
};

/** The referrers of views, and the devices that opened links. `isTruncated`: only the newest entries were counted. */
export type Sources = Referrers & Devices;

export type LatestAttempt = Pick<AttemptEntry, 'shortCode' | 'at' | 'result' | 'count'>;

/**
 * A time range from `start` up to, not including, `end`, in whole periods of `unit`. With a `zone`, its times are the clock of
 * that time zone, written as if it were UTC.
 */
export type Span = { start: Date; end: Date; unit: PeriodUnit; zone?: string };

const MAX_TOP_LINKS = 10;
const MAX_EXCEPTIONS = 5;
const MAX_NAMES = 10;
const MAX_LATEST = 6;
/** The result that is left out of the latest attempts on all links: nearly always of a short code that no link has. */
export const UNLISTED_RESULT = 'NOT_FOUND';
const LATEST_RESULTS = ['SUCCESS', ...REFUSALS.filter((result) => result !== UNLISTED_RESULT)].join();

type Asked = {
  span: Span;
  /** The span to compare with, which may end within an hour. */
  before?: Span | undefined;
  /** True if the user may read the histories of all links. */
  readsHistories: boolean;
};

/**
 * Requests all statistics at once, and returns all of them or the first that failed. Periods are by the clock of the span.
 */
export async function fetchStatistics(
  whose: Whose,
  { span, before, readsHistories }: Asked,
  signal: AbortSignal,
): Promise<Outcome<Statistics>> {
  const formerTotals = before && fetchTotals(whose, before, signal);
  // Attempts are counted by whole hours of UTC: each panel counts those that begin within the span.
  const [start, end] = [ceilToHour(span.start).toISOString(), ceilToHour(span.end).toISOString()];
  const { unit, zone = 'UTC' } = span;
  const range = { start, end };
  const outcome = await (whose === 'mine'
    ? toOwn(requestJson('GET', '/api/stats/mine', { query: { ...range, unit, zone }, signal }))
    : combine<Omit<Statistics, 'sources' | 'before'> & { referrers: Referrers; devices: Devices }>({
        sent: requestJson('GET', '/api/stats/links/sent', { query: range, signal }),
        latest: fetchLatest(readsHistories, range, signal),
        summary: requestJson('GET', '/api/stats/access/summary', { query: range, signal }),
        periods: requestJson('GET', '/api/stats/access/over-time', {
          query: { ...range, unit, zone },
          signal,
        }),
        hours: requestJson('GET', '/api/stats/access/hourly', { query: { ...range, zone }, signal }),
        results: requestJson('GET', '/api/stats/access/by-result', {
          query: { ...range, previews: 'true' },
          signal,
        }),
        referrers: requestJson('GET', '/api/stats/referrers', {
          query: { ...range, limit: MAX_NAMES },
          signal,
        }),
        devices: requestJson('GET', '/api/stats/devices', { query: { ...range, limit: MAX_NAMES }, signal }),
        topLinks: requestJson('GET', '/api/stats/links/top', { query: { limit: MAX_TOP_LINKS }, signal }),
        exceptions: requestJson('GET', '/api/stats/security/exceptions', {
          query: { limit: MAX_EXCEPTIONS },
          signal,
        }),
        linkCounts: requestJson('GET', '/api/stats/links', { signal }),
      }));
  if (outcome.kind !== 'DONE') return outcome;
  const former = await formerTotals;
  if (former && former.kind !== 'DONE') return former;
  const { referrers, devices, periods, ...statistics } = outcome.value;
  const shown = {
    periods: periods.map(({ start, failed, ...period }) => ({
      ...{ ...period, start: toClock(new Date(start)).toISOString() },
      failed: failed - period.passwordRequests,
    })),
    sources: { ...referrers, ...devices },
    latest: statistics.latest.slice(0, MAX_LATEST),
    ...(former && { before: former.value }),
  };
  return { kind: 'DONE', value: { ...statistics, ...shown } };
}

/** Requests the newest attempts on links that opened them or were refused. */
async function fetchLatest(
  readsHistories: boolean,
  range: { start: string; end: string },
  signal: AbortSignal,
): Promise<Outcome<LatestAttempt[]>> {
  if (!readsHistories) return { kind: 'DONE', value: [] };
  const query = { ...range, result: LATEST_RESULTS, limit: MAX_LATEST };
  const outcome = await requestJson('GET', '/api/audit', { query, signal });
  if (outcome.kind !== 'DONE') return outcome;
  const attempts = outcome.value.items.filter((entry) => entry.kind === 'ATTEMPT');
  return { kind: 'DONE', value: attempts.filter(({ number }) => number > 0) };
}

async function fetchTotals(whose: Whose, span: Span, signal: AbortSignal): Promise<Outcome<Totals>> {
  const query = { start: ceilToHour(span.start).toISOString(), end: fromClock(span.end).toISOString() };
  return whose === 'mine'
    ? requestJson('GET', '/api/stats/mine', { query, signal })
    : combine<Totals>({
        sent: requestJson('GET', '/api/stats/links/sent', { query, signal }),
        summary: requestJson('GET', '/api/stats/access/summary', { query, signal }),
        results: requestJson('GET', '/api/stats/access/by-result', { query, signal }),
      });
}

async function toOwn(request: Promise<Outcome<OwnStatistics>>) {
  const outcome = await request;
  if (outcome.kind !== 'DONE') return outcome;
  const { summary, periods, hours, results, topLinks, links, sent, latest, ...sources } = outcome.value;
  const value = { summary, periods, hours, results, topLinks, linkCounts: links, sent, latest };
  return { kind: 'DONE' as const, value: { ...value, referrers: sources, devices: sources } };
}

/** Combines the outcomes of several requests. */
async function combine<Values extends object>(
  requests: { [Name in keyof Values]: Promise<Outcome<Values[Name]>> },
): Promise<Outcome<Values>> {
  const values: Partial<Values> = {};
  for (const name in requests) {
    const outcome = await requests[name];
    if (outcome.kind !== 'DONE') return outcome;
    values[name] = outcome.value;
  }
  // Each name of `requests` was assigned its value.
  return { kind: 'DONE', value: values as Values };
}

/** Returns the health of the service, also with status 503, or null when there is none to read. */
export async function fetchHealth(signal: AbortSignal): Promise<Health | null> {
  const reply = await request(toPath('/actuator/health'), { signal }, 503);
  const outcome = reply.kind === 'DONE' ? toDocument<Health>(reply.value.body) : reply;
  // A proxy in front of the service may send a 503 with a body of its own.
  return outcome.kind === 'DONE' && typeof outcome.value.status === 'string' ? outcome.value : null;
}
