import { isBrowser } from '../../src/core/model/user-agent.ts';
import { requestPage, toPath } from './api.ts';
import { credentialHeaders, loadKey } from './api-key.ts';
import type { AttemptEntry, AuditResult, HistoryPage } from './contract.ts';
import { type LinkReference, ofLink } from './links.ts';
import type { Outcome } from './outcome.ts';
import { type PageRequest, serviceUrl, toDayRange } from './requests.ts';

/** One entry: an attempt to open the link, or a change of the link. */
export type Entry = HistoryPage['items'][number];

/** Returns the number of an entry in the history, and those of the ends of its downloads. */
export function numbersOf(entry: Entry): number[] {
  const ends = entry.kind === 'ATTEMPT' ? entry.downloads : [];
  return [entry.number, ...ends.map(({ number }) => number)];
}

/** Selects entries. Dates are local days, inclusive, such as `2026-06-15`, or empty. */
export type HistoryFilter = { results: readonly AuditResult[]; from: string; to: string; address: string };

export const NO_FILTER: HistoryFilter = { results: [], from: '', to: '', address: '' };

export function isFiltered(filter: HistoryFilter): boolean {
  return JSON.stringify(filter) !== JSON.stringify(NO_FILTER);
}

/** Requests one page of the history of a link, newest first. */
export function fetchHistory(
  link: LinkReference,
  filter: HistoryFilter,
  page: PageRequest,
): Promise<Outcome<HistoryPage>> {
  return requestPage('/api/links/{shortCode}/history', page, {
    ...ofLink(link),
    query: toParameters(filter),
  });
}

/** Downloads the history as a file. The browser keeps a large one on the disk. Throws when it cannot be had. */
export async function exportHistory(
  link: LinkReference,
  filter: HistoryFilter,
  type: 'text/csv' | 'application/x-ndjson',
): Promise<Blob> {
  const path = toPath('/api/links/{shortCode}/history', { ...ofLink(link), query: toParameters(filter) });
  const headers = { accept: type, ...credentialHeaders(loadKey(), link.token) };
  const response = await fetch(serviceUrl(path), { headers });
  if (!response.ok) throw new Error(`The export got HTTP ${response.status}`);
  return response.blob();
}

function toParameters({ results, address, ...days }: HistoryFilter): Record<string, string> {
  return {
    ...(results.length > 0 && { result: results.join(',') }),
    ...toDayRange(days),
    ...(address !== '' && { address }),
  };
}

/**
 * Attempts of one client with one result: the newest, and those directly before it. `steps`: the pages that the visitor got on
 * the way to them.
 */
export type EntryGroup = { entry: Entry; repeats: Entry[]; steps: Entry[] };

/**
 * Groups repeated attempts of one client, newest first.
 *
 * @param isRequest true for a file request: each submission is a group of its own
 */
export function groupRepeats(entries: Entry[], isRequest = false): EntryGroup[] {
  const groups: (EntryGroup & { kind: string | null })[] = [];
  for (const entry of entries) {
    const isSubmission = isRequest && entry.kind === 'ATTEMPT' && entry.result === 'SUCCESS';
    const kind = isSubmission ? null : kindOf(entry);
    const last = groups.at(-1);
    const opening = last && (last.repeats.at(-1) ?? last.entry);
    if (opening && leadsTo(entry, opening, last.steps)) last.steps.push(entry);
    else if (kind !== null && last?.kind === kind) last.repeats.push(entry);
    else groups.push({ entry, kind, repeats: [], steps: [] });
  }
  return groups;
}

/** Returns whether a browser got the page that comes before opening. Several previews in one entry are those that a limit refused. */
export const isPageShown = ({
  result,
  count,
  userAgent,
}: Pick<AttemptEntry, 'result' | 'count' | 'userAgent'>): boolean =>
  result === 'PREVIEW' && count === 1 && userAgent !== null && isBrowser(userAgent);

/** A visitor who opens a link within this time of getting its page does so in one visit. */
const VISIT_MS = 10 * 60_000;

/** The page, and then the one after the password, or the start of an upload. */
const MAX_STEPS = 2;

/**
 * Returns whether an attempt got only the page on which the same visitor then opened the link, or sent files. Earlier ones than
 * a visit needs do not: they can be of another person with the same browser and IP address.
 *
 * @param known the later steps, some of them to later openings
 */
export function leadsTo(step: Entry, opening: Entry, known: readonly Entry[]): boolean {
  const ofOpening = known.filter(({ number }) => number < opening.number);
  return (
    step.kind === 'ATTEMPT' &&
    opening.kind === 'ATTEMPT' &&
    opening.result === 'SUCCESS' &&
    (step.result === 'PASSWORD_REQUIRED' || isPageShown(step)) &&
    [step, opening].every(({ personalSha256 }) => personalSha256 === undefined) &&
    step.ipAddress === opening.ipAddress &&
    step.userAgent === opening.userAgent &&
    ofOpening.length < MAX_STEPS &&
    Date.parse(opening.at) - Date.parse(step.at) <= VISIT_MS
  );
}

/** Returns what repeated attempts have in common, or null for an entry that is shown alone. */
function kindOf(entry: Entry): string | null {
  if (entry.kind !== 'ATTEMPT' || entry.downloads.length > 0 || entry.personalSha256 !== undefined)
    return null;
  const { result, count, ipAddress, userAgent, number, recipientAddress = null } = entry;
  return JSON.stringify([result, count, ipAddress, userAgent, number === 0, recipientAddress]);
}

/** The entries of the first request, and those that each press of a button shows. */
export const SHOWN_AT_ONCE = 100;

/**
 * Adds newer entries at the top, and replaces those whose download has ended meanwhile. If there may be others between
 * the new and the former entries, the former ones are left out until the reader asks for more.
 */
export function merge(former: HistoryPage, newest: HistoryPage): HistoryPage {
  const oldest = newest.items.at(-1);
  const known = new Set(former.items.map(({ id }) => id));
  const hasGap = newest.items.length >= SHOWN_AT_ONCE && !newest.items.some(({ id }) => known.has(id));
  if (!oldest || hasGap) return oldest ? newest : { ...former, ...headOf(newest) };
  const older = former.items.filter(({ number }) => number < oldest.number);
  const next = older.length > 0 ? former.next : newest.next;
  return { ...headOf(newest), items: [...newest.items, ...older], next };
}

function headOf({ entryCount, fingerprint }: HistoryPage) {
  return { entryCount, fingerprint };
}

/** Returns a hash from the newest entry that has it; undefined for a target if a change since may have had another. */
export function newestHashOf(name: 'targetSha256' | 'fileSha256', items: Entry[]): string | undefined {
  for (const entry of items) {
    if (entry.kind === 'ATTEMPT') continue;
    const value = entry.details[name];
    const latest = typeof value === 'object' ? value?.new : value;
    if (typeof latest === 'string') return latest;
    const isErased = entry.kind !== 'REVOKED' && entry.personalSha256 !== undefined;
    if (name === 'targetSha256' && isErased) return undefined;
  }
  return undefined;
}
