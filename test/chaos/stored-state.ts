import type { AuditRecord } from '../../src/links/attempt.ts';
import { type LinkRow, toLinkRow } from '../support/audit-consistency.ts';
import { readAudit as readPostgresAudit } from '../support/postgres-harness.ts';
import type { Schema } from '../support/postgres-server.ts';
import { readDatabase, readAudit as readSqliteAudit } from '../support/sqlite-harness.ts';

/** A link as it is stored, with its target. */
export type StoredLink = LinkRow & {
  targetUrl: string | null;
  file: { id: string; name: string; sizeBytes: number } | null;
};

/** Returns the user agent of the request that created a link, which its target names. */
export function agentOf({ targetUrl, file }: Pick<StoredLink, 'targetUrl' | 'file'>): string {
  if (targetUrl === null) return (file?.name ?? '').replace(/\.bin$/, '');
  return decodeURIComponent(targetUrl.split('/').at(-1) ?? '');
}

/** What a database holds, read without the service. */
export type StoredState = {
  audit: AuditRecord[];
  links: StoredLink[];
  /** Each change of a link: its short code and its kind. */
  changes: string[];
};

const LINKS = 'SELECT * FROM link JOIN link_target USING (short_code)';
const CHANGES = 'SELECT short_code, kind FROM link_change';

type Row = Record<string, unknown>;

export function readSqliteState(path: string): StoredState {
  const rowsOf = (sql: string): Row[] => readDatabase(path, (db) => db.prepare(sql).all());
  return toState(readSqliteAudit(path), rowsOf(LINKS), rowsOf(CHANGES));
}

export async function readPostgresState(schema: Schema): Promise<StoredState> {
  const [links, changes] = await Promise.all([schema.query<Row>(LINKS), schema.query<Row>(CHANGES)]);
  return toState(await readPostgresAudit(schema), links, changes);
}

function toState(audit: AuditRecord[], links: Row[], changes: Row[]): StoredState {
  return {
    audit,
    links: links.map(toStoredLink),
    changes: changes.map((row) => `${row['short_code']} ${row['kind']}`),
  };
}

function toStoredLink(row: Row): StoredLink {
  const { file_id: id, file_name: name, file_size_bytes: sizeBytes, target_url: targetUrl } = row;
  const hasFile = id !== null;
  return {
    ...toLinkRow(row),
    targetUrl: targetUrl === null ? null : String(targetUrl),
    file: hasFile ? { id: String(id), name: String(name), sizeBytes: Number(sizeBytes) } : null,
  };
}
