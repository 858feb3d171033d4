import { COLUMNS, FORWARDS, readFlag } from '../client/bulk-columns.ts';
import { type CsvFile, type CsvRow, type FileProblem, MAX_ROWS, parseCsv } from '../client/bulk-csv.ts';
import type { RedirectRequest } from '../client/client.ts';
import { needsConfirmation } from '../client/confirmation.ts';
import { splitTags } from '../client/tags.ts';
import { completeTargetUrl } from '../client/target-url.ts';
import { readTime, TIME_FORMS } from '../client/times.ts';
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

const TIMES = ['expiresAt', 'startsAt'] as const;
/** More errors are only counted. */
const MAX_SHOWN_ERRORS = 10;

/** Reads the rows of a CSV file, by the rules of the page that creates many links. */
export function readBulkFile(text: string, now: number): CsvFile {
  const parsed = parseCsv(text);
  if (!parsed.ok) {
    const names = parsed.columns ? `: ${parsed.columns.join(', ')}` : '';
    throw usageFailure(
      `the file ${PROBLEMS[parsed.problem]}${names}`,
      `The columns are ${COLUMNS.join(', ')}.`,
    );
  }
  const errors = parsed.file.rows.flatMap((row) => findErrors(row, now));
  if (errors.length > 0) throw refuseRows(errors);
  return parsed.file;
}

/** Returns what is wrong with a row before it is sent. */
function findErrors({ number, cells, valueCount, columnCount }: CsvRow, now: number): string[] {
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
export function toBulkItem({ cells }: CsvRow, terms: Terms, now: number): RedirectRequest {
  const { targetUrl = '', maxViews, confirm = '', tags, fallbackUrl, ...texts } = cells;
  const given = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
  for (const column of TIMES)
    if (given[column]) given[column] = readTime(given[column], now) ?? given[column];
  const forwards = FORWARDS.flatMap((name): [string, unknown][] =>
    given[name] ? [[name, readFlag(given[name], false) ?? given[name]]] : [],
  );
  // A text that is not a number, or neither yes nor no, is sent unchanged: the service returns the error.
  const views: unknown = maxViews && /^-?\d{1,10}$/.test(maxViews) ? Number(maxViews) : maxViews;
  const hasMaxViews = Boolean(maxViews) || terms.maxViews !== undefined;
  const isConfirmed: unknown = readFlag(confirm, needsConfirmation(terms.confirm, hasMaxViews)) ?? confirm;
  const item = {
    ...terms,
    confirm: isConfirmed,
    targetUrl: completeTargetUrl(targetUrl),
    ...given,
    ...Object.fromEntries(forwards),
    ...(maxViews && { maxViews: views }),
    ...(tags && { tags: splitTags(tags) }),
    ...(fallbackUrl && { fallbackUrl: completeTargetUrl(fallbackUrl) }),
  };
  return item as RedirectRequest; // apart from such texts, it has the types of the API
}
