import type { Findings as FindingsOf } from '../../../../common/findings.ts';

/**
 * A result of a check, in English. Where the program speaks other languages, `code` and `params` choose the text; a
 * number of milliseconds named `at` is a time.
 */
export type Statement = { code: StatementCode; params: Params; text: string };
type Params = Record<string, string | number>;

export type StatementCode =
  // What is wrong.
  | 'NOT_AN_EXPORT'
  | 'LINE_CHANGED'
  | 'LINE_TOO_LONG'
  | 'CUT_OFF'
  | 'OTHER_LINK'
  | 'NEWER_FORMAT'
  | 'MISSING'
  | 'REPEATED'
  | 'APPENDED'
  | 'FILTERED'
  | 'OTHER_CONTENT'
  | 'UNKNOWN_FINGERPRINT'
  | 'OTHER_FILE'
  | 'OTHER_LIST'
  | 'NO_FILE'
  | 'CHECKPOINT_WRONG'
  | 'NO_CHECKPOINT'
  | 'KEPT_UNREADABLE'
  | 'KEPT_WRONG'
  | 'KEPT_TOO_LONG'
  | 'OTHER_KEY'
  | 'NOT_COSIGNED'
  | 'FORK'
  | 'DROPPED'
  | 'REWRITTEN'
  // What is proved.
  | 'COMPLETE'
  | 'FINGERPRINT'
  | 'ERASED'
  | 'NOT_COMPARED'
  | 'KNOWN'
  | 'SAME_FILE'
  | 'FORMER_FILE'
  | 'SEVERAL_FILES'
  | 'ZIP'
  | 'FILES'
  | 'ONE_OF_FILES'
  | 'COVERED'
  | 'LATER'
  | 'KEY_NOT_COMPARED'
  | 'COSIGNED'
  | 'KEPT'
  | 'VOUCHED'
  | 'ENTERED_LATER'
  | 'NOT_CONNECTED'
  | 'NOTHING_COMPARED';

export type Findings = FindingsOf<Statement>;

const UNCHECKED: ReadonlySet<StatementCode> = new Set([
  ...(['FILTERED', 'NEWER_FORMAT', 'LINE_TOO_LONG', 'KEPT_UNREADABLE', 'KEPT_TOO_LONG'] as const),
]);

/**
 * Returns why findings say nothing about a history: the file is none, or has a part of it, a newer format or a line
 * that is too long; or what the reader kept cannot be read.
 */
export function reasonNotToCheck({ shown }: Findings): 'notExported' | 'unchecked' | undefined {
  if (shown[0]?.code === 'NOT_AN_EXPORT') return 'notExported';
  const isUnchecked = shown.every(({ code }) => UNCHECKED.has(code));
  return isUnchecked && shown.length > 0 ? 'unchecked' : undefined;
}

/** The statements that a history up to an entry is the one that the reader knew. A witness may have signed another one. */
const COMPARED: ReadonlySet<StatementCode> = new Set(['KNOWN', 'KEPT', 'VOUCHED'] as const);

/** Returns the last entry up to which the history is the one that the reader knew; 0 for none. */
export const comparedUpTo = (proved: readonly Statement[]): number =>
  Math.max(0, ...proved.map(({ code, params }) => (COMPARED.has(code) ? Number(params['number']) : 0)));

export function toStatement(code: StatementCode, params: Params, text: string): Statement {
  return { code, params, text };
}
