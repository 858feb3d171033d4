import { MAX_RANKED_LINKS } from '../../links/ports.ts';
import { DAY_MS, HOUR_MS } from '../../links/time-units.ts';
import { checkHistories } from './check-histories.ts';
import { checkList } from './check-list.ts';
import { findStrayEntries } from './find-stray-entries.ts';
import { toUuid } from './history-rows.ts';
import { type Dialect, IS_ATTEMPT, type Query, type StoreRead, SUM } from './query.ts';
import { recountSummaries } from './recount-summaries.ts';

/**
 * The result of recounting every rollup of a store and checking every history: a text for each difference, and how many
 * attempts there are.
 */
export type Recount = { differences: string[]; auditRecords: number };

/**
 * The same in two parts: differences of data that follows from others, and can be rebuilt from them, and differences of
 * records and links.
 */
export type RecountParts = { derived: string[]; records: string[]; auditRecords: number; linkCount: number };

/** Recounts every rollup and every summary from the audit and the links, and checks the history of every link. */
export const recountStore: StoreRead<Recount> = async (query, dialect, stream) => {
  const { derived, records, auditRecords } = await recountParts(query, dialect, stream);
  return { differences: [...derived, ...records], auditRecords };
};

/** Does the same as `recountStore`, and returns which differences are of derived data. */
export const recountParts: StoreRead<RecountParts> = async (query, dialect, stream) => {
  const derived: string[] = [];
  for (const check of checksOfRollups(dialect)) derived.push(...(await runCheck(query, check)));
  derived.push(...(await recountSummaries(query, dialect)));
  const list = await checkList(query, dialect, stream);
  derived.push(...list.derived);
  const records = [...list.records];
  for (const check of checksOfRecords(dialect)) records.push(...(await runCheck(query, check)));
  records.push(
    ...(await findStrayEntries(query, dialect)),
    ...(await checkHistories({ query, dialect, stream })),
  );
  const [counts] = await query<{ auditRecords: number; links: number }>({
    name: 'count-audit-and-links',
    text: 'SELECT (SELECT count(*) FROM audit) AS "auditRecords", (SELECT count(*) FROM link) AS links',
  });
  return { derived, records, auditRecords: counts?.auditRecords ?? 0, linkCount: counts?.links ?? 0 };
};

/** Two queries of (key, value), a text and a number, that must return the same rows. `describeKey`: a key for people. */
type Check = { what: string; stored: string; recounted: string; describeKey?: (key: string) => string };

async function runCheck(query: Query, { what, stored, recounted, describeKey }: Check): Promise<string[]> {
  const rows = await query<{ key: string; stored: number | null; recounted: number | null }>({
    name: `check-${what}`,
    // No full join: SQLite has no index for its sides, and would compare each pair of half a million origins.
    text: `WITH stored (key, value) AS (${stored}), recounted (key, value) AS (${recounted}),
             sides AS (SELECT key, value AS stored, CAST(NULL AS BIGINT) AS recounted FROM stored
                       UNION ALL SELECT key, NULL, value FROM recounted)
           SELECT key, max(stored) AS stored, max(recounted) AS recounted FROM sides
           GROUP BY key HAVING max(stored) IS DISTINCT FROM max(recounted)`,
  });
  return rows.map(
    ({ key, stored, recounted }) =>
      `${what} ${describeKey?.(key) ?? key}: stored ${stored ?? 'nothing'}, recounted ${recounted ?? 'nothing'}`,
  );
}

const NO_ROWS = 'SELECT CAST(NULL AS TEXT), CAST(NULL AS BIGINT) WHERE false';

/** The units of time by which rollups count attempts, each with its expression for a record. */
export function rollupsOfAttempts({ divide }: Dialect) {
  const hour = divide('accessed_at', HOUR_MS);
  return [
    { by: 'hour', rollup: 'attempts_by_hour', unit: 'hour', time: hour },
    { by: 'day', rollup: 'attempts_by_day', unit: 'day', time: divide('accessed_at', DAY_MS) },
    { by: 'hour of the day', rollup: 'attempts_by_hour_of_day', unit: 'hour', time: `${hour} % 24` },
  ] as const satisfies RollupOfAttempts[];
}

type RollupOfAttempts = {
  by: 'hour' | 'day' | 'hour of the day';
  rollup: string;
  unit: 'hour' | 'day';
  time: string;
};

