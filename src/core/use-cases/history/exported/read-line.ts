import { type Sha256, toHashedText } from '../../../model/hashed-text.ts';
import type { HistoryEntry } from '../../../model/history.ts';
import type { RecordedFile } from './compare-file.ts';
import { type ExportedItem, type LineChecks, memberOf, type ReadItem, readItem } from './exported-items.ts';
import type { Line } from './read-lines.ts';
import type { Statement, StatementCode } from './statements.ts';

// The check of one line of an export after the first.

/** What is wrong with a line. `error`: as the end of a sentence about it. */
export type LineProblem = { code: StatementCode; error: string; params: Statement['params'] };

/** What the entries so far say beside their chain. `files`: that the link had. */
export type EntryFacts = { files: RecordedFile[]; erasedCount: number };

const NOT_JSON = Symbol('a line that is not JSON');

export function parseLine({ text }: Pick<Line, 'text'>): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return NOT_JSON;
  }
}

export const isJson = (value: unknown): boolean => value !== NOT_JSON;

export const NOT_AS_WRITTEN =
  'is not as the service writes it, for example has a member twice: it was changed';

/** Returns whether a line has all of its text in its value. Of members with the same name, JSON keeps only the last. */
export function isAsWritten({ text }: Pick<Line, 'text'>, value: unknown): boolean {
  return JSON.stringify(value) === text.trim();
}

/** Reads the entries of a line. */
export function readLine(line: Omit<Line, 'number'>, checks: LineChecks): ReadItem | LineProblem {
  const value = parseLine(line);
  if (!isJson(value))
    return line.isEnded
      ? { code: 'LINE_CHANGED', error: 'is not JSON: it was changed', params: {} }
      : { code: 'CUT_OFF', error: 'stops in the middle: the export was cut off', params: {} };
  if (!isAsWritten(line, value)) return { code: 'LINE_CHANGED', error: NOT_AS_WRITTEN, params: {} };
  const read = readItem(value, checks);
  if (!('error' in read)) return read;
  const number = memberOf(value, 'number');
  const params = typeof number === 'number' ? { number } : {};
  return { code: read.isNewer ? 'NEWER_FORMAT' : 'LINE_CHANGED', error: read.error, params };
}

export function addFacts(facts: EntryFacts, number: number, entry: HistoryEntry): void {
  const sha256 = newDetail(entry, 'fileSha256');
  if (sha256) facts.files.push({ sha256, number, partsSha256: newDetail(entry, 'partsSha256') });
  if ('personalSha256' in entry) facts.erasedCount += 1;
}

/** Returns a SHA-256 that a link has from an entry on; null for none, undefined if the entry does not name it. */
function newDetail(entry: HistoryEntry, name: 'fileSha256' | 'partsSha256'): string | null | undefined {
  const value = 'details' in entry ? entry.details[name] : undefined;
  const sha256 = typeof value === 'object' ? value?.new : value;
  return typeof sha256 === 'string' || sha256 === null ? sha256 : undefined;
}

/**
 * Entries of a part of an export by their number, in a form that threads pass on without a copy. Each has its number, its time
 * and the end of its text among all `texts`, which are in UTF-8.
 */
export type EntryBatch = {
  facts: EntryFacts;
  numbers: Float64Array<ArrayBuffer>;
  times: Float64Array<ArrayBuffer>;
  ends: Uint32Array<ArrayBuffer>;
  texts: Uint8Array<ArrayBuffer>;
};

/** The parts of a batch that pass to another thread. */
export const buffersOf = ({ numbers, times, ends, texts }: EntryBatch): ArrayBuffer[] =>
  [numbers, times, ends, texts].map(({ buffer }) => buffer);

type BatchParts = {
  shortCode: string;
  checks: LineChecks;
  sha256: Sha256;
  onItem: (item: ExportedItem) => void;
};

/** Reads lines of the export of a link. Returns undefined if anything is wrong with one, which is for `examineExport` to name. */
export function readBatch(lines: readonly string[], parts: BatchParts): EntryBatch | undefined {
  const { shortCode, checks, sha256, onItem } = parts;
  const facts: EntryFacts = { files: [], erasedCount: 0 };
  const entries: { number: number; at: number; text: string }[] = [];
  let characters = 0;
  for (const text of lines) {
    if (text === '' || text === '\r') continue;
    const read = readLine({ text, isEnded: true }, checks);
    if ('error' in read) return undefined;
    onItem(read.item);
    for (const { number, entry } of read.entries) {
      if (entry.shortCode !== shortCode) return undefined;
      addFacts(facts, number, entry);
      const hashed = toHashedText(entry, number, sha256);
      characters += hashed.length;
      entries.push({ number, at: entry.at, text: hashed });
    }
  }
  entries.reverse(); // an export is in the other order, which takes longer to sort
  entries.sort((a, b) => a.number - b.number);
  return { facts, ...pack(entries, characters) };
}

const encoder = new TextEncoder();

function pack(entries: readonly { number: number; at: number; text: string }[], characters: number) {
  const [numbers, times] = [new Float64Array(entries.length), new Float64Array(entries.length)];
  const ends = new Uint32Array(entries.length);
  const texts = new Uint8Array(characters * 3); // no character has more bytes
  let end = 0;
  for (const [index, { number, at, text }] of entries.entries()) {
    numbers[index] = number;
    times[index] = at;
    end += encoder.encodeInto(text, texts.subarray(end)).written;
    ends[index] = end;
  }
  return { numbers, times, ends, texts: texts.slice(0, end) };
}
