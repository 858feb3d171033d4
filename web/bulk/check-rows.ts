import type { Column } from '../../client/bulk-columns.ts';
import type { CsvRow } from '../../client/bulk-csv.ts';
import { splitTags } from '../../client/tags.ts';
import { CUSTOM_CODE } from '../../src/links/short-code.ts';
import type { MessageKey } from '../i18n/translate.ts';
import type { BulkItem } from '../service/bulk.ts';
import { isDay } from '../service/day.ts';

/** What is wrong with a row: the column, and the key of a text without values. */
export type RowProblem = { column: Column | null; text: ProblemText };
type ProblemText = Extract<
  MessageKey,
  | 'bulk.extraCells'
  | 'bulk.dateInvalid'
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
export type CheckedRow = { row: CsvRow } & ({ item: BulkItem } | { problem: RowProblem });

/** What the service demands of every link. */
export type BulkPolicy = { customCodes: boolean; passwordRequired: boolean };

/** A time with its offset, as the API takes it. */
const INSTANT = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/i;
/** A time in the time zone of the reader, as spreadsheets write it. */
const LOCAL_TIME = /^(?<day>\d{4}-\d{2}-\d{2})[T ](?<time>\d{1,2}:\d{2}(?::\d{2})?)$/i;

/**
 * Checks rows before they are sent, so that common mistakes are found without creating a link. The service checks
 * each row again.
 */
export function checkRows(rows: CsvRow[], policy: BulkPolicy, now: number): CheckedRow[] {
  const codes = new Set<string>();
  return rows.map((row) => {
    const problem = findProblem(row, policy, now) ?? findRepeatedCode(row, codes);
    return problem ? { row, problem } : { row, item: toItem(row) };
  });
}

function findProblem({ cells, hasExtraCells }: CsvRow, policy: BulkPolicy, now: number) {
  const { targetUrl, expiresAt, startsAt, maxViews, password, customCode } = cells;
  const problem = (column: Column | null, text: ProblemText): RowProblem => ({ column, text });
  if (hasExtraCells) return problem(null, 'bulk.extraCells');
  if (!targetUrl) return problem('targetUrl', 'error.targetMissing');
  if (!/^https?:\/\//i.test(targetUrl) || !URL.canParse(targetUrl))
    return problem('targetUrl', 'error.targetInvalid');
  for (const [column, text] of [['expiresAt', expiresAt] as const, ['startsAt', startsAt] as const]) {
    if (text && toInstant(text) === undefined) return problem(column, 'bulk.dateInvalid');
  }
  if (expiresAt && Date.parse(toInstant(expiresAt) ?? '') <= now)
    return problem('expiresAt', 'error.datePast');
  if (maxViews && !/^\d+$/.test(maxViews)) return problem('maxViews', 'error.integer');
  if (maxViews && Number(maxViews) < 1) return problem('maxViews', 'error.viewsTooSmall');
  if (policy.passwordRequired && !password) return problem('password', 'error.passwordMissing');
  if (customCode && !policy.customCodes) return problem('customCode', 'error.codesOff');
  if (customCode && !CUSTOM_CODE.test(customCode)) return problem('customCode', 'error.codeInvalid');
  return undefined;
}

function findRepeatedCode({ cells: { customCode } }: CsvRow, codes: Set<string>): RowProblem | undefined {
  if (!customCode) return undefined;
  if (codes.has(customCode)) return { column: 'customCode', text: 'bulk.repeatedCode' };
  codes.add(customCode);
  return undefined;
}

function toItem({ cells }: CsvRow): BulkItem {
  const { targetUrl = '', expiresAt, startsAt, maxViews, tags, ...texts } = cells;
  const given = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
  return {
    targetUrl,
    ...given,
    ...(expiresAt && { expiresAt: toInstant(expiresAt) ?? expiresAt }),
    ...(startsAt && { startsAt: toInstant(startsAt) ?? startsAt }),
    ...(maxViews && { maxViews: Number(maxViews) }),
    ...(tags && { tags: splitTags(tags) }),
  };
}

/** Returns a time as the API takes it, or undefined for a text that is none. A time without offset is local. */
function toInstant(text: string): string | undefined {
  if (INSTANT.test(text)) {
    const instant = text.replace(' ', 'T');
    return Number.isNaN(Date.parse(instant)) ? undefined : instant;
  }
  const { day = '', time = '' } = LOCAL_TIME.exec(text)?.groups ?? {};
  const at = new Date(`${day}T${time.replace(/^\d:/, '0$&')}`);
  return isDay(day) && !Number.isNaN(at.getTime()) ? at.toISOString() : undefined;
}
