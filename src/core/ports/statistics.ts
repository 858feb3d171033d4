import type { EpochMs, Link, LinkStatus } from '../model/link.ts';
import type { Period, PeriodUnit, TimeRange } from '../model/ranges.ts';
import type {
  AccessTotals,
  AttemptsOfLinks,
  LinkCount,
  SentLinks,
  ViewSources,
} from '../model/statistics.ts';

/** Statistics of attempts and of links. */
export interface StatisticsStore {
  /** Counts attempts by result, and distinct client addresses, both at one moment of the audit. */
  accessTotals(range: TimeRange): Promise<AccessTotals>;
  /** Counts attempts by result alone, which takes a fraction of the time. */
  resultCounts(range: TimeRange): Promise<Pick<AccessTotals, 'countsByResult'>>;
  /** Counts attempts by hour of the day in UTC, ascending, without empty hours. */
  hourly(range: TimeRange): Promise<{ hour: number; count: number }[]>;
  /** Counts attempts by UTC date (`YYYY-MM-DD`), ascending, without empty dates. */
  daily(range: TimeRange): Promise<{ date: string; count: number }[]>;
  /** Counts attempts by whole hours or UTC days that begin within the range, ascending, no empty ones. */
  overTime(unit: PeriodUnit, range: TimeRange): Promise<Period[]>;
  linkCounts(): Promise<Record<LinkStatus, number>>;
  /** Counts the newest links that were created in a range, of all owners or of one, by whether they were opened until `now`. */
  sentLinks(range: TimeRange, now: EpochMs, owner: string | null): Promise<SentLinks>;
  /** Ranks links by views, most first, ties by short code, without links that have none. */
  topLinks(limit: number): Promise<LinkCount[]>;
  /** Ranks links by wrong passwords, those of previews included, like `topLinks`. */
  securityExceptions(limit: number): Promise<LinkCount[]>;
  /** Counts views by where they came from and by what opened them, among the newest entries. */
  viewSources(range: TimeRange): Promise<ViewSources>;
  /** Counts the attempts on some links, and the sources of their views, among the newest entries of each. */
  attemptsOfLinks(shortCodes: readonly string[], range: TimeRange): Promise<AttemptsOfLinks>;
  /** Returns those of the links that exist, in any order. */
  readLinks(shortCodes: readonly string[]): Promise<Link[]>;
}
