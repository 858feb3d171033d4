import type { Author } from '../../../model/author.ts';
import { FORMAT, isPartlyErased, readTimestamp } from '../../../model/hashed-text.ts';
import type { ChangeDetails, HistoryEntry } from '../../../model/history.ts';
import { LINK_CHANGE_KINDS, type LinkChangeKind } from '../../../model/link-change.ts';
import { describeFormat, PARTLY_ERASED } from '../../../model/read-chain.ts';
import { isUuidV7Of } from '../../../model/uuid-v7.ts';
import { type AuditResult, isPreviewResult } from '../../../model/verdict.ts';

// The lines of an export, as a schema of them admits. See `HistoryHeadLine` and the others of the API.

/** The first line of an exported history. `filtered`: the export has only some of the entries. */
export type ExportHead = {
  kind: 'HEAD';
  shortCode: string;
  entryCount: number;
  fingerprint: string;
  at: string;
  filtered: boolean;
  /** The newest checkpoint that covers a part of the history; absent where there is none. */
  checkpoint?: { number: number; proof: string; key: string; handovers: string[] };
  /** The newest files of a link with several; the history has the SHA-256 of this list. */
  files?: ListedFile[];
};
export type ListedFile = { name: string; sizeBytes: number; sha256: string; crc32: number };
type NumberedLine = { format: number; id: string; at: string; number: number };
type EntryLine = NumberedLine & { shortCode: string; salt: string | null; personalSha256?: string };
type AttemptLine = EntryLine & {
  kind: 'ATTEMPT';
  result: AuditResult;
  count: number;
  ipAddress: string | null;
  userAgent: string | null;
  referrer?: string;
  recipientAddress?: string;
  preview: boolean;
  downloads: (NumberedLine & { firstByte: number; bytesSent: number; isSentCompletely: boolean })[];
};
type ChangeLine = EntryLine & { kind: LinkChangeKind; author: Author; details: ChangeDetails };
/** A line after the first, as the service wrote it. */
export type ExportedItem = AttemptLine | ChangeLine;

type AttemptEntry = Extract<HistoryEntry, { kind: 'ATTEMPT' }>;

/** An entry as an export has it, with its place in the chain of the link. */
export type ExportedEntry = { number: number; entry: HistoryEntry };
/** The error of a line, as the end of a sentence about it. `isNewer`: it has a format that is not known yet. */
export type LineError = { error: string; isNewer?: true };

/** The part of an error of the schema library that a message needs. */
type SchemaError = {
  keyword: string;
  instancePath: string;
  message: string;
  params: object | { allowedValues: unknown[] };
};
/** The check of a line against its schema, which admits no other members: no fingerprint would cover them. */
export type LineCheck<Line> = {
  Check(line: unknown): line is Line;
  Errors(line: unknown): [isValid: boolean, errors: SchemaError[]];
};
/** The checks of the lines of an export. */
export type LineChecks = {
  head: LineCheck<ExportHead>;
  attempt: LineCheck<AttemptLine>;
  change: LineCheck<ChangeLine>;
};

/** Returns a schema that admits no other members, and any text as a time: `readTimestamp` checks that. */
export function toClosed<Schema extends object>(schema: Schema): Schema {
  const close = (name: string, value: unknown) => {
    if (name === 'format' && value === 'date-time') return undefined;
    const hasMembers = typeof value === 'object' && value !== null && 'properties' in value;
    return hasMembers ? { ...value, additionalProperties: false } : value;
  };
  return JSON.parse(JSON.stringify(schema), close) as Schema; // the same but for these
}

const OTHER_TIME = 'has a time in another form than the service writes';

/** Reads the first line of an export. */
export function readHead(line: unknown, { head }: LineChecks): ExportHead | LineError {
  if (!head.Check(line)) return { error: firstError(head, line) };
  return Number.isNaN(readTimestamp(line.at)) ? { error: OTHER_TIME } : line;
}

