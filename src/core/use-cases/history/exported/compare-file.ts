import { addFinding, createFindings } from '../../../../common/findings.ts';
import { formatParts } from '../../../model/file-parts.ts';
import type { Sha256 } from '../../../model/hashed-text.ts';
import type { ListedFile } from './exported-items.ts';
import { type Findings, type Statement, toStatement } from './statements.ts';

/** A file of the reader, to compare with that of a link. */
export type ComparedFile = { path: string; sha256: string };

/**
 * The file of a link, from the entry with this number on. `partsSha256`: of the list of several files, whose bytes it joins; null
 * for one file, undefined as before.
 */
export type RecordedFile = { sha256: string; number: number; partsSha256?: string | null | undefined };

/** Sorts the files that entries name, and completes what one entry has from that before. */
export function sortFiles(named: readonly RecordedFile[]): RecordedFile[] {
  let partsSha256: string | null = null;
  return named
    .toSorted((a, b) => a.number - b.number)
    .map((file) => {
      partsSha256 = file.partsSha256 === undefined ? partsSha256 : file.partsSha256;
      return { ...file, partsSha256 };
    });
}

/** Checks the list of the files of a link with the SHA-256 that its history has. Returns what is proved if there is no finding. */
export function checkList(
  listed: readonly ListedFile[],
  partsSha256: string | null | undefined,
  sha256: Sha256,
  findings: Findings,
): Statement {
  const parts = listed.map(({ name: fileName, ...file }) => ({ fileName, ...file }));
  if (sha256(formatParts(parts)) !== partsSha256)
    addFinding(
      findings,
      toStatement(
        'OTHER_LIST',
        {},
        'line 1 has another list of files than the link: it was changed after the export',
      ),
    );
  const lines = listed.map((file) => `\n  ${file.sha256}  ${file.name}`).join('');
  return toStatement(
    'FILES',
    { count: listed.length },
    `Its files, by the list whose SHA-256 the history has:${lines}`,
  );
}

/**
 * Compares a file with those of a link. Returns what is proved if there is no finding.
 *
 * @param files that the link had, the last one last
 * @param listed those of a link with several now, if they are known
 */
export function compareFile(
  { path, sha256 }: ComparedFile,
  files: readonly RecordedFile[],
  findings: Findings,
  listed?: readonly ListedFile[],
): Statement {
  const { sha256: recorded, partsSha256 = null } = files.at(-1) ?? {};
  const params = { path, sha256, recorded: recorded ?? '', count: listed?.length ?? 1 };
  const found = listed?.find((file) => file.sha256 === sha256);
  if (found) {
    const text = `${path} is ${found.name}, one of the files of the link: both have the SHA-256 ${sha256}.`;
    return toStatement('ONE_OF_FILES', { ...params, name: found.name }, text);
  }
  const former = files.findLastIndex((file) => file.sha256 === sha256 && file.partsSha256 === null);
  const next = files[former + 1];
  if (former !== -1 && next) {
    const text = `${path} was the file of the link until entry ${next.number}, which replaced it: both have the SHA-256 ${sha256}.`;
    return toStatement('FORMER_FILE', { ...params, number: next.number }, text);
  }
  if (listed && isZip(path) && !listed.some(({ name }) => isZip(name))) {
    const text = `${path} is not compared: the link had several files, and no SHA-256 of their ZIP; unpack it, and compare each file.`;
    return toStatement('ZIP', params, text);
  }
  if (!listed && partsSha256 !== null) {
    const text = `${path} is not compared: the link had several files that the export does not list.`;
    return toStatement('SEVERAL_FILES', params, text);
  }
  if (recorded === undefined)
    addFinding(
      findings,
      toStatement('NO_FILE', params, `${path} cannot be compared: no entry has the SHA-256 of a file`),
    );
  else if (listed || recorded !== sha256) {
    const other = listed
      ? `none of the ${listed.length} files of the link has it`
      : `the file of the link has ${recorded}`;
    const text = `${path} has the SHA-256 ${sha256}, but ${other}: it is another file`;
    addFinding(findings, toStatement('OTHER_FILE', params, text));
  }
  const text = `${path} is the file of the link: both have the SHA-256 ${sha256}.`;
  return toStatement('SAME_FILE', params, text);
}

const isZip = (name: string): boolean => /\.zip$/i.test(name);

/** Compares a file with a SHA-256 alone. */
export function checkFile(file: ComparedFile, sha256: string): { findings: Findings; proved: Statement[] } {
  const findings: Findings = createFindings();
  return { findings, proved: [compareFile(file, [{ sha256, number: 1, partsSha256: null }], findings)] };
}