const checksOfRollups = (dialect: Dialect): Check[] => [
  ...rollupsOfAttempts(dialect).map(checkAttempts),
  ...CHECKS_OF_ROLLUPS,
];

function checksOfRecords({ uuidToText, hexTime, jsonInteger }: Dialect): Check[] {
  const hexId = uuidToText('id');
  return [
    checkViews(jsonInteger('details', 'viewCount')),
    ...CHECKS_OF_LINKS,
    {
      what: 'time inside the id of record',
      stored: `SELECT ${hexId}, accessed_at FROM audit WHERE substr(${hexId}, 1, 12) <> ${hexTime}`,
      recounted: NO_ROWS,
      describeKey: toUuid,
    },
  ];
}

/** Checks a rollup of attempts by a unit of time, which `time` computes for a record, and by result. */
function checkAttempts({ by, rollup, unit, time }: RollupOfAttempts): Check {
  return {
    what: `attempts by ${by} and result:`,
    stored: `SELECT ${unit} || ' ' || result, ${SUM} FROM ${rollup} GROUP BY ${unit}, result`,
    recounted: `SELECT (${time}) || ' ' || result, ${SUM} FROM audit GROUP BY 1`,
    describeKey: (key) => key.replace(/^-?\d+/, (number) => describeTime(by, Number(number))),
  };
}

/** Returns a day or an hour since 1970 as a date. What is no date, as after damage, stays a number. */
function describeTime(by: RollupOfAttempts['by'], number: number): string {
  if (by === 'hour of the day') return `${number}`;
  const date = new Date(number * (by === 'day' ? DAY_MS : HOUR_MS));
  if (Number.isNaN(date.getTime())) return `${number}`;
  const [day, time = ''] = date.toISOString().split('T');
  return by === 'day' ? `${day}` : `${day} ${time.slice(0, 5)} UTC`;
}

/** Checks the views of each link: its granted attempts, after the views that the entry of its import has. */
function checkViews(importedViews: string): Check {
  return {
    what: 'views of link',
    stored: 'SELECT short_code, view_count FROM link WHERE view_count > 0',
    recounted: `SELECT short_code, CAST(sum(views) AS BIGINT) FROM (
                  SELECT short_code, count(*) AS views FROM audit WHERE result = 'SUCCESS' GROUP BY short_code
                  UNION ALL
                  SELECT short_code, ${importedViews} FROM link_change
                  WHERE kind = 'CREATED' AND details LIKE '%"viewCount":%') AS viewed
                GROUP BY short_code HAVING sum(views) > 0`,
  };
}

const CHECKS_OF_LINKS: Check[] = [
  {
    what: 'wrong passwords of link',
    stored: 'SELECT short_code, invalid_password_count FROM link WHERE invalid_password_count > 0',
    recounted: `SELECT short_code, count(*) FROM audit 
                WHERE result IN ('INVALID_PASSWORD', 'PREVIEW_INVALID_PASSWORD') GROUP BY short_code`,
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
];

const CHECKS_OF_ROLLUPS: Check[] = [
  {
    what: 'rank and views of top link',
    stored: selectRanks('top_link'),
    recounted: selectRanks('link'),
  },
  {
    what: 'origin',
    stored: 'SELECT ip_address, 1 FROM origin',
    recounted: `SELECT DISTINCT ip_address, 1 FROM audit WHERE ip_address IS NOT NULL AND ${IS_ATTEMPT}`,
  },
  {
    what: 'number of origins:',
    stored: `SELECT 'all', ${SUM} FROM origin_count`,
    recounted: `SELECT 'all', count(DISTINCT ip_address) FROM audit WHERE ${IS_ATTEMPT}`,
  },
  {
    what: 'links by status:',
    stored: `SELECT status, ${SUM} FROM links_by_status GROUP BY status HAVING sum(count) <> 0`,
    recounted: 'SELECT status, count(*) FROM link GROUP BY status',
  },
];

/** Selects the first links of a table by views, as many as a ranking can return. */
function selectRanks(table: 'link' | 'top_link'): string {
  return `SELECT row_number() OVER (ORDER BY view_count DESC, short_code) || ' ' || short_code, view_count
          FROM ${table} WHERE view_count > 0 ORDER BY view_count DESC, short_code LIMIT ${MAX_RANKED_LINKS}`;
}