/** A line with the entries that it has. */
export type ReadItem = { item: ExportedItem; entries: ExportedEntry[] };

/** Reads a line with an attempt and the ends of its downloads, or with a change. */
export function readItem(line: unknown, checks: LineChecks): ReadItem | LineError {
  const kind = memberOf(line, 'kind');
  const downloads = memberOf(line, 'downloads');
  const ends: readonly unknown[] = Array.isArray(downloads) ? downloads : [];
  const formats = [line, ...ends].map((entry) => memberOf(entry, 'format'));
  const newer = formats.find((format) => Number(format) > FORMAT);
  if (newer !== undefined) return { error: describeFormat(Number(newer)), isNewer: true };
  const read = kind === 'ATTEMPT' ? readAttempt(line, checks) : readChange(kind, line, checks);
  if ('error' in read) return read;
  for (const { number, entry } of read.entries) {
    if (number === 0) return { error: 'has the number 0, which no entry of a link has' };
    if (Number.isNaN(entry.at)) return { error: OTHER_TIME };
    if (!isUuidV7Of(entry.at, entry.id)) return { error: `has another time than its id ${entry.id}` };
    if (isPartlyErased(entry)) return { error: PARTLY_ERASED };
  }
  return read;
}

function readAttempt(line: unknown, { attempt: check }: LineChecks): ReadItem | LineError {
  if (!check.Check(line)) return { error: firstError(check, line) };
  const { number, result, count, ipAddress, userAgent, referrer, recipientAddress } = line;
  const { preview, downloads } = line;
  if (preview !== isPreviewResult(result))
    return { error: `has the result ${result} and preview ${preview}, which contradict each other` };
  const entry: AttemptEntry = { ...toCommon(line), kind: 'ATTEMPT', result, count, ipAddress, userAgent };
  if (referrer !== undefined) entry.referrer = referrer;
  if (recipientAddress !== undefined) entry.recipientAddress = recipientAddress;
  const { id: attemptId, shortCode } = line;
  const ends = downloads.map(({ number, at, format: _, ...end }): ExportedEntry => {
    return { number, entry: { kind: 'DOWNLOAD', ...end, at: readTimestamp(at), shortCode, attemptId } };
  });
  return { item: line, entries: [{ number, entry }, ...ends] };
}

function readChange(kind: unknown, line: unknown, { change }: LineChecks): ReadItem | LineError {
  const known = LINK_CHANGE_KINDS.find((changeKind) => changeKind === kind);
  if (known === undefined) return { error: `has the kind ${JSON.stringify(kind)}, which no entry has` };
  if (!change.Check(line)) return { error: firstError(change, line) };
  const { number, author, details } = line;
  const entry = { ...toCommon(line), kind: known, author, details: sortMembers(details) };
  return { item: line, entries: [{ number, entry }] };
}

function toCommon(line: EntryLine) {
  const { id, at, shortCode, salt, personalSha256 } = line;
  const common = { id, at: readTimestamp(at), shortCode, salt };
  return personalSha256 === undefined ? common : { ...common, personalSha256 };
}

/** Returns the details as their fingerprint covers them, also if a program that wrote the file sorts otherwise. */
function sortMembers(details: ChangeDetails): ChangeDetails {
  const sorted = Object.entries(details).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    sorted.map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null ? { new: value.new, old: value.old } : value,
    ]),
  );
}

/** Returns a member of an object; undefined of another value. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function firstError(check: LineCheck<unknown>, line: unknown): string {
  const [, [error]] = check.Errors(line);
  if (!error) return 'is not valid';
  const member = error.instancePath.slice(1).replaceAll('/', '.');
  if (error.keyword === 'boolean') return `has the member ${member}, which the service does not write`;
  const message =
    'allowedValues' in error.params
      ? `must be one of ${error.params.allowedValues.join(', ')}`
      : error.message;
  return member === '' ? message : `has the member ${member}, which ${message}`;
}
