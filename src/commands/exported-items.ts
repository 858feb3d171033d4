import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { ChangeDetails, ChangeEntry, HistoryEntry } from '../links/history.ts';
import type { EpochMs } from '../links/link.ts';
import { LINK_CHANGE_KINDS } from '../links/link-change.ts';
import { uuidV7 } from '../links/uuid-v7.ts';
import { ACCESS_RESULTS, isPreviewResult, PREVIEW_RESULTS } from '../links/verdict.ts';

const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const Text = Nullable(Type.String());
const DetailValue = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);
const Uuid = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' });
const Time = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' });
const CLOSED = { additionalProperties: false };
const Fingerprint = Type.String({ pattern: '^[0-9a-f]{64}$' });

const Head = Type.Object(
  {
    kind: Type.Literal('HEAD'),
    shortCode: Type.String(),
    entryCount: Type.Integer({ minimum: 1 }),
    fingerprint: Fingerprint,
    at: Time,
    filtered: Type.Boolean(),
  },
  CLOSED,
);
const COMMON = { id: Uuid, at: Time, shortCode: Type.String() };
const Attempt = Type.Object(
  {
    ...COMMON,
    kind: Type.Literal('ATTEMPT'),
    number: Type.Integer({ minimum: 1 }),
    result: Type.Enum([...ACCESS_RESULTS, ...PREVIEW_RESULTS]),
    count: Type.Integer({ minimum: 1 }),
    ipAddress: Text,
    userAgent: Text,
    preview: Type.Boolean(),
    download: Nullable(
      Type.Object(
        {
          id: Uuid,
          at: Time,
          number: Type.Integer({ minimum: 1 }),
          bytesSent: Type.Integer({ minimum: 0 }),
          isSentCompletely: Type.Boolean(),
        },
        CLOSED,
      ),
    ),
  },
  CLOSED,
);
const AUTHOR_KINDS = ['KEY', 'USER', 'LINK_TOKEN', 'ANONYMOUS', 'COMMAND'] as const;
const Change = Type.Object(
  {
    ...COMMON,
    kind: Type.Enum([...LINK_CHANGE_KINDS]),
    number: Type.Integer({ minimum: 1 }),
    author: Type.Object(
      {
        ipAddress: Text,
        kind: Type.Enum([...AUTHOR_KINDS]),
        name: Text,
      },
      CLOSED,
    ),
    details: Type.Record(
      Type.String(),
      Type.Union([DetailValue, Type.Object({ new: DetailValue, old: DetailValue }, CLOSED)]),
    ),
  },
  CLOSED,
);

/** The first line of an exported history. `filtered`: the export has only some of the entries. */
export type ExportHead = Static<typeof Head>;
/** An entry as an export has it, with its place in the chain of the link. */
export type ExportedEntry = { number: number; entry: HistoryEntry };
/** The error of a line, as the end of a sentence about it. */
export type LineError = { error: string };

const headValidator = Compile(Head);
const attemptValidator = Compile(Attempt);
const changeValidator = Compile(Change);

const NO_DATE = 'has a time that is no date';

/** Reads the first line of an export. */
export function readHead(line: unknown): ExportHead | LineError {
  if (!headValidator.Check(line)) return { error: firstError(headValidator, line) };
  return Number.isNaN(toMs(line.at)) ? { error: NO_DATE } : line;
}

/** Reads a line with an attempt, with its download if it had one, or with a change. */
export function readItem(line: unknown): ExportedEntry[] | LineError {
  const kind = kindOf(line);
  const entries = kind === 'ATTEMPT' ? readAttempt(line) : readChange(kind, line);
  if ('error' in entries) return entries;
  for (const { entry } of entries) {
    if (Number.isNaN(entry.at)) return { error: NO_DATE };
    if (uuidV7(entry.at, entry.id) !== entry.id) return { error: `has another time than its id ${entry.id}` };
  }
  return entries;
}

/** Returns NaN for a day that its month does not have: Date.parse would count on. */
function toMs(time: string): EpochMs {
  const at = Date.parse(time);
  return Number.isNaN(at) || new Date(at).toISOString() !== time ? Number.NaN : at;
}

function readAttempt(line: unknown): ExportedEntry[] | LineError {
  if (!attemptValidator.Check(line)) return { error: firstError(attemptValidator, line) };
  const { id, shortCode, number, result, count, ipAddress, userAgent, preview, download } = line;
  if (preview !== isPreviewResult(result))
    return { error: `has the result ${result} and preview ${preview}, which contradict each other` };
  const at = toMs(line.at);
  const attempt: ExportedEntry = {
    number,
    entry: { kind: 'ATTEMPT', id, at, shortCode, result, count, ipAddress, userAgent },
  };
  if (!download) return [attempt];
  const { bytesSent, isSentCompletely } = download;
  const ended = { id: download.id, at: toMs(download.at), shortCode, attemptId: id };
  return [
    attempt,
    { number: download.number, entry: { kind: 'DOWNLOAD', ...ended, bytesSent, isSentCompletely } },
  ];
}

function readChange(kind: unknown, line: unknown): ExportedEntry[] | LineError {
  const known = LINK_CHANGE_KINDS.find((changeKind) => changeKind === kind);
  if (known === undefined) return { error: `has the kind ${JSON.stringify(kind)}, which no entry has` };
  if (!changeValidator.Check(line)) return { error: firstError(changeValidator, line) };
  const { id, shortCode, number, author, details } = line;
  const entry: ChangeEntry = {
    kind: known,
    id,
    at: toMs(line.at),
    shortCode,
    author,
    details: sortMembers(details),
  };
  return [{ number, entry }];
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

function kindOf(line: unknown): unknown {
  return typeof line === 'object' && line !== null && 'kind' in line ? line.kind : undefined;
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
