import { addFinding, createFindings } from '../../../../common/findings.ts';
import { countOf } from '../../../../common/format.ts';
import { type Sha256, toHashedText } from '../../../model/hashed-text.ts';
import {
  type ChainBreak,
  createChainReader,
  describeBreak,
  describeNumbers,
} from '../../../model/read-chain.ts';
import type { ChainResult, Position, Wanted, WholeChain } from './chain-of-batches.ts';
import { checkEvidence, type EvidenceParts, numbersToCheck } from './check-evidence.ts';
import { type ComparedFile, checkList, compareFile, type RecordedFile, sortFiles } from './compare-file.ts';
import { type ExportedItem, type ExportHead, type LineChecks, readHead } from './exported-items.ts';
import { type KeptEvidence, readKept } from './read-kept.ts';
import {
  addFacts,
  type EntryFacts,
  isAsWritten,
  isJson,
  NOT_AS_WRITTEN,
  parseLine,
  readLine,
} from './read-line.ts';
import { type Line, readLines, UnreadableLine } from './read-lines.ts';
import {
  comparedUpTo,
  type Findings,
  type Statement,
  type StatementCode,
  toStatement,
} from './statements.ts';

// The check of an exported history, for the command line and for browsers.

/** The texts of an entry have bounds. The line of an attempt also has the ends of its downloads, here about 300,000. */
const MAX_LINE_BYTES = 67_108_864;
const HOW_TO_EXPORT =
  'it is not the first line of an exported history; export one link: GET /api/links/CODE/history with ' +
  'Accept: application/x-ndjson';

/**
 * The result of checking an export. `proved`: what it proves, if there is no finding; so are `head` but its time, and the
 * newest file of the link.
 */
export type ExportCheck = {
  findings: Findings;
  proved: Statement[];
  head?: ExportHead;
  newestFile?: RecordedFile | undefined;
};

/**
 * An entry of a file: its number in the chain, its line, and the text that its fingerprint covers; an empty one for an entry of a
 * line that was changed.
 */
export type SortedEntry = { number: number; line: number; at: number; text: string };
/** Sorts any number of entries by number, then by line. Reads them once, after all were added. */
export type EntrySorter = {
  add(entry: SortedEntry): void;
  read(): Iterable<SortedEntry> | AsyncIterable<SortedEntry>;
};
/**
 * The parts of the check that differ between programs and browsers. `onItem` gets each line, in the order of the file. What it
 * says is proved only if the check has no finding. `readAhead` may read all lines after the first in another way. It returns
 * undefined if anything is wrong with one of them or with their numbers: the check then reads them again, to name it.
 */
export type CheckParts = {
  sha256: Sha256;
  evidence: EvidenceParts;
  checks: LineChecks;
  sorter: EntrySorter;
  onItem?: (item: ExportedItem) => void;
  readAhead?: ((head: ExportHead, wanted: Wanted) => Promise<WholeChain | undefined>) | undefined;
};

/**
 * `knownFingerprint`: that the reader was given earlier; null for none. `kept`: keys, checkpoints and proofs that the reader
 * has. `file`: that should be that of the link.
 */
export type ExportToCheck = {
  chunks: AsyncIterable<Uint8Array>;
  knownFingerprint: string | null;
  kept?: string | undefined;
  file?: ComparedFile | undefined;
};

/** Checks an exported history without a store. */
export async function examineExport(exported: ExportToCheck, parts: CheckParts): Promise<ExportCheck> {
  const { chunks, knownFingerprint, file } = exported;
  const kept = exported.kept === undefined ? undefined : readKept(parts.evidence.hash, exported.kept);
  const findings: Findings = createFindings();
  const known = { fingerprint: knownFingerprint, kept };
  const read = await readExport(chunks, parts, findings, known);
  if (!read || read.isNewer) return { findings, proved: [] };
  const { head } = read;
  const chain = read.chain ?? (await checkChain(head, parts, findings, known));
  const proved = summarizeProof(read, chain, findings, knownFingerprint);
  if (!head.filtered)
    proved.push(...checkEvidence({ head, kept, fingerprints: chain.fingerprints }, parts.evidence, findings));
  const [upTo, count] = [comparedUpTo(proved), head.entryCount];
  if (knownFingerprint === null && upTo < count)
    proved.push(toStatement('NOT_COMPARED', {}, describeNotCompared(upTo, count)));
  const files = sortFiles(read.facts.files);
  if (head.files && !head.filtered)
    proved.push(checkList(head.files, files.at(-1)?.partsSha256, parts.sha256, findings));
  if (file) proved.push(compareFile(file, files, findings, head.files));
  return { findings, proved, head, newestFile: files.at(-1) };
}

/** What a reader has. */
type Known = { fingerprint: string | null; kept: KeptEvidence | undefined };

/** `isNewer`: a format is not known yet, so the chain cannot be checked. `chain`: if all lines were read ahead. */
type ReadExport = { head: ExportHead; facts: EntryFacts; chain?: ChainResult; isNewer?: true };

/** Reports what is wrong with a line, as the end of a sentence about it. */
type Report = (code: StatementCode, error: string, params?: Statement['params']) => void;

