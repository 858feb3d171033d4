import { EMPTY_CHAIN, sealEntry } from '../../links/chain.ts';
import { createHistoryCheck } from '../../links/check-history.ts';
import type { ChainHead, HistoryEntry } from '../../links/history.ts';
import { type ChainRow, type LinkRow, toChainHead, toLink } from '../link-rows.ts';
import { MAX_HISTORY_FINDINGS } from './find-stray-entries.ts';
import { type EntryRow, toHistoryEntry, toUuid } from './history-rows.ts';
import type { Dialect, Query, Stream } from './query.ts';
import { type EntryConsumer, readBeside } from './read-beside.ts';
import { linkColumns } from './read-link.ts';

/** The greatest distance of a date from 1970. */
const MAX_DATE_MS = 8.64e15;

type Source = { query: Query; dialect: Dialect; stream: Stream };
type Findings = { report: (finding: string) => void; isEnough: () => boolean };

/**
 * Checks the history of every link: that no entry was changed, removed, reordered or inserted, and that the link has
 * the terms of its history. The source must see one moment of the store.
 *
 * @returns one sentence for each difference
 */
export async function checkHistories(source: Source): Promise<string[]> {
  const list: string[] = [];
  const isEnough = () => list.length > MAX_HISTORY_FINDINGS;
  const findings: Findings = { report: (finding) => void list.push(finding), isEnough };
  await checkChains(source, findings);
  if (!isEnough()) await checkEarlierEntries(source, findings);
  return isEnough() ? [...list, 'the check of the histories ended here, because so much differs'] : list;
}

/** `earlier_revocation`: not null if an entry without a number revoked the link. */
type CheckedRow = LinkRow & { earlier_revocation: string | null; target_version: number | null };

/** Checks the chain of each link. */
async function checkChains(source: Source, { report, isEnough }: Findings): Promise<void> {
  const rows = {
    name: 'links-by-code',
    // A link may lack its target, which the recount reports.
    text: `SELECT link.short_code, ${linkColumns(source.dialect)}, revocation.code AS earlier_revocation,
             link_target.definition_version AS target_version
           FROM link LEFT JOIN link_target USING (short_code)
             LEFT JOIN (SELECT DISTINCT short_code AS code FROM link_change
                        WHERE number IS NULL AND kind = 'REVOKED') AS revocation ON code = link.short_code
           ORDER BY link.short_code COLLATE ${source.dialect.byteOrder}`,
  };
  const begin = (shortCode: string, row: CheckedRow | undefined): EntryConsumer => {
    const unreadable = row && findUnreadable(row);
    if (unreadable) {
      report(
        `link ${shortCode} cannot be read, because ${unreadable} of its row is impossible: it was changed outside the ` +
          'service. Its history was not checked',
      );
      return IGNORING;
    }
    const link = row && toLink(row);
    const hasEarlierRevocation = typeof row?.earlier_revocation === 'string';
    if (row && row.target_version !== null && row.target_version !== row.definition_version)
      report(
        `link ${shortCode} has definition version ${row.definition_version}, but its target ${row.target_version}: it cannot be opened`,
      );
    const check = createHistoryCheck({ shortCode, link, hasEarlierRevocation, report });
    return {
      add: (entry) => check.add(entry.number, readEntry(entry, report)),
      end: check.end,
    };
  };
  const entries = (table: string) => `${table}.number > 0`;
  await readBeside(source, { rows, entries, order: 'number, id', isEnough }, begin);
}

const IGNORING: EntryConsumer = { add() {}, end() {} };
const TIMES = ['created_at', 'starts_at', 'expires_at', 'last_opened_at'] as const;

/** Returns the first column of a link that has a value which cannot be read, if there is one. */
function findUnreadable(row: LinkRow): string | undefined {
  const time = TIMES.find((column) => Math.abs(row[column] ?? 0) > MAX_DATE_MS);
  return time ?? (Array.isArray(parse(row.tags ?? '[]')) ? undefined : 'tags');
}

/** Returns the value of a text of JSON; undefined for another text. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Checks the chains of the entries without a number, as far as they are sealed, see `sealEntry`. */
async function checkEarlierEntries(source: Source, { report, isEnough }: Findings): Promise<void> {
  const rows = {
    name: 'earlier-by-code',
    text: `SELECT short_code, entry_count, ${source.dialect.bytesToHex('fingerprint')} AS fingerprint
           FROM earlier_history ORDER BY short_code COLLATE ${source.dialect.byteOrder}`,
  };
  let sealedCount = 0;
  const begin = (shortCode: string, row: (ChainRow & { short_code: string }) | undefined): EntryConsumer => {
    const sealed = row ? toChainHead(row) : EMPTY_CHAIN;
    sealedCount += sealed.entryCount;
    let found: ChainHead = EMPTY_CHAIN;
    return {
      add(entry) {
        found = sealEntry(found, readEntry(entry, report));
      },
      end() {
        const finding = compareEarlier(sealed, found);
        if (finding !== undefined) report(`earlier history of ${shortCode}: ${finding}`);
      },
    };
  };
  const entries = (table: string) =>
    `${table}.number IS NULL AND ${table}.id <= (SELECT sealed_until.id FROM sealed_until)`;
  await readBeside(source, { rows, entries, order: 'id', isEnough }, begin);
  const [row] = await source.query<{ count: number }>({
    name: 'count-sealed',
    text: 'SELECT entry_count AS count FROM sealed_until',
  });
  const counted = row?.count ?? 0;
  if (counted !== sealedCount)
    report(
      `the earlier histories have ${sealedCount} entries, but ${counted} were sealed: some were removed or added`,
    );
}

function compareEarlier(sealed: ChainHead, found: ChainHead): string | undefined {
  if (found.entryCount < sealed.entryCount)
    return `${sealed.entryCount} entries were sealed, but there are ${found.entryCount}: the others were removed`;
  if (found.entryCount > sealed.entryCount)
    return `${sealed.entryCount} entries were sealed, but there are ${found.entryCount}: some lost their number or were inserted`;
  return found.fingerprint === sealed.fingerprint
    ? undefined
    : `its ${found.entryCount} entries do not give the fingerprint that they were sealed with: one was changed`;
}

/** Returns the entry of a row. What cannot be read gives another fingerprint than it was written with. */
function readEntry(row: EntryRow, report: Findings['report']): HistoryEntry {
  const reportEntry = (finding: string) =>
    report(
      `history of link ${row.short_code}: entry ${row.number ?? toUuid(row.id)} has ${finding}: it was changed`,
    );
  if (Math.abs(row.at) > MAX_DATE_MS) {
    reportEntry(`the time ${row.at}, which is no date`);
    return readEntry({ ...row, at: 0 }, report);
  }
  if (row.kind === 'ATTEMPT' || row.kind === 'DOWNLOAD') return toHistoryEntry(row); // only changes have details
  const details = parse(row.details);
  if (typeof details === 'object' && details !== null && !Array.isArray(details)) {
    // The fingerprint covers what is parsed: of a member that is there twice, only the last one.
    if (JSON.stringify(details) !== row.details)
      reportEntry('details in another form than the service writes');
    return toHistoryEntry(row);
  }
  reportEntry(details === undefined ? 'details that are no JSON' : 'details that are no object');
  return toHistoryEntry({ ...row, details: '{}' });
}
