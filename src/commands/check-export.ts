import { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../error-details.ts';
import { toHashedText } from '../links/chain.ts';
import { createChainReader, describeBreak, describeNumbers } from '../links/check-history.ts';
import type { HistoryEntry } from '../links/history.ts';
import { addFinding, createFindings, type Findings } from '../move/findings.ts';
import { type ComparedFile, compareFile } from './compare-file.ts';
import { type ExportHead, readHead, readItem } from './exported-items.ts';
import { type Line, readLines, UnreadableLine } from './read-lines.ts';

/** No entry is longer: its texts have bounds. */
const MAX_LINE_BYTES = 1_048_576;
const HOW_TO_EXPORT =
  'it is not the first line of an exported history; export one link: GET /api/links/CODE/history with ' +
  'Accept: application/x-ndjson';

/** The result of checking an export. `proved`: what it proves, if there is no finding. */
export type ExportCheck = { findings: Findings; proved: string[] };

type Sorter = ReturnType<typeof openEntrySorter>;
type ChainResult = {
  /** The fingerprint of the last entry that the first line counts; undefined unless all up to it are there. */
  fingerprint: string | undefined;
  /** The entry that has the known fingerprint. */
  knownPosition: Position | undefined;
};

/**
 * Checks an exported history without a store. Sorts its entries on disk, so that it may have any length.
 *
 * @param knownFingerprint a fingerprint that the reader was given earlier; null for none
 * @param file a file that should be that of the link
 */
export async function checkExport(
  chunks: AsyncIterable<Uint8Array>,
  knownFingerprint: string | null,
  file?: ComparedFile,
): Promise<ExportCheck> {
  const findings = createFindings();
  using sorter = openEntrySorter();
  try {
    const read = await readExport(chunks, sorter, findings);
    if (!read || read.isNewer) return { findings, proved: [] };
    const chain = checkChain(read.head, sorter, findings, knownFingerprint);
    const proved = summarizeProof(read, chain, findings, knownFingerprint);
    if (file) proved.push(compareFile(file, fileSha256Of(read.first), findings));
    return { findings, proved };
  } catch (error) {
    if (!(error instanceof UnreadableLine)) throw error;
    addFinding(findings, `${messageOf(error)}: an exported history has no such line`);
    return { findings, proved: [] };
  }
}

/** `first`: entry 1. `isNewer`: a format is not known yet, so the chain cannot be checked. */
type ReadExport = { head: ExportHead; first?: HistoryEntry; erasedCount: number; isNewer?: true };

/** Reads the lines into the sorter. Returns undefined unless the first line is that of an export. */
async function readExport(
  chunks: AsyncIterable<Uint8Array>,
  sorter: Sorter,
  findings: Findings,
): Promise<ReadExport | undefined> {
  let read: ReadExport | undefined;
  for await (const lines of readLines(chunks, MAX_LINE_BYTES)) {
    for (const line of lines) {
      const value = parse(line);
      const report = (error: string) => addFinding(findings, `line ${line.number} ${error}`);
      if (!read) {
        const first = value === NOT_JSON ? { error: 'is not JSON' } : readHead(value);
        if ('error' in first) {
          report(`${first.error}: ${HOW_TO_EXPORT}`);
          return undefined;
        }
        read = { head: first, erasedCount: 0 };
        if (!isAsWritten(line, value)) report(NOT_AS_WRITTEN);
      } else if (value === NOT_JSON) {
        report(line.isEnded ? 'is not JSON: it was changed' : 'stops in the middle: the export was cut off');
      } else if (!isAsWritten(line, value)) {
        report(NOT_AS_WRITTEN);
      } else addItem(read, { ...line, value }, sorter, report);
    }
  }
  if (!read) addFinding(findings, `the export is empty: ${HOW_TO_EXPORT}`);
  return read;
}

const NOT_JSON = Symbol('a line that is not JSON');

function parse({ text }: Line): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return NOT_JSON;
  }
}

const NOT_AS_WRITTEN = 'is not as the service writes it, for example has a member twice: it was changed';

/** Returns whether a line has all of its text in its value. Of members with the same name, JSON keeps only the last. */
function isAsWritten({ text }: Line, value: unknown): boolean {
  return JSON.stringify(value) === text.trim();
}

/** Adds the entries of a line to the sorter. */
function addItem(
  read: ReadExport,
  line: Line & { value: unknown },
  sorter: Sorter,
  report: (error: string) => void,
): void {
  const item = readItem(line.value);
  if ('error' in item) {
    report(item.error);
    if (item.isNewer) read.isNewer = true;
    return;
  }
  const { shortCode } = read.head;
  for (const { number, entry } of item) {
    if (number === 1) read.first = entry;
    if ('personalSha256' in entry) read.erasedCount += 1;
    if (entry.shortCode !== shortCode) report(`is of link ${entry.shortCode}, not of ${shortCode}`);
    else sorter.add({ number, line: line.number, at: entry.at, text: toHashedText(entry, number) });
  }
}

