import type { CsvFile, CsvRow } from '../../../client/bulk-csv.ts';
import { readFlag, toBulkItem } from '../../../client/bulk-row.ts';
import { completeTargetUrl } from '../../../client/complete-target-url.ts';
import { readTime } from '../../../client/times.ts';
import { CUSTOM_CODE, toShortCode } from '../../../src/core/model/short-code.ts';
import { type LinkColumn, TERM_KINDS, TERM_NAMES, type TermKind } from '../../../src/core/model/terms.ts';
import type { MessageKey } from '../../i18n/translate.ts';
import type { BulkItem } from '../../service/links.ts';

type LinkRow = CsvRow<LinkColumn>;
/** An error in a row: the column, and the key of a text without values. */
type RowProblem = { column: LinkColumn | null; text: ProblemText };
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
export type CheckedRow = { row: LinkRow } & ({ item: BulkItem } | { problems: RowProblem[] });
export type ValidRow = Extract<CheckedRow, { item: unknown }>;

/** The rows of a file that was chosen. `generation` counts the files. */
export type ChosenFile = CsvFile<LinkColumn> & { name: string; checked: CheckedRow[]; generation: number };

/** The rules of the service for every link. */
export type BulkPolicy = { customCodes: boolean; passwordRequired: boolean };

/**
 * Checks rows before they are sent, so that common mistakes are found without creating a link. The service checks
 * each row again.
 */
export function checkRows(rows: LinkRow[], policy: BulkPolicy, now: number): CheckedRow[] {
  const codes = new Set<string>();
  return rows.map((row) => {
    const problems = [...findProblems(row, policy, now), ...findRepeatedCode(row, codes)];
    if (problems.length > 0) return { row, problems };
    const item = toBulkItem(row.cells, { kinds: TERM_KINDS, now });
    return { row, item: item as BulkItem }; // its cells were checked
  });
}

/** Returns all problems of a row, at most one of each column. */
function findProblems(row: LinkRow, policy: BulkPolicy, now: number): RowProblem[] {
  const { cells } = row;
  const texts: (readonly [LinkColumn | null, ProblemText | undefined])[] = [
    [null, checkValueCount(row)],
    ['targetUrl', checkTarget(cells.targetUrl)],
    ...TERM_NAMES.map(
      (name) => [name, cells[name] ? CHECKS[TERM_KINDS[name]]?.(cells[name], now) : undefined] as const,
    ),
    ['expiresAt', checkFuture(cells.expiresAt, now)],
    ['password', policy.passwordRequired && !cells.password ? 'error.passwordMissing' : undefined],
    ['customCode', checkCode(cells.customCode, policy)],
  ];
  return texts.flatMap(([column, text]) => (text ? [{ column, text }] : []));
}

const CHECKS: Partial<Record<TermKind, (text: string, now: number) => ProblemText | undefined>> = {
  instant: (text, now) => (readTime(text, now) === undefined ? 'bulk.dateInvalid' : undefined),
  count: checkCount,
  flag: (text) => (readFlag(text) === undefined ? 'bulk.confirmInvalid' : undefined),
  url: checkTarget,
};

function checkValueCount({ valueCount, columnCount }: LinkRow): ProblemText | undefined {
  if (valueCount === columnCount) return undefined;
  return valueCount > columnCount ? 'bulk.extraCells' : 'bulk.missingCells';
}

function checkTarget(url: string | undefined): ProblemText | undefined {
  if (!url) return 'error.targetMissing';
  const completed = completeTargetUrl(url);
  return /^https?:\/\//i.test(completed) && URL.canParse(completed) ? undefined : 'error.targetInvalid';
}

function checkFuture(text: string | undefined, now: number): ProblemText | undefined {
  return text && Date.parse(readTime(text, now) ?? '') <= now ? 'error.datePast' : undefined;
}

function checkCount(text: string): ProblemText | undefined {
  if (!/^\d+$/.test(text)) return 'error.integer';
  return Number(text) < 1 ? 'error.viewsTooSmall' : undefined;
}

function checkCode(code: string | undefined, policy: BulkPolicy): ProblemText | undefined {
  if (!code) return undefined;
  if (!policy.customCodes) return 'error.codesOff';
  return toShortCode(code, CUSTOM_CODE) ? undefined : 'error.codeInvalid';
}

function findRepeatedCode({ cells: { customCode } }: LinkRow, codes: Set<string>): RowProblem[] {
  if (!customCode) return [];
  if (codes.has(customCode)) return [{ column: 'customCode', text: 'bulk.repeatedCode' }];
  codes.add(customCode);
  return [];
}
