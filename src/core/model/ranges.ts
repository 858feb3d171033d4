import type { ChainHead, EpochMs } from './link.ts';
import type { AuditResult } from './verdict.ts';

/** A range of time, `start` inclusive and `end` exclusive; null leaves that side open. */
export type TimeRange = { start: EpochMs | null; end: EpochMs | null };

/** The periods of time by which attempts are counted. */
export type PeriodUnit = 'hour' | 'day';

/** `passwordRequests`: attempts without a password or a code, which an honest visitor makes first. */
export type Period = { startsAt: EpochMs; total: number; success: number; passwordRequests: number };

/**
 * Selects entries of the history. Null selects all. Results select attempts only.
 *
 * `head`: the end of the chain of the link `shortCode`, from which its entries are read. Null reads the entries of all
 * links, also attempts without a link.
 */
export type HistoryFilter = {
  shortCode: string | null;
  head: ChainHead | null;
  range: TimeRange;
  results: readonly AuditResult[] | null;
  /** The address of the visitor, or of the author of a change. */
  ipAddress: string | null;
};

/** `before`: the `next` of the page before; null for the newest entries. `limit`: 1 to `MAX_PAGE_ITEMS`. */
export type HistoryQuery = HistoryFilter & { before: string | null; limit: number };

/** The largest `limit` of a page of the history. */
export const MAX_PAGE_ITEMS = 1000;

/** The largest `limit` of `topLinks` and `securityExceptions`. */
export const MAX_RANKED_LINKS = 1000;
