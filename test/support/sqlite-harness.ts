import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { AuditRecord } from '../../src/links/attempt.ts';
import type { AuditResult } from '../../src/links/verdict.ts';
import { showCurrentLinks } from '../../src/stores/sqlite/current-links.ts';
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts';
import type { WriterData } from '../../src/stores/sqlite/writer-thread.ts';
import type { ChangeRecord, StoreHarness } from '../contract/store.ts';
import { type ChangeRow, toChangeRecord } from './attempts.ts';

/** The embedded store on a file of its own, removed at the end of the test. */
export type SqliteHarness = StoreHarness & { directory: string; path: string };

/** @param options those of the writer */
export async function openSqliteHarness(options: Omit<WriterData, 'path'> = {}): Promise<SqliteHarness> {
  const directory = mkdtempSync(join(tmpdir(), 'postern-store-'));
  const path = join(directory, 'data', 'postern.db');
  let store = await openSqliteStore({ path, ...options });
  return {
    directory,
    path,
    get store() {
      return store;
    },
    readAudit: async () => readAudit(path),
    readChanges: async () => readChanges(path),
    async execute(sql) {
      const db = new DatabaseSync(path, { timeout: 5_000 });
      db.exec(sql);
      db.close();
    },
    async reopen() {
      await store.close();
      store = await openSqliteStore({ path, ...options });
    },
    async [Symbol.asyncDispose]() {
      await store.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Runs reads that see one moment, on a read-only connection of their own, and links with all of their attempts. */
export function readDatabase<T>(path: string, read: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    db.exec('BEGIN');
    const hasMark = db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'write_back'`).get();
    if (hasMark) showCurrentLinks(db);
    return read(db);
  } finally {
    db.close();
  }
}

const AUDIT = `
  SELECT id, short_code, result, count, ip_address, coalesce(text, user_agent) AS user_agent, accessed_at
  FROM audit LEFT JOIN user_agent ON user_agent.number = agent_number ORDER BY id`;

/** Reads the whole audit, in the order of its ids. */
export function readAudit(path: string): AuditRecord[] {
  return readDatabase(path, (db) => db.prepare(AUDIT).all()).map((row) => ({
    id: toUuid(row['id']),
    shortCode: String(row['short_code']),
    result: String(row['result']) as AuditResult,
    count: Number(row['count']),
    ipAddress: row['ip_address'] === null ? null : String(row['ip_address']),
    userAgent: row['user_agent'] === null ? null : String(row['user_agent']),
    accessedAt: Number(row['accessed_at']),
  }));
}

/** Reads every change of a link, in the order of their ids. */
export function readChanges(path: string): ChangeRecord[] {
  const rows = readDatabase(path, (db) => db.prepare('SELECT * FROM link_change ORDER BY id').all());
  return rows.map((row) => toChangeRecord({ ...row, id: toUuid(row['id']) } as ChangeRow));
}

function toUuid(id: unknown): string {
  if (!(id instanceof Uint8Array)) throw new TypeError('an audit id must be bytes');
  return Buffer.from(id)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
