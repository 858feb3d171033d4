import type {
  ChainHead,
  FileRequest,
  FileTraits,
  Link,
  LinkDefinition,
  LinkState,
  LinkStatus,
  Target,
} from '../core/model/link.ts';
import type { Holders } from '../core/model/owner.ts';
import {
  isList,
  type LinkTerms,
  MANAGED_TERMS,
  namesOf,
  PLAIN_NAMES,
  PLAIN_TERMS,
  type PlainTerm,
  VISIT_TERMS,
  type VisitTerms,
} from '../core/model/terms.ts';
import type { Columns, Dialect, Value } from './sql/query.ts';

/** The columns of `link` that a decision reads. */
export type LinkStateRow = {
  status: LinkStatus;
  view_count: number;
  max_views: number | null;
  starts_at: number | null;
  expires_at: number | null;
  is_paused: boolean | number;
  version: number;
  definition_version: number;
  last_opened_at: number | null;
};

/** The columns of `LinkStateRow`. */
export const LINK_STATE_COLUMNS = `link.status, link.view_count, link.max_views, link.starts_at, link.expires_at,
  link.is_paused, link.version, link.definition_version, link.last_opened_at`;

/** The columns of `link` that hold the end of its chain, with bytes in hexadecimal digits. */
export type ChainRow = { entry_count: number; fingerprint: string; last_seq: number };

/** Returns the columns of a `ChainRow`. */
export const chainColumns = ({ bytesToHex }: Dialect): string =>
  `link.entry_count, ${bytesToHex('link.fingerprint')} AS fingerprint, link.last_seq`;

/**
 * A row of `link_target`: the table's checks allow a URL, the four columns of a file, or a file request. SQLite's booleans are
 * 0 and 1.
 */
export type LinkTargetRow = {
  short_code: string;
  definition_version: number;
  password_hash: string | null;
} & TermsRow &
  (
    | (NoFile & ({ target_url: string; file_request: null } | { target_url: null; file_request: string }))
    | ({ target_url: null; file_request: null; file_size_bytes: number; file_traits: string | null } & Record<
        'file_id' | 'file_name' | 'file_sha256',
        string
      >)
  );
type NoFile = Record<'file_id' | 'file_name' | 'file_size_bytes' | 'file_sha256' | 'file_traits', null>;

/** The plain terms of a link, by their columns. `tags`: a JSON array. */
type TermsRow = Readonly<Record<string, string | number | boolean | null>>;

/** Returns the column of a plain term, such as `fallback_url`. */
export function columnOf(name: keyof LinkTerms): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const withColumn = (name: PlainTerm) => ({ name, column: columnOf(name) });
const VISIT = namesOf(VISIT_TERMS).map(withColumn);
const MANAGED = namesOf(MANAGED_TERMS).map(withColumn);

/** The columns of the terms that a visit needs. */
export const VISIT_COLUMNS = [...VISIT.map(({ column }) => column), columnOf('notifyLanguage')].join(', ');
/** The columns of the other plain terms. */
export const MANAGED_COLUMNS = MANAGED.map(({ column }) => column).join(', ');

function toTermValues(terms: readonly { name: PlainTerm; column: string }[], row: TermsRow): object {
  return Object.fromEntries(terms.map(({ name, column }) => [name, toTermValue(name, row[column] ?? null)]));
}

function toTermValue(name: PlainTerm, value: TermsRow[string]): LinkTerms[PlainTerm] {
  const { kind } = PLAIN_TERMS[name];
  if (kind === 'flag') return Boolean(value);
  const text = value === null ? null : String(value);
  return isList(kind) ? toTexts(text) : text;
}

/** Splits a column that `termValues` wrote. */
export function toTexts(column: string | null): string[] {
  if (column === null) return [];
  const values: unknown = JSON.parse(column);
  return Array.isArray(values) ? values.map(String) : [];
}

function toVisitTerms(row: TermsRow): VisitTerms {
  const { notify_language: notifyLanguage } = row;
  return { ...toTermValues(VISIT, row), notifyLanguage } as VisitTerms; // each of its column
}

/** The rows of a link in both tables. */
export type LinkRow = LinkTargetRow &
  LinkStateRow &
  ChainRow &
  Holders & {
    request_code: string | null;
    created_at: number;
    token_hash: string | null;
  };

export function toLink(row: LinkRow): Link {
  return {
    ...toLinkDefinition(row),
    ...toLinkState(row),
    terms: { ...toVisitTerms(row), ...toTermValues(MANAGED, row) } as LinkTerms, // each of its column
    ...(row.request_code !== null && { requestCode: row.request_code }),
    createdAt: row.created_at,
    tokenHash: row.token_hash,
    owner: row.owner,
    team: row.team,
    history: toChainHead(row),
  };
}

export function toChainHead(row: ChainRow): ChainHead {
  const { entry_count: entryCount, fingerprint, last_seq: lastSeq } = row;
  return { entryCount, fingerprint, lastSeq };
}

