import type { AuditRecord } from '../../src/core/model/attempt.ts';
import { type LinkRow, toLinkRow } from '../support/audit-consistency.ts';
import { member } from '../support/http-client.ts';
import { readAudit as readPostgresAudit } from '../support/postgres-harness.ts';
import type { Schema } from '../support/postgres-server.ts';
import { readDatabase, readAudit as readSqliteAudit } from '../support/sqlite-harness.ts';

/** A link as it is stored, with its target. */
export type StoredLink = LinkRow & {
  targetUrl: string | null;
  file: { id: string; name: string; sizeBytes: number } | null;
  label: string | null;
  notifyUrl: string | null;
};

/** A change of a link as it is recorded. `label`: the new one. `number`: its place in the history of the link. */
export type StoredChange = {
  id: string;
  shortCode: string;
  kind: string;
  number: number;
  label: string | null;
};

/** Returns the name of a link, which its target contains: the user agent of its request, and which item it was. */
export function nameOf({ targetUrl, file }: Pick<StoredLink, 'targetUrl' | 'file'>): string {
  if (targetUrl === null) return (file?.name ?? '').replace(/\.bin$/, '');
  return decodeURIComponent(targetUrl.split('/').at(-1) ?? '');
}

/** The contents of a database, read without the service. */
export type StoredState = {
  audit: AuditRecord[];
  links: StoredLink[];
  changes: StoredChange[];
};

const LINKS = 'SELECT * FROM link JOIN link_target USING (short_code)';
const changesWith = (id: string): string =>
  `SELECT ${id} AS id, short_code, kind, number, details FROM entry WHERE details IS NOT NULL`;

type Row = Record<string, unknown>;

export function readSqliteState(path: string): StoredState {
  const rowsOf = (sql: string): Row[] => readDatabase(path, (db) => db.prepare(sql).all());
  return toState(readSqliteAudit(path), rowsOf(LINKS), rowsOf(changesWith('lower(hex(id))')));
}

export async function readPostgresState(schema: Schema): Promise<StoredState> {
  const changesOf = changesWith(`replace(id::text, '-', '')`);
  const [links, changes] = await Promise.all([schema.query<Row>(LINKS), schema.query<Row>(changesOf)]);
  return toState(await readPostgresAudit(schema), links, changes);
}

function toState(audit: AuditRecord[], links: Row[], changes: Row[]): StoredState {
  return {
    audit,
    links: links.map(toStoredLink),
    changes: changes.map(toStoredChange),
  };
}

const toText = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function toStoredChange({ id, short_code, kind, number, details }: Row): StoredChange {
  const label = member(member(JSON.parse(String(details)), 'label'), 'new');
  const known = { id: String(id), shortCode: String(short_code), kind: String(kind) };
  return { ...known, number: Number(number), label: toText(label) };
}

function toStoredLink(row: Row): StoredLink {
  const { file_id: id, file_name: name, file_size_bytes: sizeBytes, target_url: targetUrl } = row;
  const hasFile = id !== null;
  return {
    ...toLinkRow(row),
    targetUrl: toText(targetUrl),
    label: toText(row['label']),
    notifyUrl: toText(row['notify_url']),
    file: hasFile ? { id: String(id), name: String(name), sizeBytes: Number(sizeBytes) } : null,
  };
}
