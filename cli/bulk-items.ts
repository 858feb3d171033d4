import { type CsvFile, type CsvRow, type FileProblem, MAX_ROWS, parseCsv } from '../client/bulk-csv.ts';
import { toBulkItem } from '../client/bulk-row.ts';
import type { RedirectRequest } from '../client/client.ts';
import { readTime, TIME_FORMS } from '../client/times.ts';
import { LINK_COLUMNS, type LinkColumn, TERM_KINDS, TERM_NAMES } from '../src/core/model/terms.ts';
import { type Failure, usageFailure } from './failure.ts';
import type { Terms } from './terms.ts';

const PROBLEMS = {
  EMPTY: 'has no link; its first line names the columns',
  NO_TARGET: 'has no column targetUrl; its first line names the columns',
  QUOTES: 'has an unmatched quotation mark',
  DUPLICATE_COLUMN: 'names a column twice',
  UNKNOWN_COLUMN: 'names columns that a link does not have',
  TOO_MANY: `has more than ${MAX_ROWS} links; split it`,
} satisfies Record<FileProblem, string>;

const TIMES = TERM_NAMES.filter((name) => TERM_KINDS[name] === 'instant');
/** The rows of a file. */
export type LinkRow = CsvRow<LinkColumn>;
/** More errors are only counted. */
const MAX_SHOWN_ERRORS = 10;

/** Reads the rows of a CSV file, by the rules of the page that creates many links. */
export function readBulkFile(text: string, now: number): CsvFile<LinkColumn> {
  const parsed = parseCsv(text, LINK_COLUMNS);
  if (!parsed.ok) {
    const names = parsed.columns ? `: ${parsed.columns.join(', ')}` : '';
    throw usageFailure(
      `the file ${PROBLEMS[parsed.problem]}${names}`,
      `The columns are ${LINK_COLUMNS.join(', ')}.`,
    );
  }
  const errors = parsed.file.rows.flatMap((row) => findErrors(row, now));
  if (errors.length > 0) throw refuseRows(errors);
  return parsed.file;
}

/** Returns what is wrong with a row before it is sent. */
function findErrors({ number, cells, valueCount, columnCount }: LinkRow, now: number): string[] {
  const times = TIMES.filter((column) => cells[column] && readTime(cells[column], now) === undefined);
  return [
    ...(valueCount === columnCount ? [] : [`row ${number} has ${valueCount} of ${columnCount} values`]),
    ...times.map((column) => `row ${number}: ${column}: write ${TIME_FORMS}`),
  ];
}

function refuseRows(errors: readonly string[]): Failure {
  const rest = errors.length - MAX_SHOWN_ERRORS;
  const more = rest > 0 ? [`and ${rest} more errors`] : [];
  return usageFailure(
    [...errors.slice(0, MAX_SHOWN_ERRORS), ...more].join('\n'),
    'No link was created. Correct the file, and run the command again.',
  );
}

/** Returns the link that a row asks for. A cell with a value replaces one of the terms. The service validates the values. */
export function toLinkOfRow({ cells }: LinkRow, terms: Terms, now: number): RedirectRequest {
  const { confirm, maxViews } = terms;
  const reading = { kinds: TERM_KINDS, now, confirm, hasViewLimit: maxViews !== undefined };
  const item = { ...terms, ...toBulkItem(cells, reading) };
  return item as RedirectRequest; // apart from texts that the service refuses, it has the types of the API
}
