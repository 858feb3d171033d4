import { messageOf } from '../common/error-details.ts';
import type { LogEntry } from '../core/model/history.ts';
import type { LinkState, LinkStatus } from '../core/model/link.ts';
import { HOUR_MS } from '../core/model/time-units.ts';
import { type AuditResult, isPreviewResult } from '../core/model/verdict.ts';

/** One of so many entries of a history is one from which its reading can begin. */
export const ENTRIES_PER_JUMP = 128;

/** An entry, as far as projections follow from it. */
export type ProjectedEntry = Pick<LogEntry, 'seq' | 'number' | 'shortCode' | 'at'> &
  (
    | Pick<Extract<LogEntry, { kind: 'ATTEMPT' }>, 'kind' | 'result' | 'count' | 'ipAddress'>
    | { kind: Exclude<LogEntry['kind'], 'ATTEMPT'> }
  );

/** The changes of projections that follow from entries of the log. */
export type Projection = {
  /** By hour since 1970-01-01, UTC. */
  hours: Map<number, HourChanges>;
  jumps: { shortCode: string; seq: number; number: number }[];
  /** Wrong passwords by short code, those of previews included. */
  wrongPasswords: Map<string, number>;
  /** The view counts of links, after their entries. */
  views: Map<string, number>;
  /** The change of the number of links with each status. */
  statuses: StatusCounts;
};
/** `firstSeq` and `lastSeq`: of the entries of the hour. `counts`: attempts by result. `addresses`: without previews. */
type HourChanges = {
  firstSeq: number;
  lastSeq: number;
  counts: Map<AuditResult, number>;
  addresses: Set<string>;
};
export type StatusCounts = Partial<Record<LinkStatus, number>>;

export function createProjection(): Projection {
  return { hours: new Map(), jumps: [], wrongPasswords: new Map(), views: new Map(), statuses: {} };
}

/** Adds entries in the order of the log. */
export function addEntries(projection: Projection, entries: Iterable<ProjectedEntry>): void {
  for (const entry of entries) {
    const { seq, number, shortCode } = entry;
    const hour = hourOf(projection, Math.floor(entry.at / HOUR_MS), seq);
    if (number > 1 && number % ENTRIES_PER_JUMP === 1) projection.jumps.push({ shortCode, seq, number });
    if (entry.kind !== 'ATTEMPT') continue;
    const { result, count, ipAddress } = entry;
    add(hour.counts, result, count);
    if (ipAddress !== null && !isPreviewResult(result)) hour.addresses.add(ipAddress);
    if (isWrongPassword(result)) add(projection.wrongPasswords, shortCode, 1);
  }
}

/** Adds the views of links, after the entries that were added. */
export function addViews(projection: Projection, links: ReadonlyMap<string, { state: LinkState }>): void {
  for (const [shortCode, { state }] of links)
    if (state.viewCount > 0) projection.views.set(shortCode, state.viewCount);
}

export function addStatuses(statuses: StatusCounts, added: StatusCounts): void {
  for (const [status, count] of Object.entries(added) as [LinkStatus, number][]) // its keys are statuses
    statuses[status] = (statuses[status] ?? 0) + count;
}

/** Adds the changes of a later transaction. */
export function addProjection(projection: Projection, later: Projection): void {
  for (const [number, { firstSeq, lastSeq, counts, addresses }] of later.hours) {
    const hour = hourOf(projection, number, firstSeq);
    hour.lastSeq = Math.max(hour.lastSeq, lastSeq);
    for (const [result, count] of counts) add(hour.counts, result, count);
    for (const address of addresses) hour.addresses.add(address);
  }
  projection.jumps.push(...later.jumps);
  for (const [shortCode, count] of later.wrongPasswords) add(projection.wrongPasswords, shortCode, count);
  for (const [shortCode, views] of later.views)
    projection.views.set(shortCode, Math.max(views, projection.views.get(shortCode) ?? 0));
  addStatuses(projection.statuses, later.statuses);
}

/** Returns the error of a projection that stops at an entry, or at a transaction that begins with it. */
export function notProjected(seq: number | undefined, cause: unknown): Error {
  return new Error(`the entries from seq ${seq} on cannot be counted: ${messageOf(cause)}`, { cause });
}

function hourOf({ hours }: Projection, number: number, seq: number): HourChanges {
  const hour = hours.get(number) ?? { firstSeq: seq, lastSeq: seq, counts: new Map(), addresses: new Set() };
  hours.set(number, hour);
  hour.firstSeq = Math.min(hour.firstSeq, seq);
  hour.lastSeq = Math.max(hour.lastSeq, seq);
  return hour;
}

function isWrongPassword(result: AuditResult): boolean {
  return result === 'INVALID_PASSWORD' || result === 'PREVIEW_INVALID_PASSWORD';
}

function add<Key>(counts: Map<Key, number>, key: Key, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

/** A projection as JSON: maps as arrays of their entries. */
type ProjectionRecord = {
  hours: [hour: number, firstSeq: number, lastSeq: number, [AuditResult, number][], addresses: string[]][];
  jumps: Projection['jumps'];
  wrongPasswords: [string, number][];
  views: [string, number][];
  statuses: StatusCounts;
};

export function formatProjection({ hours, jumps, wrongPasswords, views, statuses }: Projection): string {
  return JSON.stringify({
    hours: [...hours].map(([hour, { firstSeq, lastSeq, counts, addresses }]) => [
      ...[hour, firstSeq, lastSeq],
      ...[[...counts], [...addresses]],
    ]),
    jumps,
    wrongPasswords: [...wrongPasswords],
    views: [...views],
    statuses,
  });
}

export function parseProjection(text: string): Projection {
  const { hours, jumps, wrongPasswords, views, statuses } = JSON.parse(text) as ProjectionRecord; // as `formatProjection` wrote it
  if (hours.some(([hour]) => !Number.isSafeInteger(hour))) throw new TypeError('an hour is no integer');
  return {
    hours: new Map(
      hours.map(([hour, firstSeq, lastSeq, counts, addresses]) => [
        hour,
        { firstSeq, lastSeq, counts: new Map(counts), addresses: new Set(addresses) },
      ]),
    ),
    jumps,
    wrongPasswords: new Map(wrongPasswords),
    views: new Map(views),
    statuses,
  };
}
