import { createHistoryCheck, type HistoryCheck } from '../../links/check-history.ts';
import type { Link } from '../../links/link.ts';
import { type LinkRow, toLink } from '../link-rows.ts';
import { type EntryRow, selectEntries, toHistoryEntry } from './history-rows.ts';
import type { Dialect, Statement, Stream } from './query.ts';
import { linkColumns } from './read-link.ts';

/** After so many differences the check ends: then the store as a whole is not what the service wrote. */
const MAX_HISTORY_FINDINGS = 10_000;

/**
 * Checks the history of every link: that no entry was changed, removed, reordered or inserted, and that the link has
 * the terms of its history. Reads links and entries once, side by side in the order of their short codes, and keeps
 * none of them. `stream` must see one moment of the store.
 *
 * @returns one sentence for each difference
 */
export async function checkHistories(dialect: Dialect, stream: Stream): Promise<string[]> {
  const findings: string[] = [];
  const report = (finding: string) => void findings.push(finding);
  const check = (shortCode: string, link: Link | undefined) =>
    createHistoryCheck({ shortCode, link, isBeyondHead: () => false, report });
  await using links = openLinks(dialect, stream, (link) => check(link.shortCode, link).end());
  let shortCode: string | undefined;
  let current: HistoryCheck | undefined;
  for await (const rows of stream<EntryRow>(entriesStatement(dialect))) {
    for (const row of rows) {
      if (row.short_code !== shortCode) {
        current?.end();
        if (findings.length > MAX_HISTORY_FINDINGS)
          return [...findings, `the check of the histories ended at link ${shortCode}`];
        shortCode = row.short_code;
        current = check(shortCode, await links.take(shortCode));
      }
      if (current) addRow(current, row, report);
    }
  }
  current?.end();
  await links.take(null);
  return findings;
}

function addRow(check: HistoryCheck, row: EntryRow, report: (finding: string) => void): void {
  try {
    check.add(row.number, toHistoryEntry(row));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    report(
      `history of link ${row.short_code}: the details of entry ${row.number} are no JSON: they were changed`,
    );
    check.add(row.number, toHistoryEntry({ ...row, details: '{}' } as EntryRow)); // only these have details
  }
}

const entriesStatement = (dialect: Dialect): Statement => ({
  name: 'entries-by-link',
  text: `SELECT * FROM (${selectEntries(dialect, '> 0')}) AS entry
         ORDER BY short_code COLLATE ${dialect.byteOrder}, number, id`,
});

/** Reads the links in the order of their short codes. */
function openLinks(dialect: Dialect, stream: Stream, onLinkWithoutEntries: (link: Link) => void) {
  const statement: Statement = {
    name: 'links-by-code',
    // A link may lack its target, which the recount reports.
    text: `SELECT link.short_code, ${linkColumns(dialect)} FROM link LEFT JOIN link_target USING (short_code)
           ORDER BY link.short_code COLLATE ${dialect.byteOrder}`,
  };
  const batches = stream<LinkRow>(statement)[Symbol.asyncIterator]();
  let rows: LinkRow[] = [];
  let index = 0;
  return {
    /** Returns the link of a code, if there is one, after all before it. `null` passes over all that are left. */
    async take(shortCode: string | null): Promise<Link | undefined> {
      for (;;) {
        const row = rows[index];
        if (row) {
          const order = shortCode === null ? -1 : compareBytes(row.short_code, shortCode);
          if (order > 0) return undefined;
          index += 1;
          if (order === 0) return toLink(row);
          onLinkWithoutEntries(toLink(row));
        } else {
          const { done, value } = await batches.next();
          if (done) return undefined;
          [rows, index] = [value, 0];
        }
      }
    },
    async [Symbol.asyncDispose]() {
      await batches.return?.();
    },
  };
}

/** Compares as both databases order these columns. */
function compareBytes(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}
