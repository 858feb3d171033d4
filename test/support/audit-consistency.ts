import assert from 'node:assert/strict';
import type { AuditRecord } from '../../src/core/model/attempt.ts';
import type { Period } from '../../src/core/model/ranges.ts';
import { ACCESS_RESULTS, type AccessResult } from '../../src/core/model/verdict.ts';
import { DENIALS } from '../../src/http/errors.ts';
import { type Server, send, type TestResponse } from './http-client.ts';
import type { Sent } from './load.ts';
import { rank, recount, WRONG_PASSWORDS } from './recount.ts';
import { readAudit, readDatabase } from './sqlite-harness.ts';

type ServiceOnFile = Server & { databasePath: string };

/** A link's row in the database, read without the service. */
export type LinkRow = { shortCode: string; status: string; viewCount: number; maxViews: number | null };

const RESULT_OF_MESSAGE: Record<string, AccessResult> = {
  'Link not found': 'NOT_FOUND',
  'File not found': 'NOT_FOUND',
  'Link has been revoked': 'REVOKED',
  'Link has expired': 'EXPIRED',
  'Link has reached its view limit': 'VIEW_LIMIT_REACHED',
  'Password required': 'PASSWORD_REQUIRED',
  'Invalid password': 'INVALID_PASSWORD',
  [DENIALS.RECIPIENT_REQUIRED.message]: 'RECIPIENT_REQUIRED',
  [DENIALS.INVALID_RECIPIENT.message]: 'INVALID_RECIPIENT',
  'Link is not active': 'UNEXPECTED_STATE',
  'Link is paused; try again later': 'PAUSED',
  'Link is not open yet; try again later': 'NOT_STARTED',
  [DENIALS.RATE_LIMITED.message]: 'RATE_LIMITED',
};

/** Returns the audit's result for a response to `GET /l/…`; undefined for any other response. */
export function resultOf({ status, text }: Pick<TestResponse, 'status' | 'text'>): AccessResult | undefined {
  if (status === 302 || status === 200) return 'SUCCESS';
  return RESULT_OF_MESSAGE[/"message":"([^"]*)"/.exec(text)?.[1] ?? ''];
}

export function linkRows(path: string): LinkRow[] {
  return readDatabase(path, (db) => db.prepare('SELECT * FROM link ORDER BY short_code').all()).map(
    toLinkRow,
  );
}

/** Translates a row of either engine. */
export function toLinkRow(row: Record<string, unknown>): LinkRow {
  return {
    shortCode: String(row['short_code']),
    status: String(row['status']),
    viewCount: Number(row['view_count']),
    maxViews: row['max_views'] === null ? null : Number(row['max_views']),
  };
}

/**
 * Checks a service without requests in flight: each link has the views that its audit proves and no more than its
 * limit, and the statistics equal a recount. Returns the audit.
 */
export async function assertAuditConsistent(service: ServiceOnFile): Promise<AuditRecord[]> {
  const audit = readAudit(service.databasePath);
  await assertAuditsConsistent(service, { audit, links: linkRows(service.databasePath) });
  return audit;
}

/** Checks the same on rows that were read from any database. */
export async function assertAuditsConsistent(
  service: Server,
  { audit, links }: { audit: readonly AuditRecord[]; links: readonly LinkRow[] },
): Promise<void> {
  const views = new Map(rank(audit, ['SUCCESS'], Infinity).map(({ shortCode, count }) => [shortCode, count]));
  for (const { shortCode, viewCount, maxViews } of links) {
    assert.equal(viewCount, views.get(shortCode) ?? 0, `views of ${shortCode}`);
    assert.ok(viewCount <= (maxViews ?? Infinity), `${shortCode} has ${viewCount} views of ${maxViews}`);
  }

  const { totals, hourly, daily, byHour, byDay } = recount(audit);
  const counts = totals.countsByResult;
  const total = ACCESS_RESULTS.reduce((sum, result) => sum + (counts[result] ?? 0), 0);
  const { SUCCESS: success = 0, EXPIRED: expired = 0 } = counts;
  const percentage = (part: number) => (total === 0 ? 0 : (part / total) * 100);
  const countOf = (status: string) => links.filter((link) => link.status === status).length;
  const statistics: Record<string, unknown> = {
    'access/summary': {
      total,
      success,
      failed: total - success,
      expired,
      uniqueOrigins: totals.uniqueOrigins,
      accessEfficiencyRatio: percentage(success),
      expirationAttritionRate: percentage(expired),
    },
    'access/hourly': hourly,
    'access/daily': daily,
    'access/over-time?unit=hour': byHour.map(toResponse),
    'access/over-time': byDay.map(toResponse),
    links: { active: countOf('ACTIVE'), expired: countOf('EXPIRED'), revoked: countOf('REVOKED') },
    'links/top?limit=1000': rank(audit, ['SUCCESS'], 1000).map(({ shortCode, count }) => ({
      shortCode,
      accessCount: count,
    })),
    'security/exceptions?limit=1000': rank(audit, WRONG_PASSWORDS, 1000),
  };
  for (const [path, expected] of Object.entries(statistics)) {
    const { text } = await send(service, `/api/stats/${path}`);
    assert.deepEqual(JSON.parse(text, withoutNames), expected, path);
  }
}

/** Leaves out what names links to people, which no audit has. */
function withoutNames(name: string, value: unknown): unknown {
  return ['label', 'leadsTo', 'type'].includes(name) ? undefined : value;
}

/** Checks that each response has exactly one record, and a request without a response at most one. */
export function assertResponsesAreRecorded(sent: readonly Sent[], audit: readonly AuditRecord[]): void {
  const recorded = Map.groupBy(audit, ({ userAgent }) => userAgent);
  for (const { agent, response } of sent) {
    const results = (recorded.get(agent) ?? []).map(({ result }) => result);
    if (response) assert.deepEqual(results, [resultOf(response)], `${agent}: ${response.status}`);
    else assert.ok(results.length <= 1, `${agent} was recorded twice`);
  }
}

function toResponse({ startsAt, total, success, passwordRequests }: Period) {
  return {
    start: new Date(startsAt).toISOString(),
    total,
    success,
    failed: total - success,
    passwordRequests,
  };
}
