import type { DatabaseSync } from 'node:sqlite';
import type { AttemptOutcome } from '../../links/attempt.ts';
import { MAX_RANKED_LINKS } from '../../links/ports.ts';
import { applyAttempts, type BatchEffects } from '../apply-attempts.ts';
import { type AttemptRow, fromAttemptRow } from '../attempt-row.ts';
import { type LinkStateRow, toLinkState } from '../link-rows.ts';
import { inTransaction } from './connection.ts';
import { prepareCountLinks } from './count-links.ts';

/** Decides a group of attempts and commits all that follows from them, or nothing, in one transaction. */
export function prepareCommitAttempts(db: DatabaseSync): (rows: AttemptRow[]) => AttemptOutcome[] {
  const selectLink = db.prepare(
    'SELECT status, view_count, max_views, expires_at FROM link WHERE short_code = ?',
  );
  const write = prepareWriteEffects(db);

  return (rows) =>
    inTransaction(db, () => {
      const attempts = rows.map(fromAttemptRow);
      const links = new Map();
      for (const shortCode of new Set(attempts.map((attempt) => attempt.shortCode))) {
        const row = selectLink.get(shortCode) as LinkStateRow | undefined;
        if (row) links.set(shortCode, toLinkState(row));
      }
      const effects = applyAttempts(links, attempts);
      write(effects);
      return effects.outcomes;
    });
}

function prepareWriteEffects(db: DatabaseSync): (effects: BatchEffects) => void {
  const insertAudit = db.prepare(
    `INSERT INTO audit (id, short_code, result, ip_address, user_agent, accessed_at)
     VALUES (unhex(?, '-'), ?, ?, ?, ?, ?)`,
  );
  // Two statements, because the index of due links has to be looked at only where the status changes.
  const updateViews = db.prepare('UPDATE link SET view_count = ? WHERE short_code = ?');
  const updateStatus = db.prepare('UPDATE link SET status = ? WHERE short_code = ?');
  const addInvalidPasswords = db.prepare(
    'UPDATE link SET invalid_password_count = invalid_password_count + ? WHERE short_code = ?',
  );
  const addByHour = db.prepare(
    `INSERT INTO attempts_by_hour VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count`,
  );
  const addByDay = db.prepare(
    `INSERT INTO attempts_by_day VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count`,
  );
  const addByHourOfDay = db.prepare(
    `INSERT INTO attempts_by_hour_of_day VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count`,
  );
  const insertOrigin = db.prepare('INSERT INTO origin VALUES (?) ON CONFLICT DO NOTHING');
  const addOrigins = db.prepare('UPDATE origin_count SET count = count + ?');
  const countLinks = prepareCountLinks(db);
  const rankTopLinks = prepareRankTopLinks(db);

  return (effects) => {
    for (const { id, shortCode, result, ipAddress, userAgent, accessedAt } of effects.records) {
      insertAudit.run(id, shortCode, result, ipAddress, userAgent, accessedAt);
    }
    for (const [shortCode, link] of effects.viewed) updateViews.run(link.viewCount, shortCode);
    for (const [shortCode, status] of effects.statusChanges) {
      updateStatus.run(status, shortCode);
      countLinks({ ACTIVE: -1, [status]: 1 });
    }
    for (const [shortCode, count] of effects.invalidPasswords) addInvalidPasswords.run(count, shortCode);
    for (const [hour, counts] of effects.byHour) {
      for (const [result, count] of counts) addByHour.run(hour, result, count);
    }
    for (const [day, counts] of effects.byDay) {
      for (const [result, count] of counts) addByDay.run(day, result, count);
    }
    for (const [hour, counts] of effects.byHourOfDay) {
      for (const [result, count] of counts) addByHourOfDay.run(hour, result, count);
    }
    let newOrigins = 0;
    for (const origin of effects.origins) newOrigins += Number(insertOrigin.run(origin).changes);
    if (newOrigins > 0) addOrigins.run(newOrigins);
    rankTopLinks([...effects.viewed].map(([shortCode, { viewCount }]) => ({ shortCode, viewCount })));
  };
}

/**
 * Keeps `top_link` the exact first of all links by view count, ties by short code. Links that rank behind the
 * last of a full table are passed over, which is nearly all of them.
 */
function prepareRankTopLinks(db: DatabaseSync): (viewed: { shortCode: string; viewCount: number }[]) => void {
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

  let isFull = false; // once it is, it stays so, and need not be counted again

  return (viewed) => {
    if (viewed.length === 0) return;
    let size = isFull ? MAX_RANKED_LINKS : Number(selectSize.get()?.['size']);
    isFull = size >= MAX_RANKED_LINKS;
    const last = isFull ? (selectLast.get() as { short_code: string; view_count: number }) : undefined;
    for (const { shortCode, viewCount } of viewed) {
      if (
        last &&
        (viewCount < last.view_count || (viewCount === last.view_count && shortCode > last.short_code))
      )
        continue;
      if (update.run(viewCount, shortCode).changes === 1) continue;
      insert.run(viewCount, shortCode);
      size += 1;
    }
    if (size > MAX_RANKED_LINKS) deleteLast.run(size - MAX_RANKED_LINKS);
  };
}