export function toLinkState(row: LinkStateRow): LinkState {
  return {
    status: row.status,
    viewCount: row.view_count,
    maxViews: row.max_views,
    startsAt: row.starts_at,
    expiresAt: row.expires_at,
    isPaused: Boolean(row.is_paused),
    version: row.version,
    definitionVersion: row.definition_version,
    lastOpenedAt: row.last_opened_at,
  };
}

type Terms = LinkDefinition & Pick<Link, 'terms' | 'owner' | 'team' | 'requestCode'>;

/** The columns of `link_target` that a creation and a change set alike. */
export const TERM_COLUMNS: Columns = {
  target_url: 'text',
  ...{ file_id: 'text', file_name: 'text', file_size_bytes: 'integer', file_sha256: 'text' },
  ...{ file_traits: 'text', file_request: 'text', request_code: 'text' },
  password_hash: 'text',
  ...Object.fromEntries(
    PLAIN_NAMES.map((name) => [columnOf(name), PLAIN_TERMS[name].kind === 'flag' ? 'truth' : 'text']),
  ),
  ...{ notify_language: 'text', owner: 'text', team: 'text', definition_version: 'integer' },
};

/** Returns the values of `TERM_COLUMNS`. */
export function termValues({ target, passwordHash, terms, ...link }: Terms): Value[] {
  const file = target.type === 'DOWNLOAD' ? target.file : null;
  const { fileId = null, fileName = null, sizeBytes = null, sha256 = null, traits } = file ?? {};
  return [
    ...[target.type === 'REDIRECT' ? target.url : null, fileId, fileName, sizeBytes, sha256],
    traits ? JSON.stringify(traits) : null,
    ...[target.type === 'REQUEST' ? JSON.stringify(target.request) : null, link.requestCode ?? null],
    passwordHash,
    ...PLAIN_NAMES.map((name) => toColumnValue(terms[name])),
    ...[terms.notifyLanguage, link.owner, link.team, link.definitionVersion],
  ];
}

function toColumnValue(value: LinkTerms[PlainTerm]): Value {
  if (typeof value !== 'object' || value === null) return value;
  return value.length === 0 ? null : JSON.stringify(value);
}

export function toLinkDefinition(row: LinkTargetRow): LinkDefinition {
  return {
    shortCode: row.short_code,
    definitionVersion: row.definition_version,
    target: toTarget(row),
    passwordHash: row.password_hash,
    terms: toVisitTerms(row),
  };
}

function toTarget(row: LinkTargetRow): Target {
  if (row.target_url !== null) return { type: 'REDIRECT', url: row.target_url };
  if (row.file_request !== null) return { type: 'REQUEST', request: toFileRequest(row.file_request) };
  const { file_id: fileId, file_name: fileName, file_size_bytes: sizeBytes, file_sha256: sha256 } = row;
  const traits = row.file_traits === null ? {} : { traits: toTraits(row.file_traits) };
  return { type: 'DOWNLOAD', file: { fileId, fileName, sizeBytes, sha256, ...traits } };
}

export function toTraits(text: string): FileTraits {
  return JSON.parse(text) as FileTraits; // as `termValues` wrote it
}

/** The value of the column once a file request was erased. */
export const ERASED_REQUEST = '{}';

export function toFileRequest(text: string): FileRequest {
  const known = JSON.parse(text) as Partial<FileRequest>; // as `termValues` wrote it, or erased
  const { message = '', maxFiles = null, maxBytes = null, recipientKey = null } = known;
  return { message, maxFiles, maxBytes, recipientKey };
}

/** The part of a link that changes: its state and the end of its history. */
export type CurrentLink = { state: LinkState; head: ChainHead };

export type CurrentLinkRow = LinkStateRow & ChainRow & { short_code: string };

/** Returns the columns of `link` that a current link has. */
export const currentLinkColumns = (dialect: Dialect): string =>
  `link.short_code, ${LINK_STATE_COLUMNS}, ${chainColumns(dialect)}`;

export function toCurrentLink(row: CurrentLinkRow): CurrentLink {
  return { state: toLinkState(row), head: toChainHead(row) };
}

/** The key of `link`, and the columns that attempts change. */
export const ATTEMPTED_COLUMNS: Columns = {
  short_code: 'text',
  status: 'text',
  view_count: 'integer',
  last_opened_at: 'integer',
  entry_count: 'integer',
  fingerprint: 'bytes',
  last_seq: 'integer',
};
/** The columns by which the row of a link is written. */
export const WRITTEN_COLUMNS: Columns = {
  ...ATTEMPTED_COLUMNS,
  max_views: 'integer',
  starts_at: 'integer',
  expires_at: 'integer',
  is_paused: 'truth',
  version: 'integer',
  definition_version: 'integer',
};

/** Returns the values of `WRITTEN_COLUMNS`. */
export function toWrittenRow(shortCode: string, { state, head }: CurrentLink): Value[] {
  const { status, viewCount, maxViews, startsAt, expiresAt, isPaused } = state;
  const { version, definitionVersion, lastOpenedAt } = state;
  const { entryCount, fingerprint, lastSeq } = head;
  return [
    ...[shortCode, status, viewCount, lastOpenedAt, entryCount, fingerprint, lastSeq],
    ...[maxViews, startsAt, expiresAt, isPaused, version, definitionVersion],
  ];
}
