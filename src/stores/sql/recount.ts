import { MAX_RANKED_LINKS } from '../../core/model/ranges.ts';
import { DAY_MS, HOUR_MS } from '../../core/model/time-units.ts';
import { toUuid } from '../log-rows.ts';
import { checkHistories } from './check-histories.ts';
import { checkList } from './check-list.ts';
import { IS_ERASED_FILE } from './ended-links.ts';
import { IS_ERASED } from './erase.ts';
import { findOrphans } from './find-orphans.ts';
import { otherProjections, projectionsOf, selectAddresses } from './projections.ts';
import {
  type Dialect,
  describeDetached,
  NO_ROWS,
  type Query,
  type Statement,
  type StoreMoment,
  SUM,
} from './query.ts';

/**
 * The result of recounting every projection of a store and checking every history: a text for each difference, and how
 * many attempts there are.
 */
export type Recount = { differences: string[]; auditRecords: number };

/**
 * The same in two parts: differences of projections, which can be rebuilt, and differences of entries and links.
 */
export type RecountParts = {
  derived: string[];
  records: string[];
  auditRecords: number;
  linkCount: number;
  /** Entries without their personal fields, the erasures that recorded some, and files that a retention erased. */
  erased: { entries: number; erasures: number; files: number };
  /** The months whose entries were detached from the log, so that only histories after them could be checked. */
  detachedMonths: string | undefined;
};

/** Recounts every projection from the log and the links, and checks the history of every link. */
export async function recountStore(moment: StoreMoment): Promise<Recount> {
  if (moment.detached) throw new Error(describeDetached(moment.detached));
  const { derived, records, auditRecords } = await recountParts(moment);
  return { differences: [...derived, ...records], auditRecords };
}

/** Does the same as `recountStore`, and returns which differences are of projections. */
export async function recountParts(moment: StoreMoment): Promise<RecountParts> {
  const { query, detached } = moment;
  const { derived, records } = detached ? { derived: [], records: [] } : await recountWhole(moment);
  records.push(...(await checkHistories(moment)));
  type Counts = Record<'auditRecords' | 'linkCount' | 'entries' | 'erasures' | 'files' | 'recorded', number>;
  const [row] = await query<Counts>(`SELECT
             (SELECT count(*) FROM entry WHERE kind = 'ATTEMPT') AS "auditRecords",
             (SELECT count(*) FROM link) AS "linkCount", (SELECT count(*) FROM entry WHERE ${IS_ERASED}) AS entries,
             (SELECT count(*) FROM link_target WHERE ${IS_ERASED_FILE}) AS files,
             (SELECT count(*) FROM erasure WHERE entry_count > 0) AS erasures,
             (SELECT CAST(coalesce(sum(entry_count), 0) AS BIGINT) FROM erasure) AS recorded`);
  const { auditRecords = 0, linkCount = 0, entries = 0, erasures = 0, files = 0, recorded = 0 } = row ?? {};
  if (entries !== recorded && !detached)
    records.push(`erased entries: ${entries}, but erasures recorded ${recorded}: they were changed`);
  return {
    ...{ derived, records },
    auditRecords,
    linkCount,
    erased: { entries, erasures, files },
    detachedMonths: detached?.months,
  };
}

/** Compares everything that follows from the whole log with it, except for the histories. */
async function recountWhole(moment: StoreMoment) {
  const { query, dialect, pending } = moment;
  const derived: string[] = [];
  for (const check of checksOfProjections(dialect, pending.statuses))
    derived.push(...(await runCheck(query, check)));
  derived.push(...(await checkTopLinks(query, pending.views)));
  const list = await checkList(moment);
  derived.push(...list.derived);
  const records = [...list.records];
  for (const check of checksOfRecords(dialect)) records.push(...(await runCheck(query, check)));
  records.push(...(await findOrphans(query, dialect)));
  return { derived, records };
}

/**
 * Two queries of (key, value), a text and a number, that must return the same rows. `describeKey`: a key for people.
 */
type Check = { what: string; stored: string; recounted: string; describeKey?: (key: string) => string };