/** Reads the lines into the sorter. Returns undefined unless the first line is that of an export. */
async function readExport(
  chunks: AsyncIterable<Uint8Array>,
  parts: CheckParts,
  findings: Findings,
  { fingerprint, kept }: Known,
): Promise<ReadExport | undefined> {
  let read: ReadExport | undefined;
  try {
    for await (const lines of readLines(chunks, MAX_LINE_BYTES)) {
      for (const line of lines) {
        const report = reportOn(line, findings);
        if (read) {
          addLine(read, line, parts, report);
          continue;
        }
        const head = readFirstLine(line, parts, report);
        if (!head) return undefined;
        const wanted = { numbers: numbersToCheck(head, kept), fingerprint };
        const ahead = findings.count === 0 && !head.filtered && (await parts.readAhead?.(head, wanted));
        if (ahead) return { head, ...ahead };
        read = { head, facts: { files: [], erasedCount: 0 } };
      }
    }
  } catch (error) {
    if (!(error instanceof UnreadableLine)) throw error;
    const { line, message, isTooLong } = error;
    const reason = isTooLong ? 'it is not checked' : 'an exported history has no such line';
    const text = `${message}: ${read ? reason : HOW_TO_EXPORT}`;
    const code = isTooLong ? 'LINE_TOO_LONG' : 'LINE_CHANGED';
    addFinding(findings, toStatement(read ? code : 'NOT_AN_EXPORT', { line }, text));
    return undefined;
  }
  if (!read) addFinding(findings, toStatement('NOT_AN_EXPORT', {}, `the export is empty: ${HOW_TO_EXPORT}`));
  return read;
}

function readFirstLine(line: Line, { checks }: CheckParts, report: Report): ExportHead | undefined {
  const value = parseLine(line);
  const head = isJson(value) ? readHead(value, checks) : { error: 'is not JSON' };
  if ('error' in head) return void report('NOT_AN_EXPORT', `${head.error}: ${HOW_TO_EXPORT}`);
  if (!isAsWritten(line, value)) report('LINE_CHANGED', NOT_AS_WRITTEN);
  return head;
}

function reportOn({ number }: Line, findings: Findings): Report {
  return (code, error, params = {}) =>
    addFinding(findings, toStatement(code, { line: number, ...params }, `line ${number} ${error}`));
}

/** Adds the entries of a line after the first to the sorter. */
function addLine(
  read: ReadExport,
  line: Line,
  { checks, sorter, sha256, onItem }: CheckParts,
  report: Report,
): void {
  const parsed = readLine(line, checks);
  if ('error' in parsed) {
    const { code, error, params } = parsed;
    report(code, error, params);
    if (code === 'NEWER_FORMAT') read.isNewer = true;
    if (code === 'LINE_CHANGED')
      for (const number of numbersIn(line.text)) sorter.add({ number, line: line.number, at: 0, text: '' });
    return;
  }
  onItem?.(parsed.item);
  const { shortCode } = read.head;
  for (const { number, entry } of parsed.entries) {
    addFacts(read.facts, number, entry);
    if (entry.shortCode === shortCode)
      sorter.add({ number, line: line.number, at: entry.at, text: toHashedText(entry, number, sha256) });
    else {
      const params = { code: entry.shortCode, expected: shortCode };
      report('OTHER_LINK', `is of link ${entry.shortCode}, not of ${shortCode}`, params);
    }
  }
}

/** Returns the numbers of entries in a line that was changed. These entries are there, so they are not missing. */
const numbersIn = (text: string): number[] =>
  [...text.matchAll(/"number":(\d{1,15})/g)].map(([, number]) => Number(number));

async function checkChain(
  head: ExportHead,
  { sorter, sha256 }: CheckParts,
  findings: Findings,
  { fingerprint: knownFingerprint, kept }: Known,
): Promise<ChainResult> {
  const chain = createChainReader(sha256);
  const missing: string[] = [];
  const { entryCount, filtered } = head;
  const fingerprints = new Map<number, string>();
  const wanted = numbersToCheck(head, kept);
  let result: Omit<ChainResult, 'isWhole' | 'fingerprints'> = {
    fingerprint: undefined,
    known: undefined,
    newestAt: undefined,
  };
  let changed: number[] = []; // since the last entry that could be read
  for await (const { number, line, at, text } of sorter.read()) {
    if (text === '') {
      changed.push(number);
      continue;
    }
    const found = chain.add(number, text);
    if (found?.kind === 'REPEATED') addFinding(findings, toBreak(found, line));
    for (const range of found?.kind === 'MISSING' ? splitRange(found, changed) : []) {
      missing.push(toRange(range.first, range.last));
      if (!filtered) addFinding(findings, toBreak({ kind: 'MISSING', ...range }, line));
    }
    changed = [];
    if (number === entryCount) result = { ...result, fingerprint: chain.fingerprint, newestAt: at };
    if (wanted.has(number) && chain.fingerprint !== undefined) fingerprints.set(number, chain.fingerprint);
    if (chain.fingerprint === knownFingerprint) result = { ...result, known: { number, at } };
  }
  const { lastNumber } = chain;
  if (lastNumber > entryCount) {
    const params = { first: entryCount + 1, last: lastNumber };
    const text =
      `${describeNumbers(params.first, params.last)} newer than the last that line 1 counts (${entryCount}): ` +
      'appended, or line 1 was changed';
    addFinding(findings, toStatement('APPENDED', params, text));
  }
  for (const params of splitRange({ first: lastNumber + 1, last: entryCount }, changed)) {
    missing.push(toRange(params.first, params.last));
    const text = `${describeNumbers(params.first, params.last)} missing at the end`;
    if (!filtered) addFinding(findings, toStatement('MISSING', params, text));
  }
  if (filtered) addFinding(findings, toStatement('FILTERED', {}, describeFiltered(missing)));
  return { ...result, fingerprints, isWhole: chain.fingerprint !== undefined && lastNumber >= entryCount };
}

