import { messageOf } from '../error-details.ts';
import { toFingerprint, toHashedText } from '../links/chain.ts';
import { createChainReader, describeBreak, describeNumbers } from '../links/check-history.ts';
import type { HistoryEntry } from '../links/history.ts';
import { addFinding, createFindings, type Findings } from '../move/findings.ts';
import { openEntrySorter } from './entry-sorter.ts';
import { type ExportHead, readHead, readItem } from './exported-items.ts';
import { type Line, readLines, UnreadableLine } from './read-lines.ts';

/** No entry is longer: its texts have bounds. */
const MAX_LINE_BYTES = 1_048_576;
const HOW_TO_EXPORT =
  'it is not the first line of an exported history; export one link: GET /api/links/CODE/history with ' +
  'Accept: application/x-ndjson';

/** The result of checking an export. `proved`: what it proves, if there is no finding. */
export type ExportCheck = { findings: Findings; proved: string[] };

/** The numbered entries by their numbers, and the sealed ones by their ids. */
type Sorters = {
  numbered: ReturnType<typeof openEntrySorter<number>>;
  sealed: ReturnType<typeof openEntrySorter<string>>;
};
/** Where an entry stands in its chain. */
type Position = { number: number; at: number };
type ChainResult = {
  /** The fingerprint of the last entry that the first line counts; undefined unless all up to it are there. */
  fingerprint: string | undefined;
  /** The entry that has the fingerprint of the witness. */
  witnessed: Position | undefined;
};

/**
 * Checks an exported history without a store. Sorts its entries on disk, so that it may have any length.
 *
 * @param witness a fingerprint that the reader was given earlier; null for none
 */
export async function checkExport(
  chunks: AsyncIterable<Uint8Array>,
  witness: string | null,
): Promise<ExportCheck> {
  const findings = createFindings();
  using numbered = openEntrySorter<number>();
  using sealed = openEntrySorter<string>();
  try {
    const read = await readExport(chunks, { numbered, sealed }, findings);
    if (!read) return { findings, proved: [] };
    const chain = checkChain(read.head, numbered, findings, witness);
    checkSealed(read.head, sealed, findings);
    return { findings, proved: judge(read, chain, findings, witness) };
  } catch (error) {
    if (!(error instanceof UnreadableLine)) throw error;
    addFinding(findings, `${messageOf(error)}: an exported history has no such line`);
    return { findings, proved: [] };
  }
}

/** `outside`: the number of entries outside the chains. */
type ReadExport = { head: ExportHead; outside: number };

