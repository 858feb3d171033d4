import { Type } from 'typebox';
import { LINK_CHANGE_KINDS } from '../core/model/link-change.ts';
import { AUDIT_RESULTS } from '../core/model/verdict.ts';
import { Count, DateRangeQuery, listOf, nullable, optionalText, text, titled } from './schemas.ts';

// The records of the history: types of the routes, and OpenAPI.

const DateTime = Type.String({ format: 'date-time', description: 'In UTC, with milliseconds' });
const Fingerprint = text('SHA-256 of the newest entry, 64 hexadecimal digits');

const Format = Type.Integer({ minimum: 1, description: 'The number of the format of its text' });
const ENTRY = {
  format: Format,
  id: Type.String({ format: 'uuid' }),
  at: DateTime,
  number: { ...Count, description: 'The place in the history of the link, from 1; 0 without a link' },
  shortCode: Type.String(),
  salt: nullable(Type.String(), { description: 'Hashed with the personal fields; null without these' }),
  personalSha256: optionalText('The SHA-256 of the personal fields with their salt, once both were erased'),
};

export const AttemptEntry = titled('AttemptEntry', {
  ...ENTRY,
  kind: Type.Literal('ATTEMPT'),
  result: Type.Enum([...AUDIT_RESULTS]),
  count: Type.Integer({
    minimum: 1,
    description: 'How many attempts it records: 1, but of those that a limit refused all of a minute',
  }),
  ipAddress: nullable(Type.String()),
  userAgent: nullable(Type.String()),
  recipientAddress: optionalText(
    'The mail address of one of the `verifiedRecipients`. Of SUCCESS: a person who controlled it opened the link; of ' +
      'RECIPIENT_REQUIRED: a code was asked for it; of INVALID_RECIPIENT: a code was sent for it that is wrong, has ended or was used, or was sent from another browser',
  ),
  referrer: optionalText('The host of the page that had the link, if the browser named it'),
  preview: Type.Boolean(),
  downloads: {
    ...listOf('DownloadEnd', {
      ...{ format: Format, id: ENTRY.id, at: DateTime, number: Count },
      firstByte: { ...Count, description: 'The first byte of the file that was to be sent, from 0' },
      bytesSent: { ...Count, description: 'Bytes that the service sent' },
      isSentCompletely: Type.Boolean({
        description:
          'Whether the service sent all from the first byte to the end of the file, to the client or its proxy: no proof that the client received it',
      }),
    }),
    description: 'How the download of the file, or each part of it, ended; empty before the first end',
  },
});

const DetailValue = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);

export const ChangeEntry = titled('ChangeEntry', {
  ...ENTRY,
  kind: Type.Enum([...LINK_CHANGE_KINDS], {
    description: 'CHANGED: something of the link was changed, or it was mailed',
  }),
  author: titled('Author', {
    kind: Type.Enum(['KEY', 'USER', 'LINK_TOKEN', 'ANONYMOUS', 'COMMAND']),
    name: nullable(Type.String(), { description: 'Of the key, the user or the command' }),
    ipAddress: nullable(Type.String()),
  }),
  details: Type.Record(
    Type.String(),
    Type.Union([DetailValue, titled('ChangedTerm', { new: DetailValue, old: DetailValue })]),
    { description: 'The terms of a new link, or what was changed' },
  ),
});

export const HistoryItem = Type.Union([AttemptEntry, ChangeEntry]);

const HEAD = {
  entryCount: Type.Integer({ minimum: 1, description: 'The number of entries, with the ends of downloads' }),
  fingerprint: Fingerprint,
};
export const HistoryHead = Type.Object(HEAD);

const PAGE = {
  items: Type.Array(HistoryItem, { description: 'Newest first' }),
  next: nullable(Type.String(), { description: 'The `cursor` of the next page; null at the end' }),
};
export const HistoryPage = titled('HistoryPage', { ...PAGE, ...HEAD });
export const AuditPage = titled('AuditPage', PAGE);

/** The newest checkpoint of the log that has an entry of the link. */
export const CheckpointOfLink = titled('CheckpointOfLink', {
  number: { ...Count, description: 'The newest entry of the link that the checkpoint has' },
  proof: text('The checkpoint, and the proof that it has the entry: https://c2sp.org/tlog-proof'),
  key: text('The key of the log: https://c2sp.org/signed-note'),
  handovers: Type.Array(Type.String(), {
    description: 'The statements by which earlier keys passed on the log, the oldest first',
  }),
});

/** A text without control characters: programs print it, and a line break could look like a result of a check. */
const Line = Type.String({ pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$' });

/** The first line of an exported history of a link. */
export const HistoryHeadLine = Type.Object({
  kind: Type.Literal('HEAD'),
  shortCode: Line,
  ...HEAD,
  at: DateTime,
  filtered: Type.Boolean(),
  checkpoint: Type.Optional(CheckpointOfLink),
  files: Type.Optional(
    Type.Array(Type.Object({ name: Line, sizeBytes: Count, sha256: Type.String(), crc32: Count })),
  ),
});

/** The lines of an exported history by their kind. */
export const HISTORY_LINES = { head: HistoryHeadLine, attempt: AttemptEntry, change: ChangeEntry };

const FILTERS = {
  result: optionalText('Attempts with these results, with commas between'),
  ...DateRangeQuery.properties,
  address: optionalText('The IP address of the visitor, or of the author of a change'),
};
const PAGING = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })),
  cursor: optionalText('`next` of the page before'),
};
export const HistoryQuery = Type.Object({ ...FILTERS, ...PAGING });
export const AuditQuery = Type.Object({
  code: optionalText(
    'The short code of a link, or any other text that was requested as one, also the empty one',
  ),
  ...FILTERS,
  ...PAGING,
});

export const HistoryHeaders = Type.Object({
  Accept: optionalText('`text/csv` or `application/x-ndjson` returns all entries that match, as a stream'),
});

/** Returns the response of a page, or of an export. */
export function historyResponse(page: typeof HistoryPage | typeof AuditPage) {
  return {
    description: 'A page as JSON, or all entries as CSV or NDJSON',
    content: {
      'application/json': { schema: page },
      'application/x-ndjson': { schema: Type.String() },
      'text/csv': { schema: Type.String() },
    },
  };
}
