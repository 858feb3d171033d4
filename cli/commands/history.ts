import type { HistoryPage } from '../../client/client.ts';
import { defineCommand } from '../command.ts';
import { type Connection, call } from '../connection.ts';
import { describeEntry, ENTRY_COLUMNS } from '../entries.ts';
import { exportHistory, type HistoryFilters } from '../export-history.ts';
import { usageFailure } from '../failure.ts';
import { followLink } from '../follow-link.ts';
import type { Output } from '../output.ts';
import { requireFree, saveFile } from '../save-file.ts';
import { parseCount } from '../terms.ts';
import { toShortCode } from '../texts.ts';
import { readTokenHeader, TOKEN_OPTION } from '../token-option.ts';

type Entry = HistoryPage['items'][number];
type Link = { shortCode: string; headers: Record<string, string> };

const DEFAULT_ENTRIES = 20;
const PAGE_SIZE = 100;

export const history = defineCommand({
  count: { min: 1, max: 1 },
  details: 'With --json, each entry is a JSON document in a line of its own, as in the API.',
  options: {
    ...TOKEN_OPTION,
    follow: { type: 'boolean', short: 'f', help: 'Shows new entries as they are recorded, until Ctrl-C' },
    limit: {
      type: 'string',
      value: 'N',
      short: 'n',
      help: `How many of the newest entries; ${DEFAULT_ENTRIES} by default`,
    },
    result: {
      type: 'string',
      value: 'A,B',
      help: 'Only attempts with these results, such as SUCCESS,EXPIRED',
    },
    address: { type: 'string', value: 'IP', help: 'Only entries of this address' },
    start: {
      type: 'string',
      value: 'DATE',
      help: 'Only entries at or after this time, such as 2030-01-31T12:00Z or 2030-01-31 (UTC)',
    },
    end: { type: 'string', value: 'DATE', help: 'Only entries before this time' },
    export: {
      type: 'string',
      value: 'FILE',
      help: 'Saves the history as NDJSON, which postern verify checks; - for standard output',
    },
  },
  examples: [
    'postern history eSWNHQJv --follow',
    'postern history eSWNHQJv --result SUCCESS --json',
    'postern history eSWNHQJv --export history.ndjson',
  ],
  async run([word = ''], { token, follow, limit, result, export: path, ...times }, { output, connect }) {
    if (path !== undefined && (follow || limit !== undefined))
      throw usageFailure('--export saves the whole history', 'Leave out --follow and --limit.');
    if (path !== undefined) requireFree(path, '--export');
    const filters = { ...times, ...(result !== undefined && { result: result.toUpperCase() }) };
    const connection = connect();
    const link = { shortCode: toShortCode(word), headers: await readTokenHeader({ token }) };
    if (path !== undefined) {
      const exported = await exportHistory(connection, link, filters);
      return saveFile(exported, path, output, { remedy: 'Export the history again.' });
    }
    const count = limit === undefined ? DEFAULT_ENTRIES : parseCount('limit', limit);
    const shown = new Map<string, Entry>();
    const newest = await readNewest(connection, link, filters, Math.max(count, 1));
    for (const entry of newest) shown.set(entry.id, entry);
    print(output, newest.slice(0, count), true);
    if (!follow) return;
    await followLink(connection, link, async () => {
      const fresh = await readFresh(connection, link, filters, shown);
      if (fresh.length > 0) print(output, fresh, false);
    });
  },
});

/** Yields the entries of a link, newest first. */
async function* readEntries(
  connection: Connection,
  link: Link,
  filters: HistoryFilters,
  limit: number,
): AsyncGenerator<Entry> {
  const { shortCode, headers } = link;
  let cursor: string | null = null;
  do {
    const query = { ...filters, limit, ...(cursor !== null && { cursor }) };
    const params = { path: { shortCode }, query };
    const request = connection.client.GET('/api/links/{shortCode}/history', { params, headers });
    const page: HistoryPage = (await call(connection, request)).data;
    yield* page.items;
    cursor = page.next;
  } while (cursor !== null);
}

async function readNewest(
  connection: Connection,
  link: Link,
  filters: HistoryFilters,
  count: number,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of readEntries(connection, link, filters, Math.min(count, PAGE_SIZE))) {
    entries.push(entry);
    if (entries.length === count) break;
  }
  return entries;
}

/**
 * Returns the entries that came since the last call, and once more those whose download ended since then.
 *
 * @param shown the known entries by their ids
 */
async function readFresh(
  connection: Connection,
  link: Link,
  filters: HistoryFilters,
  shown: Map<string, Entry>,
): Promise<Entry[]> {
  const fresh: Entry[] = [];
  const last = shown.values().reduce((max, { number }) => Math.max(max, number ?? 0), 0);
  let examined = 0;
  for await (const entry of readEntries(connection, link, filters, PAGE_SIZE)) {
    const known = shown.get(entry.id);
    const isNew = known ? countEnds(known) !== countEnds(entry) : entry.number > last;
    if (isNew) fresh.push(entry);
    examined += 1;
    if (!isNew && examined >= PAGE_SIZE) break;
  }
  for (const entry of fresh) shown.set(entry.id, entry);
  return fresh;
}

const countEnds = (entry: Entry): number => (entry.kind === 'ATTEMPT' ? entry.downloads.length : 0);

/** Prints entries in the order of their numbers. */
function print(output: Output, newestFirst: readonly Entry[], hasTitles: boolean): void {
  const entries = newestFirst.toReversed();
  if (output.isJson) for (const entry of entries) output.printJson(entry);
  else output.printTable(ENTRY_COLUMNS, entries.map(describeEntry), { hasTitles });
}
