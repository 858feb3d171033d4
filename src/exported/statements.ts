const MAX_SHOWN = 100;

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
  | 'NO_FILE'
  // What is proved.
  | 'COMPLETE'
  | 'FINGERPRINT'
  | 'ERASED'
  | 'NOT_COMPARED'
  | 'KNOWN'
  | 'SAME_FILE'
  | 'FORMER_FILE';

/** What is wrong: the first hundred findings, and how many there are. */
export type Findings = { count: number; shown: Statement[] };

export const createFindings = (): Findings => ({ count: 0, shown: [] });

export function addFinding(findings: Findings, statement: Statement): void {
  findings.count += 1;
  if (findings.shown.length < MAX_SHOWN) findings.shown.push(statement);
}

export function toStatement(code: StatementCode, params: Params, text: string): Statement {
  return { code, params, text };
}
