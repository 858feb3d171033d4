import type { DatabaseSync } from 'node:sqlite';
import type { ChainHead } from '../../links/history.ts';
import type { LinkState } from '../../links/link.ts';
import {
  applyAttempts,
  type BatchEffects,
  type BatchOutcome,
  type Counts,
  type NumberedRecord,
} from '../apply-attempts.ts';
import { type AttemptRow, fromAttemptRow } from '../attempt-row.ts';
import type { IsAbandoned } from '../departures.ts';
import type { Recorded } from './commit-counter.ts';
import { prepareCountLinks } from './count-links.ts';
import { prepareInsertRows } from './insert-rows.ts';
import { prepareUpdateSearch } from './list-links.ts';
import { type NumberOfAgent, prepareNumberAgents } from './number-agents.ts';
import { prepareRankTopLinks } from './rank-top-links.ts';
import type { WriteBack } from './write-back.ts';
import { prepareWriteEvents } from './write-events.ts';

/** Prepares deciding a batch of attempts and committing all their effects, in the transaction of the caller. */
export function prepareCommitAttempts(
  db: DatabaseSync,
  writeBack: WriteBack,
  rankTopLinks = prepareRankTopLinks(db, writeBack),
): (rows: AttemptRow[], isAbandoned: IsAbandoned) => Recorded<BatchOutcome[]> {
  const write = prepareWriteEffects(db, rankTopLinks);

  return (rows, isAbandoned) => {
    const attempts = rows.map(fromAttemptRow);
    const links = new Map<string, LinkState>();
    const heads = new Map<string, ChainHead>();
    for (const [shortCode, link] of writeBack.readAll(attempts.map((attempt) => attempt.shortCode))) {
      links.set(shortCode, link.state);
      heads.set(shortCode, link.head);
    }
    const effects = applyAttempts(links, attempts, isAbandoned, heads);
    write(effects);
    writeBack.addAttempts(effects);
    return { result: effects.outcomes, lastRecord: effects.records.at(-1)?.id };
  };
}

function prepareWriteEffects(
  db: DatabaseSync,
  rankTopLinks: ReturnType<typeof prepareRankTopLinks>,
): (effects: BatchEffects) => void {
  const insertAudit = prepareInsertRows<AuditRow>(
    db,
    'audit (id, short_code, result, ip_address, user_agent, accessed_at, number, agent_number, prev, count)',
    "(unhex(?, '-'), ?, ?, ?, ?, ?, ?, ?, unhex(?, '-'), ?)",
  );
  const numberAgents = prepareNumberAgents(db);
  const updateStatus = db.prepare('UPDATE link SET status = ? WHERE short_code = ?');
  const addInvalidPasswords = db.prepare(
    'UPDATE link SET invalid_password_count = invalid_password_count + ? WHERE short_code = ?',
  );
  const addByHour = prepareAddCounts(db, 'attempts_by_hour');
  const addByDay = prepareAddCounts(db, 'attempts_by_day');
  const addByHourOfDay = prepareAddCounts(db, 'attempts_by_hour_of_day');
  const insertOrigin = db.prepare('INSERT INTO origin VALUES (?) ON CONFLICT DO NOTHING');
  const addOrigins = db.prepare('UPDATE origin_count SET count = count + ?');
  const countLinks = prepareCountLinks(db);
  const updateSearch = prepareUpdateSearch(db);
  const writeEvents = prepareWriteEvents(db);

  return (effects) => {
    const numberOfAgent = numberAgents();
    insertAudit(effects.records.map((record) => toAuditRow(record, numberOfAgent)));
    for (const [shortCode, status] of effects.statusChanges) {
      updateStatus.run(status, shortCode);
      updateSearch(shortCode);
      countLinks({ ACTIVE: -1, [status]: 1 });
    }
    for (const [shortCode, count] of effects.invalidPasswords) addInvalidPasswords.run(count, shortCode);
    addByHour(effects.byHour);
    addByDay(effects.byDay);
    addByHourOfDay(effects.byHourOfDay);
    let newOrigins = 0;
    for (const origin of effects.origins) newOrigins += Number(insertOrigin.run(origin).changes);
    if (newOrigins > 0) addOrigins.run(newOrigins);
    rankTopLinks(effects.viewed);
    writeEvents(effects.events);
  };
}

type AuditRow = (string | number | null)[];

function toAuditRow(record: NumberedRecord, numberOfAgent: NumberOfAgent): AuditRow {
  const { id, shortCode, result, ipAddress, userAgent, accessedAt, number, prev, count } = record;
  const agentNumber = userAgent === null ? null : numberOfAgent(userAgent);
  const text = agentNumber === null ? userAgent : null;
  return [id, shortCode, result, ipAddress, text, accessedAt, number, agentNumber, prev, count];
}

function prepareAddCounts(db: DatabaseSync, rollup: string): (counts: Counts) => void {
  const add = db.prepare(
    `INSERT INTO ${rollup} VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count`,
  );
  return (counts) => {
    for (const [time, byResult] of counts) {
      for (const [result, count] of byResult) add.run(time, result, count);
    }
  };
}
