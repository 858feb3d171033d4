import { addFinding, createFindings } from '../../../../common/findings.ts';
import { type Findings, type Statement, toStatement } from './statements.ts';

/** A file of the reader, to compare with that of a link. */
export type ComparedFile = { path: string; sha256: string };

/** The file of a link, from the entry with this number on: a file, or several of which no recipient has the one stored. */
export type RecordedFile = { sha256: string; number: number; isSet?: boolean };

/**
 * Compares a file with those of a link. Returns what is proved if there is no finding.
 *
 * @param files that the link had, the last one last
 */
export function compareFile(
  { path, sha256 }: ComparedFile,
  files: readonly RecordedFile[],
  findings: Findings,
): Statement {
  const { sha256: recorded, isSet = false } = files.at(-1) ?? {};
  const params = { path, sha256, recorded: recorded ?? '' };
  const former = files.findLastIndex((file) => file.sha256 === sha256);
  const next = files[former + 1];
  if (former !== -1 && next) {
    const text = `${path} was the file of the link until entry ${next.number}, which replaced it: both have the SHA-256 ${sha256}.`;
    return toStatement('FORMER_FILE', { ...params, number: next.number }, text);
  }
  if (isSet && recorded !== sha256) {
    const text = `${path} is not compared: the link had several files, and the history has no SHA-256 of their ZIP or of one of them.`;
    return toStatement('SEVERAL_FILES', params, text);
  }
  if (recorded === undefined)
    addFinding(
      findings,
      toStatement('NO_FILE', params, `${path} cannot be compared: no entry has the SHA-256 of a file`),
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
  const findings: Findings = createFindings();
  return { findings, proved: [compareFile(file, [{ sha256, number: 1 }], findings)] };
}
