import { type Column, FORWARDS, readFlag } from '../../client/bulk-columns.ts';
import type { CsvFile, CsvRow } from '../../client/bulk-csv.ts';
import { needsConfirmation } from '../../client/confirmation.ts';
import { splitTags } from '../../client/tags.ts';
import { completeTargetUrl } from '../../client/target-url.ts';
import { readTime } from '../../client/times.ts';
import { CUSTOM_CODE, toShortCode } from '../../src/core/model/short-code.ts';
import type { MessageKey } from '../i18n/translate.ts';
import type { BulkItem } from '../service/links.ts';

/** An error in a row: the column, and the key of a text without values. */
type RowProblem = { column: Column | null; text: ProblemText };
type ProblemText = Extract<
  MessageKey,
  | 'bulk.extraCells'
  | 'bulk.missingCells'
  | 'bulk.dateInvalid'
  | 'bulk.confirmInvalid'
  | 'bulk.repeatedCode'
  | 'error.targetMissing'
  | 'error.targetInvalid'
  | 'error.datePast'
  | 'error.integer'
  | 'error.viewsTooSmall'
  | 'error.passwordMissing'
  | 'error.codesOff'
  | 'error.codeInvalid'
>;
export type CheckedRow = { row: CsvRow } & ({ item: BulkItem } | { problems: RowProblem[] });
export type ValidRow = Extract<CheckedRow, { item: unknown }>;

/** The rows of a file that was chosen. `generation` counts the files. */
export type ChosenFile = CsvFile & { name: string; checked: CheckedRow[]; generation: number };

/** More rows are only counted: a table of thousands is slow, and is not read. */
export const SHOWN_ROWS = 100;

/** The rules of the service for every link. */
export type BulkPolicy = { customCodes: boolean; passwordRequired: boolean };

/**
 * Checks rows before they are sent, so that common mistakes are found without creating a link. The service checks
 * each row again.
 */
export function checkRows(rows: CsvRow[], policy: BulkPolicy, now: number): CheckedRow[] {
  const codes = new Set<string>();
  return rows.map((row) => {
    const problems = [...findProblems(row, policy, now), ...findRepeatedCode(row, codes)];
    return problems.length > 0 ? { row, problems } : { row, item: toItem(row, now) };
  });
}

/** Returns all problems of a row, at most one of each column. */
function findProblems(row: CsvRow, policy: BulkPolicy, now: number): RowProblem[] {
  const { cells } = row;
  const texts: (readonly [Column | null, ProblemText | undefined])[] = [
    [null, checkValueCount(row)],
    ['targetUrl', checkTarget(cells.targetUrl)],
    ['expiresAt', checkTime(cells.expiresAt, now) ?? checkFuture(cells.expiresAt, now)],
    ['startsAt', checkTime(cells.startsAt, now)],
    ['maxViews', checkCount(cells.maxViews)],
    ...(['confirm', ...FORWARDS] as const).map((column) => [column, checkFlag(cells[column])] as const),
    ['fallbackUrl', cells.fallbackUrl ? checkTarget(cells.fallbackUrl) : undefined],
    ['password', policy.passwordRequired && !cells.password ? 'error.passwordMissing' : undefined],
    ['customCode', checkCode(cells.customCode, policy)],
  ];
  return texts.flatMap(([column, text]) => (text ? [{ column, text }] : []));
}

function checkFlag(text = ''): ProblemText | undefined {
  return readFlag(text, false) === undefined ? 'bulk.confirmInvalid' : undefined;
}

function checkValueCount({ valueCount, columnCount }: CsvRow): ProblemText | undefined {
  if (valueCount === columnCount) return undefined;
  return valueCount > columnCount ? 'bulk.extraCells' : 'bulk.missingCells';
}

function checkTarget(url: string | undefined): ProblemText | undefined {
  if (!url) return 'error.targetMissing';
  const completed = completeTargetUrl(url);
  return /^https?:\/\//i.test(completed) && URL.canParse(completed) ? undefined : 'error.targetInvalid';
}

function checkTime(text: string | undefined, now: number): ProblemText | undefined {
  return text && readTime(text, now) === undefined ? 'bulk.dateInvalid' : undefined;
}

function checkFuture(text: string | undefined, now: number): ProblemText | undefined {
  return text && Date.parse(readTime(text, now) ?? '') <= now ? 'error.datePast' : undefined;
}

function checkCount(text: string | undefined): ProblemText | undefined {
  if (!text) return undefined;
  if (!/^\d+$/.test(text)) return 'error.integer';
  return Number(text) < 1 ? 'error.viewsTooSmall' : undefined;
}

function checkCode(code: string | undefined, policy: BulkPolicy): ProblemText | undefined {
  if (!code) return undefined;
  if (!policy.customCodes) return 'error.codesOff';
  return toShortCode(code, CUSTOM_CODE) ? undefined : 'error.codeInvalid';
}

function findRepeatedCode({ cells: { customCode } }: CsvRow, codes: Set<string>): RowProblem[] {
  if (!customCode) return [];
  if (codes.has(customCode)) return [{ column: 'customCode', text: 'bulk.repeatedCode' }];
  codes.add(customCode);
  return [];
}

function toItem({ cells }: CsvRow, now: number): BulkItem {
  const {
    targetUrl = '',
    forwardPath: _,
    forwardQuery: __,
    expiresAt,
    startsAt,
    maxViews,
    confirm,
    tags,
    fallbackUrl,
    ...texts
  } = cells;
  const given = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
  return {
    targetUrl: completeTargetUrl(targetUrl),
    ...given,
    ...(expiresAt && { expiresAt: readTime(expiresAt, now) ?? expiresAt }),
    ...(startsAt && { startsAt: readTime(startsAt, now) ?? startsAt }),
    ...(maxViews && { maxViews: Number(maxViews) }),
    ...(readFlag(confirm ?? '', needsConfirmation(null, Boolean(maxViews))) && { confirm: true }),
    ...(tags && { tags: splitTags(tags) }),
    ...(fallbackUrl && { fallbackUrl: completeTargetUrl(fallbackUrl) }),
    ...Object.fromEntries(
      FORWARDS.filter((name) => readFlag(cells[name] ?? '', false)).map((name) => [name, true]),
    ),
  };
}
