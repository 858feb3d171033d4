import assert from 'node:assert/strict';
import type { AuditRecord } from '../../src/core/model/attempt.ts';
import type { AuditResult } from '../../src/core/model/verdict.ts';
import { openPostgresStore } from '../../src/stores/postgres/open-store.ts';
import { readPostgresStore } from '../../src/stores/postgres/read-store.ts';
import { recountStore } from '../../src/stores/sql/recount.ts';
import type { ChangeRecord, StoreHarness } from '../contract/store-harness.ts';
import { type ChangeRow, toChangeRecord } from './attempts.ts';
import { type LinkRow, toLinkRow } from './audit-consistency.ts';
import { type PostgresOptions, postgresOptions } from './postgres-options.ts';
import { createSchema, type Schema } from './postgres-server.ts';

/** The PostgreSQL store on an empty schema of its own, dropped at the end of the test. */
export type PostgresHarness = StoreHarness & {
  schema: Schema;
  options: PostgresOptions;
};

export async function openPostgresHarness(): Promise<PostgresHarness> {
  const schema = await createSchema();
  const options = postgresOptions(schema.url);
  let store = await openPostgresStore(options);
  return {
    schema,
    options,
    get store() {
      return store;
    },
    readAudit: () => readAudit(schema),
    readChanges: () => readChanges(schema),
    async execute(sql) {
      await schema.query(sql);
    },
    async reopen() {
      await store.close();
      store = await openPostgresStore(options);
    },
    async [Symbol.asyncDispose]() {
      await store.close();
      await schema[Symbol.asyncDispose]();
    },
  };
}

/** Checks that a recount of so many attempts finds no difference. */
export async function assertAuditConsistent({ options }: PostgresHarness, attempts: number): Promise<void> {
  const expected = { differences: [], auditRecords: attempts };
  assert.deepEqual(await readPostgresStore(options, recountStore), expected);
}

/** Reads the whole audit, in the order in which its attempts were decided. */
export async function readAudit(schema: Schema): Promise<AuditRecord[]> {
  const rows = await schema.query<
    Record<'id' | 'short_code' | 'result' | 'accessed_at' | 'count', string> & Client
  >('SELECT * FROM audit ORDER BY seq');
  return rows.map((row) => ({
    id: row.id,
    shortCode: row.short_code,
    result: row.result as AuditResult,
    count: Number(row.count),
    ipAddress: row.ip_address,
    userAgent: row.user_agent,
    accessedAt: Number(row.accessed_at),
  }));
}

/** Reads every change of a link, in the order of their ids. */
export async function readChanges(schema: Schema): Promise<ChangeRecord[]> {
  const rows = await schema.query<ChangeRow>(
    `SELECT *, at AS changed_at, encode(salt, 'hex') AS salt FROM entry WHERE author_kind IS NOT NULL ORDER BY id`,
  );
  return rows.map(toChangeRecord);
}

/** Reads every link in its current state. */
export async function linkRows(schema: Schema): Promise<LinkRow[]> {
  return (await schema.query('SELECT * FROM link ORDER BY short_code')).map(toLinkRow);
}

type Client = { ip_address: string | null; user_agent: string | null };
