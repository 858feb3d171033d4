import assert from 'node:assert/strict';
import { parse } from 'node:path';
import type { AuditRecord } from '../../src/core/model/attempt.ts';
import { json, member, type Server, send, sendJson, type TestResponse } from './http-client.ts';
import { fields, file, sendForm } from './multipart.ts';
import { readAudit, readDatabase } from './sqlite-harness.ts';

export const TARGET = 'https://example.com/path?query=1#fragment';

/** Creates a link to a URL and returns its short code. */
export async function createLink(server: Server, members: Record<string, unknown> = {}): Promise<string> {
  return shortCodeOf(await sendJson(server, '/api/links', { targetUrl: TARGET, ...members }));
}

/** Uploads a file and returns its link's short code. */
export async function uploadFile(
  server: Server,
  content: string | Buffer = 'content',
  options: { fileName?: string; fields?: Record<string, string> } = {},
): Promise<string> {
  return shortCodeOf(
    await sendForm(server, [...fields(options.fields ?? {}), file(content, options.fileName)]),
  );
}

/** Returns the short code of a link that was created. */
export function shortCodeOf(response: TestResponse): string {
  assert.equal(response.status, 201, response.text);
  return String(member(json(response), 'shortCode'));
}

/** Opens a link by `GET /l/{shortCode}` with these headers. */
export function openLink(
  server: Server,
  shortCode: string,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  return send(server, `/l/${shortCode}`, { headers });
}

export async function revokeLink(server: Server, shortCode: string): Promise<void> {
  const { status } = await send(server, `/l/${shortCode}`, { method: 'DELETE' });
  assert.equal(status, 204);
}

type Database = { databasePath: string };

/** Returns the audit in its order, of one short code if given, without its ids. Reads the database file, not the service. */
export function auditRecords({ databasePath }: Database, shortCode?: string): Omit<AuditRecord, 'id'>[] {
  return readAudit(databasePath)
    .filter((record) => shortCode === undefined || record.shortCode === shortCode)
    .map(({ id: _, ...record }) => record);
}

/** Returns the results of the attempts on one short code, in their order. */
export function auditedResults(service: Database, shortCode: string): string[] {
  return auditRecords(service, shortCode).map(({ result }) => result);
}

/** Returns a link's stored status and views. */
export function linkState(service: Database, shortCode: string): { status: string; viewCount: number } {
  const [row] = readRows(service, 'SELECT status, view_count FROM link WHERE short_code = ?', [shortCode]);
  return { status: String(row?.['status']), viewCount: Number(row?.['view_count']) };
}

/** Returns the path of a link's file. */
export function storedFileOf(service: Database & { storedFiles(): string[] }, shortCode: string): string {
  const [row] = readRows(service, 'SELECT file_id FROM link_target WHERE short_code = ?', [shortCode]);
  const path = service.storedFiles().find((stored) => parse(stored).name === row?.['file_id']);
  if (path === undefined) throw new Error(`${shortCode} has no file`);
  return path;
}

export function countRows(
  service: Database,
  of: 'link' | 'changes' | 'audit' | 'upload' | 'file_set',
): number {
  const rows = of === 'changes' ? 'entry WHERE author_kind IS NOT NULL' : of;
  return Number(readRows(service, `SELECT count(*) AS count FROM ${rows}`, [])[0]?.['count']);
}

/** Returns true when no file, no upload and no link is stored: "a refused upload leaves nothing". */
export function isEmpty(service: Database & { storedFiles(): string[] }): boolean {
  return service.storedFiles().length + countRows(service, 'upload') + countRows(service, 'link') === 0;
}

/** Reads rows of the service's database on a read-only connection. */
export function readRows(
  { databasePath }: Database,
  sql: string,
  parameters: (string | null)[],
): Record<string, unknown>[] {
  return readDatabase(databasePath, (db) => db.prepare(sql).all(...parameters));
}