/** Reads the lines into the sorter. Returns undefined unless the first line is that of an export. */
async function readExport(
  chunks: AsyncIterable<Uint8Array>,
  sorters: Sorters,
  findings: Findings,
): Promise<ReadExport | undefined> {
  let head: ExportHead | undefined;
  let outside = 0;
  for await (const lines of readLines(chunks, MAX_LINE_BYTES)) {
    for (const line of lines) {
      const value = parse(line);
      const report = (error: string) => addFinding(findings, `line ${line.number} ${error}`);
      if (!head) {
        const first = value === NOT_JSON ? { error: 'is not JSON' } : readHead(value);
        if ('error' in first) {
          report(`${first.error}: ${HOW_TO_EXPORT}`);
          return undefined;
        }
        head = first;
        if (!isAsWritten(line, value)) report(NOT_AS_WRITTEN);
      } else if (value === NOT_JSON) {
        report(line.isEnded ? 'is not JSON: it was changed' : 'stops in the middle: the export was cut off');
      } else if (!isAsWritten(line, value)) {
        report(NOT_AS_WRITTEN);
      } else outside += addItem(head, { ...line, value }, sorters, report);
    }
  }
  if (!head) addFinding(findings, `the export is empty: ${HOW_TO_EXPORT}`);
  return head && { head, outside };
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

/** Adds the entries of a line to the sorters. Returns how many of them are outside the chains. */
function addItem(
  head: ExportHead,
  line: Line & { value: unknown },
  { numbered, sealed }: Sorters,
  report: (error: string) => void,
): number {
  const item = readItem(line.value);
  if ('error' in item) {
    report(item.error);
    return 0;
  }
  let outside = 0;
  for (const { number, entry } of item) {
    if (entry.shortCode !== head.shortCode) report(`is of link ${entry.shortCode}, not of ${head.shortCode}`);
    else if (number) numbered.add(toSorted(number, entry, line));
    else if (number === null && head.earlier && entry.id <= head.earlier.lastId)
      sealed.add({ ...toSorted(number, entry, line), place: entry.id });
    else outside += 1;
  }
  return outside;
}

function toSorted<Number extends number | null>(place: Number, entry: HistoryEntry, line: Line) {
  return { place, line: line.number, at: entry.at, text: toHashedText(entry, place) };
}

/** Checks the entries from before the chains. They are complete unless the export was filtered. */
function checkSealed({ earlier, filtered }: ExportHead, sealed: Sorters['sealed'], findings: Findings): void {
  if (!earlier || filtered) return;
  let [count, fingerprint] = [0, ''];
  for (const { text } of sealed.read()) {
    count += 1;
    fingerprint = toFingerprint(fingerprint, text);
  }
  if (count === earlier.entryCount && fingerprint === earlier.fingerprint) return;
  addFinding(
    findings,
    `line 1 has the fingerprint ${earlier.fingerprint} of ${earlier.entryCount} earlier entries without a number, but ` +
      `the ${count} there give ${fingerprint || 'none'}: one of these lines was changed, added or removed after the export`,
  );
}

function checkChain(
  head: ExportHead,
  sorter: Sorters['numbered'],
  findings: Findings,
  witness: string | null,
): ChainResult {
  const chain = createChainReader();
  const missing: string[] = [];
  let fingerprint = head.entryCount === 0 ? '' : undefined;
  let witnessed: Position | undefined;
  for (const { place: number, line, at, text } of sorter.read()) {
    const found = chain.add(number, text);
    if (found?.kind === 'MISSING') missing.push(toRange(found.first, found.last));
    if (found && !(head.filtered && found.kind === 'MISSING'))
      addFinding(findings, `line ${line}: ${describeBreak(found)}`);
    if (number === head.entryCount) fingerprint = chain.fingerprint;
    if (chain.fingerprint === witness) witnessed = { number, at };
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
  return { fingerprint, witnessed };
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
function judge(
  { head, outside }: ReadExport,
  { fingerprint, witnessed }: ChainResult,
  findings: Findings,
  witness: string | null,
): string[] {
  const { shortCode, entryCount } = head;
  const stated = head.fingerprint ?? '';
  if (findings.count === 0 && fingerprint !== stated) {
    addFinding(
      findings,
      `line 1 has the fingerprint ${stated || 'null'}, but entries 1 to ${entryCount} give ${fingerprint}: ` +
        'one of these lines was changed after the export',
    );
  }
  const proved = [
    `Checked the history of link ${shortCode}: ${count(entryCount, 'entry', 'entries')}, complete and unchanged${
      outside > 0 ? `; ${outside} more without a number, not proved` : ''
    }.`,
    `The fingerprint of entry ${entryCount} is ${stated || 'null'}.`,
  ];
  if (head.earlier && !head.filtered) {
    const { entryCount: sealedCount, fingerprint: sealedFingerprint } = head.earlier;
    proved.push(
      `${count(sealedCount, 'entry', 'entries')} from before the fingerprints: unchanged since they were sealed, ` +
        `with the fingerprint ${sealedFingerprint}.`,
    );
  }
  if (witness === null) proved.push(NO_WITNESS);
  else if (witnessed) {
    const at = new Date(witnessed.at).toISOString();
    const text = `The fingerprint ${witness} is that of entry ${witnessed.number}, of ${at}`;
    if (findings.count > 0) addFinding(findings, `${text}: what differs is behind that entry`);
    proved.push(`${text}. Up to it, nothing has changed since you got that fingerprint.`);
  } else {
    addFinding(
      findings,
      `no entry has the fingerprint ${witness}: the history was rewritten since, or it is of another link`,
    );
  }
  if (outside > 0) {
    proved.push(
      `${count(outside, 'entry', 'entries')} without a number: no fingerprint in the file covers them.`,
    );
  }
  return proved;
}

const NO_WITNESS =
  'Whoever controls the server could have rewritten the whole history: compare an earlier fingerprint with --fingerprint.';

const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;
