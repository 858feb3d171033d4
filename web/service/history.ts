import type { AttemptEntry, ChangeEntry, HistoryPage } from '../../client/api-types.ts';
import type { AuditResult } from '../../src/links/verdict.ts';
import { keyHeader, loadKey } from './api-key.ts';
import { startOfDay } from './day.ts';
import { type LinkReference, tokenHeader } from './links.ts';
import type { Outcome } from './outcome.ts';
import { requestJson, serviceUrl } from './requests.ts';

export type { HistoryPage };
/** One entry: an attempt to open the link, or a change of the link. */
export type Entry = HistoryPage['items'][number];
export type Attempt = AttemptEntry;
export type Change = ChangeEntry;

/** Which entries are shown. Dates are local days, inclusive, such as `2026-06-15`, or empty. */
export type HistoryFilter = { results: readonly AuditResult[]; from: string; to: string; address: string };

export const NO_FILTER: HistoryFilter = { results: [], from: '', to: '', address: '' };

export function isFiltered(filter: HistoryFilter): boolean {
  return JSON.stringify(filter) !== JSON.stringify(NO_FILTER);
}

export type PageRequest = { filter: HistoryFilter; limit: number; cursor?: string | null };

/** Requests one page of the history of a link, newest first. */
export function fetchHistory(
  link: LinkReference,
  { filter, limit, cursor }: PageRequest,
  signal: AbortSignal,
): Promise<Outcome<HistoryPage>> {
  const parameters = new URLSearchParams({ ...toParameters(filter), limit: String(limit) });
  if (cursor) parameters.set('cursor', cursor);
  return requestJson(`${pathOf(link)}?${parameters}`, { signal, headers: tokenHeader(link.token) });
}

/** Downloads the history as a file. The browser keeps a large one on the disk. Throws when it cannot be had. */
export async function exportHistory(
  link: LinkReference,
  filter: HistoryFilter,
  type: 'text/csv' | 'application/x-ndjson',
): Promise<Blob> {
  const headers = { accept: type, ...keyHeader(loadKey()), ...tokenHeader(link.token) };
  const path = `${pathOf(link)}?${new URLSearchParams(toParameters(filter))}`;
  const response = await fetch(serviceUrl(path), { headers });
  if (!response.ok) throw new Error(`The export got HTTP ${response.status}`);
  return response.blob();
}

function pathOf({ shortCode }: LinkReference): string {
  return `api/links/${encodeURIComponent(shortCode)}/history`;
}

function toParameters({ results, from, to, address }: HistoryFilter): Record<string, string> {
  return {
    ...(results.length > 0 && { result: results.join(',') }),
    ...(from !== '' && { start: startOfDay(from, 0) }),
    ...(to !== '' && { end: startOfDay(to, 1) }),
    ...(address !== '' && { address }),
  };
}
