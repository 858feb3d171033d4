import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { AuditRecord } from '../../src/core/model/attempt.ts';
import type { AuditResult } from '../../src/core/model/verdict.ts';
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts';
import { showCurrentLinks } from '../../src/stores/sqlite/read-store.ts';
import type { WriterData } from '../../src/stores/sqlite/writer-thread.ts';
import type { ChangeRecord, StoreHarness } from '../contract/store-harness.ts';
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
    const isStore = db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'projector'`).get();
    if (isStore) showCurrentLinks(db);
    return read(db);
  } finally {
    db.close();
  }
}

/** Adds audit records without the service, one each 18 ms, as if a killed service had left them. */
export function addRecords(path: string, count: number, addresses = 200): void {
  const db = new DatabaseSync(path, { timeout: 10_000 });
  db.prepare(
    `WITH RECURSIVE number (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n + 1 < ?)
     INSERT INTO entry (format, id, kind, short_code, result, count, ip_address, at, number)
     SELECT 1, unhex(printf('%012x%020x', 1781524800000 + 18 * n, n)), 'ATTEMPT', 'unknown1', 'NOT_FOUND', 1,
       '10.0.' || (n % ? / 250) || '.' || (n % 250), 1781524800000 + 18 * n, 0 FROM number`,
  ).run(count, addresses);
  db.close();
}

/** Reads the whole audit, in the order in which its attempts were decided. */
export function readAudit(path: string): AuditRecord[] {
  return readDatabase(path, (db) => db.prepare('SELECT * FROM audit ORDER BY seq').all()).map((row) => ({
    id: String(row['id']),
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
  return readDatabase(path, (db) => db.prepare(SELECT_CHANGES).all()).map((row) =>
    toChangeRecord(row as ChangeRow),
  );
}

const SELECT_CHANGES = `
  SELECT substr(hex, 1, 8) || '-' || substr(hex, 9, 4) || '-' || substr(hex, 13, 4) || '-' || substr(hex, 17, 4) || '-'
    || substr(hex, 21) AS id, lower(hex(salt)) AS salt, short_code, kind, author_kind, author_name, ip_address, at AS changed_at, number, details
  FROM (SELECT *, lower(hex(id)) AS hex FROM entry WHERE author_kind IS NOT NULL) ORDER BY id`;