function checkChain(
  head: ExportHead,
  sorter: Sorter,
  findings: Findings,
  knownFingerprint: string | null,
): ChainResult {
  const chain = createChainReader();
  const missing: string[] = [];
  let fingerprint: string | undefined;
  let knownPosition: Position | undefined;
  for (const { number, line, at, text } of sorter.read()) {
    const found = chain.add(number, text);
    if (found?.kind === 'MISSING') missing.push(toRange(found.first, found.last));
    if (found && !(head.filtered && found.kind === 'MISSING'))
      addFinding(findings, `line ${line}: ${describeBreak(found)}`);
    if (number === head.entryCount) fingerprint = chain.fingerprint;
    if (chain.fingerprint === knownFingerprint) knownPosition = { number, at };
  }
  const { lastNumber } = chain;
  if (lastNumber > head.entryCount) {
    const later = describeNumbers(head.entryCount + 1, lastNumber);
    addFinding(
      findings,
      `${later} newer than the last that line 1 counts (${head.entryCount}): appended, or line 1 was changed`,
    );
  }
  if (lastNumber < head.entryCount) {
    missing.push(toRange(lastNumber + 1, head.entryCount));
    if (!head.filtered)
      addFinding(findings, `${describeNumbers(lastNumber + 1, head.entryCount)} missing at the end`);
  }
  if (head.filtered) addFinding(findings, describeFiltered(missing));
  return { fingerprint, knownPosition };
}

function fileSha256Of(first: HistoryEntry | undefined): string | undefined {
  const sha256 = first?.kind === 'CREATED' ? first.details['fileSha256'] : undefined;
  return typeof sha256 === 'string' ? sha256 : undefined;
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
  { head, erasedCount }: ReadExport,
  { fingerprint, knownPosition }: ChainResult,
  findings: Findings,
  knownFingerprint: string | null,
): string[] {
  const { shortCode, entryCount, fingerprint: stated } = head;
  if (findings.count === 0 && fingerprint !== stated)
    addFinding(
      findings,
      `line 1 has the fingerprint ${stated}, but entries 1 to ${entryCount} give ${fingerprint}: ` +
        'one of these lines was changed after the export',
    );
  const entries = describeCount(entryCount, 'entry', 'entries');
  const proved = [
    `Checked the history of link ${shortCode}: ${entries}, complete and unchanged.`,
    `The fingerprint of entry ${entryCount} is ${stated}.`,
  ];
  if (erasedCount > 0) proved.push(describeErased(erasedCount));
  if (knownFingerprint === null) proved.push(NOT_COMPARED);
  else if (knownPosition) {
    const proof = describeKnown(knownFingerprint, knownPosition);
    if (findings.count > 0) addFinding(findings, proof);
    proved.push(`${proof}.`);
  } else {
    addFinding(
      findings,
      `no entry has the fingerprint ${knownFingerprint}: the history was rewritten since, or it is of another link`,
    );
  }
  return proved;
}

/** The position of an entry in its chain, with its time. */
type Position = { number: number; at: number };

/** Returns what a known fingerprint proves. It also holds for an export that differs elsewhere. */
function describeKnown(knownFingerprint: string, { number, at }: Position): string {
  return (
    `The fingerprint ${knownFingerprint} is that of entry ${number}, of ${new Date(at).toISOString()}: ` +
    `${describeNumbers(1, number)} unchanged since you got it`
  );
}

const NOT_COMPARED =
  'Anyone who controls the server could have rewritten the whole history: compare an earlier fingerprint with --fingerprint.';

/** Returns what an export with entries proves whose personal fields were erased. */
function describeErased(count: number): string {
  return (
    `${describeCount(count, 'entry is', 'entries are')} without personal fields: these were erased or removed, and only their ` +
    'hash is proved. An earlier export has them, and still proves them.'
  );
}

/** Returns a number with its noun. */
const describeCount = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;

/** An entry of a file: its number in the chain, its line, and the text that its fingerprint covers. */
type SortedEntry = { number: number; line: number; at: number; text: string };

const CACHE_KIB = 32_768;

/**
 * Opens a sorter for any number of entries. A database without a name is in memory while it is small, and in a temporary
 * file that SQLite deletes once it is large.
 */
function openEntrySorter() {
  const db = new DatabaseSync('');
  db.exec(`PRAGMA cache_size = -${CACHE_KIB}; PRAGMA journal_mode = OFF;
    CREATE TABLE entry (number INTEGER, line INTEGER, at INTEGER, text TEXT) STRICT; BEGIN`);
  const insert = db.prepare('INSERT INTO entry VALUES (?, ?, ?, ?)');
  return {
    add({ number, line, at, text }: SortedEntry): void {
      insert.run(number, line, at, text);
    },
    /** Returns the entries in the order of their numbers. */
    read(): Iterable<SortedEntry> {
      const select = db.prepare('SELECT number, line, at, text FROM entry ORDER BY number, line');
      return select.iterate() as Iterable<object> as Iterable<SortedEntry>; // the columns of the statement
    },
    [Symbol.dispose](): void {
      db.close();
    },
  };
}