async function runCheck(query: Query, { what, stored, recounted, describeKey }: Check): Promise<string[]> {
  const rows = await query<{
    key: string | null; // where a column lacks a value that the service always writes
    stored: number | null;
    recounted: number | null;
  }>(`WITH stored (key, value) AS (${stored}), recounted (key, value) AS (${recounted}),
             sides AS (SELECT key, value AS stored, CAST(NULL AS BIGINT) AS recounted FROM stored
                       UNION ALL SELECT key, NULL, value FROM recounted)
           SELECT key, max(stored) AS stored, max(recounted) AS recounted FROM sides
           GROUP BY key HAVING max(stored) IS DISTINCT FROM max(recounted)`);
  return rows.map(({ key, ...row }) => {
    const described = key === null ? 'without a value' : (describeKey?.(key) ?? key);
    return `${what} ${described}: stored ${row.stored ?? 'nothing'}, recounted ${row.recounted ?? 'nothing'}`;
  });
}

const describePeriod = (unitMs: number) => (key: string) =>
  key.replace(/^-?\d+/, (number) => describeTime(Number(number), unitMs));
const ofHour = { describeKey: describePeriod(HOUR_MS) };
const ofDay = { describeKey: describePeriod(DAY_MS) };
const describeDay = (day: string) => (day === '-1' ? 'none' : describeTime(Number(day), DAY_MS));

/** Compares projections with what the entries so far give that the projector has counted. */
function checksOfProjections(dialect: Dialect, pendingStatuses: Statement): Check[] {
  const projections = { ...projectionsOf(dialect), ...otherProjections(dialect) };
  const compare = (what: string, table: keyof typeof projections, key: string, value = '1'): Check => ({
    what,
    stored: `SELECT ${key}, ${value} FROM ${table}`,
    recounted: `SELECT ${key}, ${value} FROM (${projections[table].rows(counted(dialect))}) AS counted`,
  });
  const end = `${dialect.uuidToText('attempt_id')} || ' ' || seq`;
  const days = `day || ' ' || previous_day`;
  const place = `short_code || ' ' || seq || ' ' || number`;
  return [
    compare('end of a download, by its attempt and its place in the log:', 'download', end),
    compare('place in the history of link', 'history_jump', place),
    compare('wrong passwords of link', 'link_exception', 'short_code', 'count'),
    {
      ...compare('links by status:', 'links_by_status', 'status', 'count'),
      stored: `SELECT status, ${SUM} FROM (SELECT status, count FROM links_by_status UNION ALL ${pendingStatuses})
                 AS changed GROUP BY status HAVING sum(count) <> 0`,
    },
    { ...compare('first_seq of hour', 'log_hour', 'CAST(hour AS TEXT)', 'first_seq'), ...ofHour },
    { ...compare('last_seq of hour', 'log_hour', 'CAST(hour AS TEXT)', 'last_seq'), ...ofHour },
    {
      ...compare('attempts by hour and result:', 'attempts_by_hour', `hour || ' ' || result`, 'count'),
      ...ofHour,
    },
    {
      ...compare('attempts by day and result:', 'attempts_by_day', `day || ' ' || result`, 'count'),
      ...ofDay,
    },
    {
      ...compare(
        'addresses by day, and day on which they came last before:',
        'origins_by_day',
        days,
        'count',
      ),
      // A count that falls to 0 stays, because a row is only changed.
      stored: `SELECT ${days}, count FROM origins_by_day WHERE count <> 0`,
      describeKey: (key) => key.split(' ').map(describeDay).join(' '),
    },
    ...checksOfOrigins(dialect),
  ];
}

const counted = ({ isProjected }: Dialect): string => `(SELECT * FROM entry WHERE ${isProjected}) AS entry`;

/** The hours whose addresses an erasure has yet to replace, or its repetition. Nothing is known of them meanwhile. */
const OUTDATED = '(SELECT hour FROM log_hour WHERE is_outdated)';
const ORIGINS_OF_HOURS = 'origin_by_hour JOIN origin ON origin.number = origin_by_hour.number';

