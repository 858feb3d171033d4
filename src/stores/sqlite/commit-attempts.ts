import type { DatabaseSync } from 'node:sqlite';
import type { ChainHead } from '../../links/history.ts';
import type { LinkState } from '../../links/link.ts';
import { MAX_RANKED_LINKS } from '../../links/ports.ts';
import { applyAttempts, type BatchEffects, type BatchOutcome, type Counts } from '../apply-attempts.ts';
import { type AttemptRow, fromAttemptRow } from '../attempt-row.ts';
import type { IsAbandoned } from '../departures.ts';
import type { Recorded } from './commit-counter.ts';
import { prepareCountLinks } from './count-links.ts';
import type { WriteBack } from './write-back.ts';
import { prepareWriteEvents } from './write-events.ts';

/** Prepares deciding a batch of attempts and committing all their effects, in the transaction of the caller. */
export function prepareCommitAttempts(
  db: DatabaseSync,
  writeBack: WriteBack,
): (rows: AttemptRow[], isAbandoned: IsAbandoned) => Recorded<BatchOutcome[]> {
  const write = prepareWriteEffects(db);

  return (rows, isAbandoned) => {
    const attempts = rows.map(fromAttemptRow);
    const links = new Map<string, LinkState>();
    const heads = new Map<string, ChainHead>();
    for (const shortCode of new Set(attempts.map((attempt) => attempt.shortCode))) {
      const link = writeBack.read(shortCode);
      if (!link) continue;
      links.set(shortCode, link.state);
      heads.set(shortCode, link.head);
    }
    const effects = applyAttempts(links, attempts, isAbandoned, heads);
    write(effects);
    writeBack.addAttempts(effects);
    return { result: effects.outcomes, lastRecord: effects.records.at(-1)?.id };
  };
}

function prepareWriteEffects(db: DatabaseSync): (effects: BatchEffects) => void {
  const insertAudit = db.prepare(
    `INSERT INTO audit (id, short_code, result, ip_address, user_agent, accessed_at, number)
     VALUES (unhex(?, '-'), ?, ?, ?, ?, ?, ?)`,
  );
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
  const rankTopLinks = prepareRankTopLinks(db);
  const writeEvents = prepareWriteEvents(db);

  return (effects) => {
    for (const { id, shortCode, result, ipAddress, userAgent, accessedAt, number } of effects.records) {
      insertAudit.run(id, shortCode, result, ipAddress, userAgent, accessedAt, number);
    }
    for (const [shortCode, status] of effects.statusChanges) {
      updateStatus.run(status, shortCode);
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

/**
 * Prepares the update of `top_link`, which holds exactly the first of all links by view count, ties by short code.
 * Links that rank below the last of a full table are skipped, which is nearly all of them.
 */
function prepareRankTopLinks(db: DatabaseSync): (viewed: BatchEffects['viewed']) => void {
  const selectSize = db.prepare('SELECT count(*) AS size FROM top_link');
  const selectLast = db.prepare(
    `SELECT short_code, view_count FROM top_link ORDER BY view_count, short_code DESC LIMIT 1`,
  );
  const update = db.prepare('UPDATE top_link SET view_count = ? WHERE short_code = ?');
  const insert = db.prepare('INSERT INTO top_link (view_count, short_code) VALUES (?, ?)');
  const deleteLast = db.prepare(
    `DELETE FROM top_link WHERE short_code IN
       (SELECT short_code FROM top_link ORDER BY view_count, short_code DESC LIMIT ?)`,
  );

  let isFull = false; // a full table stays full, and is not counted again

  return (viewed) => {
    if (viewed.size === 0) return;
    let size = isFull ? MAX_RANKED_LINKS : Number(selectSize.get()?.['size']);
    isFull = size >= MAX_RANKED_LINKS;
    const last = isFull ? (selectLast.get() as { short_code: string; view_count: number }) : undefined;
    for (const [shortCode, { viewCount }] of viewed) {
      const isBelowLast =
        last &&
        (viewCount < last.view_count || (viewCount === last.view_count && shortCode > last.short_code));
      if (isBelowLast || update.run(viewCount, shortCode).changes === 1) continue;
      insert.run(viewCount, shortCode);
      size += 1;
    }
    if (size > MAX_RANKED_LINKS) deleteLast.run(size - MAX_RANKED_LINKS);
  };
}
