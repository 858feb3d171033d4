import { COLUMNS, readConfirm } from '../client/bulk-columns.ts';
import { type CsvFile, type CsvRow, type FileProblem, MAX_ROWS, parseCsv } from '../client/bulk-csv.ts';
import type { RedirectRequest } from '../client/client.ts';
import { needsConfirmation } from '../client/confirmation.ts';
import { splitTags } from '../client/tags.ts';
import { usageFailure } from './failure.ts';
import type { Terms } from './terms.ts';

const PROBLEMS = {
  EMPTY: 'has no link; its first line names the columns',
  NO_TARGET: 'has no column targetUrl; its first line names the columns',
  QUOTES: 'has an unmatched quotation mark',
  DUPLICATE_COLUMN: 'names a column twice',
  TOO_MANY: `has more than ${MAX_ROWS} links; split it`,
} satisfies Record<FileProblem, string>;

/** Reads the rows of a CSV file, by the rules of the page that creates many links. */
export function readBulkFile(text: string): CsvFile {
  const parsed = parseCsv(text);
  if (!parsed.ok)
    throw usageFailure(`the file ${PROBLEMS[parsed.problem]}`, `The columns are ${COLUMNS.join(', ')}.`);
  const wrong = parsed.file.rows.find(({ hasExtraCells }) => hasExtraCells);
  if (wrong) throw usageFailure(`row ${wrong.number} of the file has more values than there are columns`);
  return parsed.file;
}

/** Returns the link that a row asks for. A cell with a value replaces one of the terms. The service validates the values. */
export function toBulkItem({ cells }: CsvRow, terms: Terms): RedirectRequest {
  const { targetUrl = '', maxViews, confirm = '', tags, ...texts } = cells;
  const given = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
  // A text that is not a number, or neither yes nor no, is sent unchanged: the service returns the error.
  const views: unknown = maxViews && /^\d{1,10}$/.test(maxViews) ? Number(maxViews) : maxViews;
  const hasMaxViews = Boolean(maxViews) || terms.maxViews !== undefined;
  const isConfirmed: unknown = readConfirm(confirm, needsConfirmation(terms.confirm, hasMaxViews)) ?? confirm;
  const item = {
    ...terms,
    confirm: isConfirmed,
    targetUrl,
    ...given,
    ...(views ? { maxViews: views } : {}),
    ...(tags && { tags: splitTags(tags) }),
  };
  return item as RedirectRequest;
}