function checksOfOrigins(dialect: Dialect): Check[] {
  const addresses = `(${selectAddresses(dialect, counted(dialect))}) AS counted WHERE hour NOT IN ${OUTDATED}`;
  return [
    {
      what: 'origin',
      stored: 'SELECT ip_address, 1 FROM origin',
      recounted: `SELECT DISTINCT ip_address, 1 FROM ${ORIGINS_OF_HOURS}`,
    },
    {
      what: 'greatest number of an origin:',
      stored: `SELECT 'all', coalesce(max(number), 0) FROM origin`,
      recounted: `SELECT 'all', count(*) FROM origin`,
    },
    {
      what: 'origin of hour',
      stored: `SELECT hour || ' ' || ip_address, 1 FROM ${ORIGINS_OF_HOURS} WHERE hour NOT IN ${OUTDATED}`,
      recounted: `SELECT hour || ' ' || ip_address, 1 FROM ${addresses}`,
      ...ofHour,
    },
  ];
}

/** Returns a number of hours or days since 1970 as a date. What is no date, as after damage, stays a number. */
function describeTime(number: number, unitMs: number): string {
  const date = new Date(number * unitMs);
  if (Number.isNaN(date.getTime())) return `${number}`;
  const [day, time = ''] = date.toISOString().split('T');
  return unitMs === DAY_MS ? `${day}` : `${day} ${time.slice(0, 5)} UTC`;
}

type Rank = { short_code: string; view_count: number };

/** Compares the ranking of links by views with the links. `pending`: the views that are not ranked yet. */
async function checkTopLinks(query: Query, pending: StoreMoment['pending']['views']): Promise<string[]> {
  const select = (table: string) => `SELECT short_code, view_count FROM ${table} WHERE view_count > 0
           ORDER BY view_count DESC, short_code LIMIT ${MAX_RANKED_LINKS}`;
  const stored = new Map(
    (await query<Rank>(select('top_link'))).map((row) => [row.short_code, row.view_count]),
  );
  for (const [shortCode, count] of pending)
    if (count > 0) stored.set(shortCode, Math.max(count, stored.get(shortCode) ?? 0));
  const ranked = [...stored]
    .sort(([a, views], [b, others]) => others - views || Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .slice(0, MAX_RANKED_LINKS);
  const recounted = await query<Rank>(select('link'));
  return Array.from({ length: Math.max(ranked.length, recounted.length) }, (_, index) => {
    const [[code, views] = ['nothing', 0], row] = [ranked[index], recounted[index]];
    if (code === row?.short_code && views === row.view_count) return [];
    const expected = row ? `${row.short_code} with ${row.view_count} views` : 'nothing';
    return [`rank ${index + 1} by views: stored ${code} with ${views} views, recounted ${expected}`];
  }).flat();
}

function checksOfRecords({ uuidToText, hexTime, jsonInteger }: Dialect): Check[] {
  const hexId = uuidToText('id');
  return [
    {
      // Its granted attempts, after the views that the entry of its import has.
      what: 'views of link',
      stored: 'SELECT short_code, view_count FROM link WHERE view_count > 0',
      recounted: `SELECT short_code, CAST(sum(views) AS BIGINT) FROM (
                    SELECT short_code, count(*) AS views FROM entry WHERE result = 'SUCCESS' GROUP BY short_code
                    UNION ALL
                    SELECT short_code, ${jsonInteger('details', 'viewCount')} FROM entry
                    WHERE kind = 'CREATED' AND details LIKE '%"viewCount":%') AS viewed
                  GROUP BY short_code HAVING sum(views) > 0`,
    },
    {
      what: 'views over the limit of link',
      stored: 'SELECT short_code, view_count FROM link WHERE view_count > max_views',
      recounted: NO_ROWS,
    },
    {
      what: 'target of link',
      stored: 'SELECT short_code, 1 FROM link_target',
      recounted: 'SELECT short_code, 1 FROM link',
    },
    {
      what: 'entry that cannot be counted, by its seq:',
      stored: `SELECT CAST(seq AS TEXT), 1 FROM entry WHERE kind = 'ATTEMPT' AND (result IS NULL OR count IS NULL)`,
      recounted: NO_ROWS,
    },
    {
      what: 'time inside the id of entry',
      stored: `SELECT ${hexId}, at FROM entry WHERE substr(${hexId}, 1, 12) <> ${hexTime}`,
      recounted: NO_ROWS,
      describeKey: toUuid,
    },
  ];
}
