import { addFinding, createFindings, type Findings, type Statement, toStatement } from './statements.ts';

/** A file of the reader, to compare with that of a link. */
export type ComparedFile = { path: string; sha256: string };

/**
 * Compares a file with that of a link. Returns what is proved if there is no finding.
 *
 * @param recorded the SHA-256 of the file of the link; undefined if there is none
 */
export function compareFile(
  { path, sha256 }: ComparedFile,
  recorded: string | undefined,
  findings: Findings,
): Statement {
  const params = { path, sha256, recorded: recorded ?? '' };
  if (recorded === undefined)
    addFinding(
      findings,
      toStatement('NO_FILE', params, `${path} cannot be compared: entry 1 has no SHA-256 of a file`),
    );
  else if (recorded !== sha256) {
    const text = `${path} has the SHA-256 ${sha256}, but the file of the link has ${recorded}: it is another file`;
    addFinding(findings, toStatement('OTHER_FILE', params, text));
  }
  const text = `${path} is the file of the link: both have the SHA-256 ${sha256}.`;
  return toStatement('SAME_FILE', params, text);
}

/** Compares a file with a SHA-256 alone. */
export function checkFile(file: ComparedFile, sha256: string): { findings: Findings; proved: Statement[] } {
  const findings = createFindings();
  return { findings, proved: [compareFile(file, sha256, findings)] };
}