type Range = { first: number; last: number };

/** Returns what is left of a range without some numbers, which are in ascending order. */
function splitRange({ first, last }: Range, without: readonly number[]): Range[] {
  const left: Range[] = [];
  let next = first;
  for (const number of without) {
    if (number < next || number > last) continue;
    if (number > next) left.push({ first: next, last: number - 1 });
    next = number + 1;
  }
  return next > last ? left : [...left, { first: next, last }];
}

function toBreak(found: ChainBreak, line: number): Statement {
  const { kind, ...params } = found;
  return toStatement(kind, { line, ...params }, `line ${line}: ${describeBreak(found)}`);
}

const MAX_RANGES = 20;

const toRange = (first: number, last: number) => (first === last ? `${first}` : `${first} to ${last}`);

function describeFiltered(missing: readonly string[]): string {
  const shown = missing.slice(0, MAX_RANGES).join(', ');
  const hidden = missing.length - MAX_RANGES;
  const lacks = missing.length === 0 ? 'it lacks none' : `it lacks the entries ${shown}`;
  return (
    'the export was filtered, so the fingerprint in its first line cannot be checked: ' +
    `${lacks}${hidden > 0 ? ` and ${hidden} more ranges` : ''}; export the history without a filter`
  );
}

/** Compares the fingerprints. Returns what is proved if there is no finding. */
function summarizeProof(
  { head, facts: { erasedCount } }: ReadExport,
  { fingerprint, known, newestAt, isWhole }: ChainResult,
  findings: Findings,
  knownFingerprint: string | null,
): Statement[] {
  const { shortCode, entryCount, fingerprint: stated } = head;
  if (findings.count === 0 && fingerprint !== stated) {
    const text =
      `line 1 has the fingerprint ${stated}, but entries 1 to ${entryCount} give ${fingerprint}: ` +
      'one of these lines was changed after the export';
    addFinding(findings, toStatement('OTHER_CONTENT', { count: entryCount }, text));
  }
  const entries = countOf(entryCount, 'entry', 'entries');
  const complete = `Checked the history of link ${shortCode}: ${entries}, complete and unchanged.`;
  const ofNewest = `The fingerprint of entry ${entryCount} is ${stated}.`;
  const proved = [
    toStatement('COMPLETE', { code: shortCode, count: entryCount, at: newestAt ?? 0 }, complete),
    toStatement('FINGERPRINT', { number: entryCount, fingerprint: stated }, ofNewest),
  ];
  if (erasedCount > 0)
    proved.push(toStatement('ERASED', { count: erasedCount }, describeErased(erasedCount)));
  if (knownFingerprint === null) return proved;
  if (known) {
    const proof = toStatement('KNOWN', { ...known }, describeKnown(knownFingerprint, known));
    if (findings.count > 0) addFinding(findings, proof);
    proved.push({ ...proof, text: `${proof.text}.` });
  } else if (isWhole) {
    const text =
      `no entry has the fingerprint ${knownFingerprint}: it is newer than the export, or the history was rewritten since ` +
      'you got it, or is of another link';
    addFinding(findings, toStatement('UNKNOWN_FINGERPRINT', {}, text));
  }
  return proved;
}

/** Returns what a known fingerprint proves. It also holds for an export that differs elsewhere. */
function describeKnown(knownFingerprint: string, { number, at }: Position): string {
  return (
    `The fingerprint ${knownFingerprint} is that of entry ${number}, of ${new Date(at).toISOString()}: ` +
    `${describeNumbers(1, number)} unchanged since you got it`
  );
}

/** Returns what could be rewritten. `upTo`: the last entry that was compared. */
function describeNotCompared(upTo: number, count: number): string {
  const what = upTo === 0 ? 'it' : `what follows entry ${upTo}, up to entry ${count}`;
  return `Anyone who had the export before you could have rewritten ${what}: compare an earlier fingerprint with --fingerprint.`;
}

/** Returns what an export with entries proves whose personal fields were erased. */
function describeErased(count: number): string {
  return (
    `${countOf(count, 'entry is', 'entries are')} without personal fields: these were erased or removed, and only their ` +
    'hash is proved. An earlier export still proves them.'
  );
}
