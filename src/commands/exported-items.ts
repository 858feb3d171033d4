import type { Static, TProperties, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { AttemptEntry, ChangeEntry, HistoryHeadLine } from '../http/history-schemas.ts';
import { FORMAT, isPartlyErased } from '../links/chain.ts';
import { describeFormat, PARTLY_ERASED } from '../links/check-history.ts';
import type { ChangeDetails, HistoryEntry } from '../links/history.ts';
import type { EpochMs } from '../links/link.ts';
import { LINK_CHANGE_KINDS } from '../links/link-change.ts';
import { uuidV7 } from '../links/uuid-v7.ts';
import { isPreviewResult } from '../links/verdict.ts';

/** The first line of an exported history. `filtered`: the export has only some of the entries. */
export type ExportHead = Static<typeof HistoryHeadLine>;
/** An entry as an export has it, with its place in the chain of the link. */
export type ExportedEntry = { number: number; entry: HistoryEntry };
/** The error of a line, as the end of a sentence about it. `isNewer`: it has a format that is not known yet. */
export type LineError = { error: string; isNewer?: true };

const headValidator = compileClosed(HistoryHeadLine);
const attemptValidator = compileClosed(AttemptEntry);
const changeValidator = compileClosed(ChangeEntry);

/** Compiles a schema so that it admits no other members, which no fingerprint would cover. */
function compileClosed<Schema extends TSchema>(schema: Schema): Validator<TProperties, Schema> {
  const close = (_: string, value: unknown) =>
    typeof value === 'object' && value !== null && 'properties' in value
      ? { ...value, additionalProperties: false }
      : value;
  return Compile(JSON.parse(JSON.stringify(schema), close) as Schema); // the same but for other members
}

const OTHER_TIME = 'has a time in another form than the service writes';

/** Reads the first line of an export. */
export function readHead(line: unknown): ExportHead | LineError {
  if (!headValidator.Check(line)) return { error: firstError(headValidator, line) };
  return Number.isNaN(toMs(line.at)) ? { error: OTHER_TIME } : line;
}

/** Reads a line with an attempt and the ends of its downloads, or with a change. */
export function readItem(line: unknown): ExportedEntry[] | LineError {
  const kind = memberOf(line, 'kind');
  const formats = [line, memberOf(line, 'downloads')]
    .flat()
    .map((entry) => Number(memberOf(entry, 'format')));
  const newer = formats.find((format) => format > FORMAT);
  if (newer !== undefined) return { error: describeFormat(newer), isNewer: true };
  const entries = kind === 'ATTEMPT' ? readAttempt(line) : readChange(kind, line);
  if ('error' in entries) return entries;
  for (const { number, entry } of entries) {
    if (number === 0) return { error: 'has the number 0, which no entry of a link has' };
    if (Number.isNaN(entry.at)) return { error: OTHER_TIME };
    if (uuidV7(entry.at, entry.id) !== entry.id) return { error: `has another time than its id ${entry.id}` };
    if (isPartlyErased(entry)) return { error: PARTLY_ERASED };
  }
  return entries;
}

/** Returns NaN for a time in another form than the service writes. */
function toMs(time: string): EpochMs {
  const at = Date.parse(time);
  return Number.isNaN(at) || new Date(at).toISOString() !== time ? Number.NaN : at;
}

function readAttempt(line: unknown): ExportedEntry[] | LineError {
  if (!attemptValidator.Check(line)) return { error: firstError(attemptValidator, line) };
  const { number, result, count, ipAddress, userAgent, referrer, preview, downloads } = line;
  if (preview !== isPreviewResult(result))
    return { error: `has the result ${result} and preview ${preview}, which contradict each other` };
  const common = toCommon(line);
  const attempt: ExportedEntry = {
    number,
    entry: {
      ...{ ...common, kind: 'ATTEMPT', result, count, ipAddress, userAgent },
      ...(referrer !== undefined && { referrer }),
    },
  };
  const { id: attemptId, shortCode } = line;
  const ends = downloads.map(({ number, at, format: _, ...end }): ExportedEntry => {
    return { number, entry: { kind: 'DOWNLOAD', ...end, at: toMs(at), shortCode, attemptId } };
  });
  return [attempt, ...ends];
}

function readChange(kind: unknown, line: unknown): ExportedEntry[] | LineError {
  const known = LINK_CHANGE_KINDS.find((changeKind) => changeKind === kind);
  if (known === undefined) return { error: `has the kind ${JSON.stringify(kind)}, which no entry has` };
  if (!changeValidator.Check(line)) return { error: firstError(changeValidator, line) };
  const { number, author, details } = line;
  return [{ number, entry: { ...toCommon(line), kind: known, author, details: sortMembers(details) } }];
}

function toCommon({
  id,
  at,
  shortCode,
  salt,
  personalSha256,
}: Static<typeof AttemptEntry | typeof ChangeEntry>) {
  return { id, at: toMs(at), shortCode, salt, ...(personalSha256 !== undefined && { personalSha256 }) };
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

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function firstError<Schema extends TSchema>(
  validator: Validator<TProperties, Schema>,
  line: unknown,
): string {
  const [error] = validator.Errors(line);
  if (!error) return 'is not valid';
  const member = error.instancePath.slice(1).replaceAll('/', '.');
  if (error.keyword === 'boolean') return `has the member ${member}, which the service does not write`;
  const message =
    error.keyword === 'enum' ? `must be one of ${error.params.allowedValues.join(', ')}` : error.message;
  return member === '' ? message : `has the member ${member}, which ${message}`;
}
