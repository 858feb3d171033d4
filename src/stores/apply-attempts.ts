import {
  type Attempt,
  type AttemptOutcome,
  type AuditRecord,
  CHANGED,
  toAuditResult,
} from '../links/attempt.ts';
import { appendEntry, EMPTY_CHAIN, nextPlace } from '../links/chain.ts';
import { decide, dependsOnLink, isOutdated } from '../links/decide-attempt.ts';
import type { ChainHead, ChainPlace } from '../links/history.ts';
import type { LinkState, LinkStatus } from '../links/link.ts';
import { type LinkEvent, type LinkEvents, toAttemptEvents } from '../links/link-event.ts';
import { HOUR_MS } from '../links/time-units.ts';
import { type AuditResult, isPreviewResult } from '../links/verdict.ts';
import { ABANDONED, type IsAbandoned } from './departures.ts';

const HOURS_PER_DAY = 24;

/** Everything that a batch of attempts changes in a store, each row once. */
export type BatchEffects = {
  /** One per attempt, in the attempts' order. */
  outcomes: BatchOutcome[];
  /** One per attempt that was decided, in the attempts' order. */
  records: NumberedRecord[];
  /** The links after the attempts. */
  links: ReadonlyMap<string, LinkState>;
  /** The links with new entries, each with the new end of its chain. */
  heads: Map<string, ChainHead>;
  /** The links whose view count changed, in their new state. */
  viewed: Map<string, LinkState>;
  /** The links that left ACTIVE, with their new status. */
  statusChanges: Map<string, LinkStatus>;
  /** Wrong passwords by short code, those of previews included. */
  invalidPasswords: Map<string, number>;
  /** Attempts by hour (hours since 1970-01-01, UTC), then by result. */
  byHour: Counts;
  /** Attempts by UTC day (days since 1970-01-01), then by result. */
  byDay: Counts;
  /** Attempts by hour of the day in UTC, then by result. */
  byHourOfDay: Counts;
  /** The client addresses of the attempts, without previews. */
  origins: Set<string>;
  /** The events of attempts that notify others, by link. */
  events: LinkEvents[];
};
/** A record with its place in its link's chain; the number 0 for an attempt without a link. */
export type NumberedRecord = AuditRecord & ChainPlace;
/** The outcome of one attempt of a batch. */
export type BatchOutcome = AttemptOutcome | typeof ABANDONED;
/** Numbers of attempts by time, then by result. */
export type Counts = Map<number, Map<AuditResult, number>>;

/**
 * Runs `decide` on attempts in their order, each on the state that the one before left. Abandoned and outdated ones are
 * not decided: they have no effect and no record.
 *
 * @param links the states of the attempts' links, by short code; a code without a link is absent
 * @param heads the ends of the chains of these links; a link without entries may be absent
 */
export function applyAttempts(
  links: ReadonlyMap<string, LinkState>,
  attempts: readonly Attempt[],
  isAbandoned: IsAbandoned = () => false,
  heads: ReadonlyMap<string, ChainHead> = new Map(),
): BatchEffects {
  const current = new Map(links);
  const effects: BatchEffects = {
    outcomes: [],
    records: [],
    links: current,
    heads: new Map(),
    viewed: new Map(),
    statusChanges: new Map(),
    invalidPasswords: new Map(),
    byHour: new Map(),
    byDay: new Map(),
    byHourOfDay: new Map(),
    origins: new Set(),
    events: [],
  };
  const eventsByLink = new Map<string, LinkEvent[]>();
  for (const [index, attempt] of attempts.entries()) {
    if (isAbandoned(index)) {
      effects.outcomes.push(ABANDONED);
      continue;
    }
    const before = current.get(attempt.shortCode);
    if (before && isOutdated(before, attempt)) {
      effects.outcomes.push({ verdict: CHANGED, viewCount: before.viewCount });
      continue;
    }
    const { verdict, link } = decide(before, attempt, attempt.at);
    if (before && link && link !== before) {
      current.set(attempt.shortCode, link);
      if (link.viewCount !== before.viewCount) effects.viewed.set(attempt.shortCode, link);
      if (link.status !== before.status) effects.statusChanges.set(attempt.shortCode, link.status);
    }
    effects.outcomes.push({ verdict, viewCount: link?.viewCount ?? 0 });
    const result = toAuditResult(attempt.purpose, verdict);
    const place = before && dependsOnLink(attempt) ? chain(effects, heads, attempt, result) : OUTSIDE_CHAINS;
    record(effects, attempt, result, place);
    const { number } = place;
    if (attempt.notifies && before && link && number > 0) {
      const events = eventsByLink.get(attempt.shortCode) ?? [];
      events.push(...toAttemptEvents(attempt, { result, number }, before, link));
      eventsByLink.set(attempt.shortCode, events);
    }
  }
  effects.events = withHeads(eventsByLink, effects.heads);
  return effects;
}

/** Appends an attempt to the chain of its link, and returns its place there. */
function chain(
  { heads }: BatchEffects,
  before: ReadonlyMap<string, ChainHead>,
  { id, shortCode, ipAddress, userAgent, at, count = 1 }: Attempt,
  result: AuditResult,
): ChainPlace {
  const head = heads.get(shortCode) ?? before.get(shortCode) ?? EMPTY_CHAIN;
  const next = appendEntry(head, { kind: 'ATTEMPT', id, at, shortCode, result, count, ipAddress, userAgent });
  heads.set(shortCode, next);
  return nextPlace(head);
}

const OUTSIDE_CHAINS: ChainPlace = { number: 0, prev: null };

function withHeads(
  eventsByLink: ReadonlyMap<string, LinkEvent[]>,
  heads: ReadonlyMap<string, ChainHead>,
): LinkEvents[] {
  return [...eventsByLink]
    .filter(([, events]) => events.length > 0)
    .map(([shortCode, events]) => ({ shortCode, head: heads.get(shortCode) ?? EMPTY_CHAIN, events }));
}

function record(effects: BatchEffects, attempt: Attempt, result: AuditResult, place: ChainPlace): void {
  const { id, shortCode, ipAddress, userAgent, at, count = 1 } = attempt;
  effects.records.push({ id, shortCode, result, count, ipAddress, userAgent, accessedAt: at, ...place });
  const hour = Math.floor(at / HOUR_MS);
  addCount(effects.byHour, hour, { result, count });
  addCount(effects.byDay, Math.floor(hour / HOURS_PER_DAY), { result, count });
  addCount(effects.byHourOfDay, hour % HOURS_PER_DAY, { result, count });
  if (result === 'INVALID_PASSWORD' || result === 'PREVIEW_INVALID_PASSWORD') {
    effects.invalidPasswords.set(shortCode, (effects.invalidPasswords.get(shortCode) ?? 0) + 1);
  }
  if (ipAddress !== null && !isPreviewResult(result)) effects.origins.add(ipAddress);
}

function addCount(
  counts: Counts,
  time: number,
  { result, count }: { result: AuditResult; count: number },
): void {
  const byResult = counts.get(time) ?? new Map<AuditResult, number>();
  counts.set(time, byResult);
  byResult.set(result, (byResult.get(result) ?? 0) + count);
}
