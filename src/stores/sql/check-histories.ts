import { hash } from 'node:crypto';
import { createHistoryCheck } from '../../core/model/check-history.ts';
import { FORMAT } from '../../core/model/hashed-text.ts';
import type { HistoryEntry } from '../../core/model/history.ts';
import type { ChainHead, Link } from '../../core/model/link.ts';
import { type LinkRow, toLink } from '../link-rows.ts';
import { type EntryRow, toHistoryEntry } from '../log-rows.ts';
import { MAX_HISTORY_FINDINGS } from './find-orphans.ts';
import { type EntryConsumer, mergeJoin } from './merge-join.ts';
import type { StoreMoment } from './query.ts';
import { linkColumns } from './read-link.ts';

/** The greatest distance of a date from 1970. */
const MAX_DATE_MS = 8.64e15;

type Source = Pick<StoreMoment, 'dialect' | 'stream' | 'detached'>;
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
  return isEnough() ? [...list, 'the check of the histories ended here, because so much differs'] : list;
}

type CheckedRow = LinkRow & { target_version: number | null; parts: string | null } & Partial<DetachedHead>;

/** The end of a link's chain in the months that were detached, if there are any. */
type DetachedHead = {
  detached_count: number | null;
  detached_fingerprint: string;
  detached_seq: number;
};

function toStart(head: Partial<DetachedHead>): ChainHead | undefined {
  const {
    detached_count: entryCount,
    detached_fingerprint: fingerprint = '',
    detached_seq: lastSeq = null,
  } = head;
  return entryCount ? { entryCount, fingerprint, lastSeq } : undefined;
}

/** Checks the chain of each link. */
async function checkChains(source: Source, { report, isEnough }: Findings): Promise<void> {
  const { dialect, detached } = source;
  const heads = detached
    ? {
        columns: `, detached.entry_count AS detached_count, detached.last_seq AS detached_seq,
                  ${dialect.bytesToHex('detached.fingerprint')} AS detached_fingerprint`,
        join: `LEFT JOIN (${detached.heads}) AS detached ON detached.short_code = link.short_code`,
      }
    : { columns: '', join: '' };
  const rows = `SELECT link.short_code, ${linkColumns(dialect)}, link_target.definition_version AS target_version,
             (SELECT parts FROM file_set WHERE file_set.file_id = link_target.file_id) AS parts
             ${heads.columns}
           FROM link LEFT JOIN link_target ON link_target.short_code = link.short_code ${heads.join}
           ORDER BY link.short_code COLLATE ${dialect.byteOrder}`;
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
    if (row && row.target_version !== null && row.target_version !== row.definition_version)
      report(
        `link ${shortCode} has definition version ${row.definition_version}, but its target ${row.target_version}: it cannot be opened`,
      );
    if (row && link && hasOtherParts(link, row.parts))
      report(`link ${shortCode} has other files in its set than its history says: they were changed`);
    const check = createHistoryCheck({ shortCode, link, start: row && toStart(row), report });
    return {
      add: (entry) => {
        check.add(entry, entry.format === FORMAT ? readEntry(entry, report) : undefined);
      },
      end: check.end,
    };
  };
  await mergeJoin(source, { rows, entries: 'entry.number > 0', order: 'number, seq', isEnough }, begin);
}

/** Returns whether a link has other parts than a set has by its history. Those of an erased or passed on file may be missing. */
function hasOtherParts({ target, status }: Link, parts: string | null): boolean {
  if (target.type !== 'DOWNLOAD') return false;
  if (parts === null) return target.file.traits?.partsSha256 !== undefined && status !== 'REVOKED';
  return hash('sha256', parts) !== target.file.traits?.partsSha256;
}

const IGNORING: EntryConsumer = { add() {}, end() {} };
const JSON_COLUMNS = { tags: Array, verified_recipients: Array, file_traits: Object, file_request: Object };
const TIMES = ['created_at', 'starts_at', 'expires_at', 'last_opened_at'] as const;

/** Returns the first column of a link that has a value which cannot be read, if there is one. */
function findUnreadable(row: LinkRow): string | undefined {
  const time = TIMES.find((column) => Math.abs(row[column] ?? 0) > MAX_DATE_MS);
  const names = Object.keys(JSON_COLUMNS) as (keyof typeof JSON_COLUMNS)[]; // its own keys
  return time ?? names.find((name) => !(parse(String(row[name] ?? '[]')) instanceof JSON_COLUMNS[name]));
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

/** Returns the entry of a row. What cannot be read gives another fingerprint than it was written with. */
function readEntry(row: EntryRow, report: Findings['report']): HistoryEntry {
  const reportEntry = (finding: string) =>
    report(`history of link ${row.short_code}: entry ${row.number} has ${finding}: it was changed`);
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
