import { DAY_MS, HOUR_MS } from '../../src/core/model/time-units.ts';
import { countDevices, sumNames } from '../../src/core/model/user-agent.ts';
import { REQUESTS } from '../../src/core/model/verdict.ts';
import type { AttemptEntry, Period } from '../service/contract.ts';
import type { Entry } from '../service/history.ts';
import type { Sources, Span, Statistics } from '../service/statistics.ts';

/** Longer histories by hour, or by day, would have more bars than pixels. */
const MAX_HOURS_MS = 2 * DAY_MS;
const MAX_DAYS = 366;

/** The attempts of one address. A request for the password or a code is neither. `lastAt` is the time of the newest. */
export type AddressCount = { address: string | null; opened: number; refused: number; lastAt: string };

/** The counts of the attempts that the charts show. */
type AggregatedHistory = {
  span: Span;
  periods: Period[];
  results: Statistics['results'];
  sources: Sources;
  /** Most views first, then the newest. */
  addresses: AddressCount[];
};

/**
 * Counts the attempts among entries. Their times need not be in the order of the entries. Returns undefined for none.
 *
 * @param offsetMs returns what the clock of the reader is ahead of UTC at a time
 */
export function aggregateHistory(entries: Entry[], offsetMs = (_: Date) => 0): AggregatedHistory | undefined {
  const clock: Clock = (at) => Date.parse(at) + offsetMs(new Date(at));
  const attempts = entries.filter((entry) => entry.kind === 'ATTEMPT');
  if (attempts.length === 0) return undefined;
  const times = attempts.map(({ at }) => clock(at));
  const span = toSpan(Math.min(...times), Math.max(...times));
  return {
    span,
    periods: countPeriods(attempts, span, clock),
    results: countResults(attempts),
    sources: countSources(attempts),
    addresses: countAddresses(attempts),
  };
}

/** Returns the time that a clock shows, in milliseconds. */
type Clock = (at: string) => number;

function toSpan(oldestMs: number, newestMs: number): Span {
  const unit = newestMs - oldestMs <= MAX_HOURS_MS ? 'hour' : 'day';
  const unitMs = unit === 'hour' ? HOUR_MS : DAY_MS;
  const endMs = (Math.floor(newestMs / unitMs) + 1) * unitMs;
  const startMs = Math.max(Math.floor(oldestMs / unitMs) * unitMs, endMs - MAX_DAYS * DAY_MS);
  return { start: new Date(startMs), end: new Date(endMs), unit };
}

const PERIOD_COUNTS = { opened: 'success', refused: 'failed', requested: 'passwordRequests' } as const;

function kindOf(result: AttemptEntry['result']): keyof typeof PERIOD_COUNTS {
  if (result === 'SUCCESS') return 'opened';
  return REQUESTS.includes(result) ? 'requested' : 'refused';
}

/** Counts attempts, without previews, by hour or day. */
function countPeriods(attempts: AttemptEntry[], { start, unit }: Span, clock: Clock): Period[] {
  const unitMs = unit === 'hour' ? HOUR_MS : DAY_MS;
  const periods = new Map<number, Period>();
  for (const { at, result, count, preview } of attempts) {
    const startsAt = Math.floor(clock(at) / unitMs) * unitMs;
    if (preview || startsAt < start.getTime()) continue;
    const period = periods.get(startsAt) ?? {
      start: new Date(startsAt).toISOString(),
      total: 0,
      success: 0,
      failed: 0,
      passwordRequests: 0,
    };
    period.total += count;
    period[PERIOD_COUNTS[kindOf(result)]] += count;
    periods.set(startsAt, period);
  }
  return [...periods.values()];
}

function countResults(attempts: AttemptEntry[]): Statistics['results'] {
  const counts = new Map<AttemptEntry['result'], number>();
  for (const { result, count } of attempts) counts.set(result, (counts.get(result) ?? 0) + count);
  return [...counts].map(([result, count]) => ({ result, count }));
}

function countSources(attempts: AttemptEntry[]): Sources {
  const views = attempts.filter(({ result }) => result === 'SUCCESS');
  return {
    ...{
      views: views.length,
      isTruncated: false,
      referrers: sumNames(views, ({ referrer }) => referrer ?? null),
    },
    ...countDevices(sumNames(views, ({ userAgent }) => userAgent)),
  };
}

function countAddresses(attempts: AttemptEntry[]): AddressCount[] {
  const counts = new Map<string | null, AddressCount>();
  for (const { ipAddress: address, at, result, count, preview } of attempts) {
    if (preview) continue;
    const ofAddress = counts.get(address) ?? { address, opened: 0, refused: 0, lastAt: at };
    const kind = kindOf(result);
    if (kind !== 'requested') ofAddress[kind] += count;
    if (at > ofAddress.lastAt) ofAddress.lastAt = at;
    counts.set(address, ofAddress);
  }
  return [...counts.values()].sort((a, b) => b.opened - a.opened || (a.lastAt < b.lastAt ? 1 : -1));
}
