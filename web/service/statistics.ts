import type {
  AccessSummary,
  Health,
  HourlyBucket,
  LinkStatusCounts,
  Period,
  PeriodUnit,
  ResultCount,
  SecurityException,
  TopLink,
} from './contract.ts';
import type { Outcome } from './outcome.ts';
import { requestJson } from './requests.ts';

export type Statistics = {
  summary: AccessSummary;
  /** Only the periods that have any attempt. */
  periods: Period[];
  hours: HourlyBucket[];
  /** Only the results that any attempt had, and those of previews, which are not attempts. */
  results: ResultCount[];
  /** The rest covers all time. */
  topLinks: TopLink[];
  exceptions: SecurityException[];
  linkCounts: LinkStatusCounts;
};

/**
 * A time range from `start` up to, not including, `end`, in whole periods of `unit`. With a `zone`, its times are the clock of
 * that time zone, written as if it were UTC.
 */
export type Span = { start: Date; end: Date; unit: PeriodUnit; zone?: string };

const MAX_TOP_LINKS = 10;
const MAX_EXCEPTIONS = 5;

/** Requests all statistics at once, and returns all of them or the first that failed. */
export function fetchStatistics(span: Span, signal: AbortSignal): Promise<Outcome<Statistics>> {
  const range = `start=${span.start.toISOString()}&end=${span.end.toISOString()}`;
  const get = <Value>(path: string) => requestJson<Value>(`api/stats/${path}`, { signal });
  return combine<Statistics>({
    summary: get(`access/summary?${range}`),
    periods: get(`access/over-time?unit=${span.unit}&${range}`),
    hours: get(`access/hourly?${range}`),
    results: get(`access/by-result?previews=true&${range}`),
    topLinks: get(`links/top?limit=${MAX_TOP_LINKS}`),
    exceptions: get(`security/exceptions?limit=${MAX_EXCEPTIONS}`),
    linkCounts: get('links'),
  });
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
  const outcome = await requestJson<Health>('actuator/health', { signal }, 503);
  // A proxy in front of the service may send a 503 with a body of its own.
  return outcome.kind === 'DONE' && typeof outcome.value.status === 'string' ? outcome.value : null;
}
