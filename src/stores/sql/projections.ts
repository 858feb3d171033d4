import { messageOf } from '../../common/error-details.ts';
import type { LinkStatus } from '../../core/model/link.ts';
import { MAX_RANKED_LINKS } from '../../core/model/ranges.ts';
import { DAY_MS, HOUR_MS, HOURS_PER_DAY } from '../../core/model/time-units.ts';
import {
  type Columns,
  type Dialect,
  IS_ATTEMPT,
  insertInto,
  type Parameter,
  type Statement,
  SUM,
} from './query.ts';

// What follows from the log, said once: the projector adds the rows of new entries, a rebuild those of all, and a recount
// compares the rows of the projected ones with the tables.

/** A table that follows from others. */
export type Projection = {
  columns: string;
  /** Selects its rows. `from`: the table that they follow from, or a part of it. */
  rows: (from: string) => Statement;
  /** Adds a row to the one that is there. */
  conflict: string;
};

/** One of so many entries of a history is one from which its reading can begin. */
export const ENTRIES_PER_JUMP = 128;
const IS_WRONG_PASSWORD = `result IN ('INVALID_PASSWORD', 'PREVIEW_INVALID_PASSWORD')`;
const HAS_ADDRESS = `kind = 'ATTEMPT' AND ip_address IS NOT NULL AND ${IS_ATTEMPT}`;

const addCount = (table: string, key: string): string =>
  `ON CONFLICT (${key}) DO UPDATE SET count = ${table}.count + excluded.count`;

/** Selects the client addresses of each hour, without those of previews. */
export const selectAddresses = ({ divide }: Dialect, entries: string): Statement =>
  `SELECT DISTINCT ${divide('at', HOUR_MS)} AS hour, ip_address FROM ${entries} WHERE ${HAS_ADDRESS}`;

/**
 * The tables that follow from addresses of hours, in the order in which they are written. SQLite keeps the order of a CROSS
 * JOIN, and so looks each address up; see `Dialect.lockProjector` for PostgreSQL.
 */
const ORIGINS = {
  origin: {
    columns: 'ip_address, number',
    rows: (addresses) => `SELECT ip_address,
                            (SELECT coalesce(max(number), 0) FROM origin) + row_number() OVER (ORDER BY ip_address)
                          FROM (SELECT DISTINCT ip_address FROM ${addresses}) AS seen
                          WHERE NOT EXISTS (SELECT 1 FROM origin WHERE origin.ip_address = seen.ip_address)`,
    conflict: '',
  },
  origin_by_hour: {
    columns: 'hour, number',
    rows: (addresses) => `SELECT hour, origin.number FROM (SELECT hour, ip_address FROM ${addresses}) AS seen
                          CROSS JOIN origin WHERE origin.ip_address = seen.ip_address`,
    conflict: 'ON CONFLICT DO NOTHING',
  },
} as const satisfies Record<string, Projection>;

/** Returns the tables that follow from entries, by their names. */
export function projectionsOf(dialect: Dialect) {
  const countAttempts = (unit: 'hour' | 'day', unitMs: number): Projection => ({
    columns: `${unit}, result, count`,
    rows: (
      entries,
    ) => `SELECT ${dialect.divide('at', unitMs)} AS ${unit}, result, ${SUM} AS count FROM ${entries}
                        WHERE kind = 'ATTEMPT' GROUP BY 1, 2`,
    conflict: addCount(`attempts_by_${unit}`, `${unit}, result`),
  });
  return {
    log_hour: {
      columns: 'hour, first_seq, last_seq',
      rows: (
        entries,
      ) => `SELECT ${dialect.divide('at', HOUR_MS)} AS hour, min(seq) AS first_seq, max(seq) AS last_seq
                          FROM ${entries} WHERE true GROUP BY 1`,
      conflict: `ON CONFLICT (hour) DO UPDATE SET
        first_seq = CASE WHEN excluded.first_seq < log_hour.first_seq THEN excluded.first_seq ELSE log_hour.first_seq END,
        last_seq = CASE WHEN excluded.last_seq > log_hour.last_seq THEN excluded.last_seq ELSE log_hour.last_seq END`,
    },
    history_jump: {
      columns: 'short_code, seq, number',
      rows: (entries) => `SELECT short_code, seq, number FROM ${entries}
                          WHERE number > 1 AND number % ${ENTRIES_PER_JUMP} = 1`,
      conflict: 'ON CONFLICT DO NOTHING',
    },
    attempts_by_hour: countAttempts('hour', HOUR_MS),
    attempts_by_day: countAttempts('day', DAY_MS),
    link_exception: {
      columns: 'short_code, count',
      rows: (entries) => `SELECT short_code, count(*) AS count FROM ${entries}
                          WHERE ${IS_WRONG_PASSWORD} GROUP BY short_code`,
      conflict: addCount('link_exception', 'short_code'),
    },
  } as const satisfies Record<string, Projection>;
}

/** Returns the statements that add the rows of some entries, in the order in which they run. */
export const addEntries = (dialect: Dialect, entries: string): Statement[] => [
  ...insertRows(projectionsOf(dialect), entries).map(([, statement]) => statement),
  ...addAddresses(dialect, `(${selectAddresses(dialect, entries)}) AS addresses`),
];

/** Returns the tables that are rebuilt, with the statements that fill them. All of their rows follow from others. */
export const fillsOf = (dialect: Dialect): [table: string, fill: Statement][] => [
  ...insertRows(projectionsOf(dialect), 'entry'),
  ...insertRows(ORIGINS, `(${selectAddresses(dialect, 'entry')}) AS addresses`),
  ...insertRows(otherProjections(dialect), ''), // each names what it follows from
];

/** Returns the statements that add the rows of tables, each with its table. `from`: see `Projection`. */
export const insertRows = (
  projections: Readonly<Record<string, Projection>>,
  from: string,
): [table: string, statement: Statement][] =>
  Object.entries(projections).map(([table, projection]) => [table, insertRowsOf(table, projection, from)]);

const insertRowsOf = (table: string, { columns, rows, conflict }: Projection, from: string): Statement =>
  `INSERT INTO ${table} (${columns}) ${rows(from)} ${conflict}`;

const addAddresses = (dialect: Dialect, addresses: string): Statement[] => [
  insertRowsOf('origin', ORIGINS.origin, addresses),
  countDays(dialect, addresses, 'ADDED'),
  insertRowsOf('origin_by_hour', ORIGINS.origin_by_hour, addresses),
];

/**
 * Returns the statement that counts addresses in the days without an hour of them: before their hours are added, or after
 * these were removed. Each changes the count of that day, and that of the day on which it comes next.
 */
function countDays({ divide }: Dialect, addresses: string, change: 'ADDED' | 'REMOVED'): Statement {
  const end = `(day + 1) * ${HOURS_PER_DAY}`;
  const findDay = (condition: string) =>
    `(SELECT ${divide('hour', HOURS_PER_DAY)} FROM origin_by_hour AS hours
      WHERE hours.number = seen.number AND ${condition} LIMIT 1)`;
  const [more, less] = change === 'ADDED' ? [1, -1] : [-1, 1];
  const comesNext = 'day_after IS NOT NULL AND (given_after IS NULL OR given_after > day_after)';
  return `INSERT INTO origins_by_day (day, previous_day, count)
           WITH seen AS (
               SELECT DISTINCT ${divide('hour', HOURS_PER_DAY)} AS day, origin.number
               FROM (SELECT hour, ip_address FROM ${addresses}) AS given CROSS JOIN origin
               WHERE origin.ip_address = given.ip_address),
             with_day_before AS MATERIALIZED (
               SELECT *, coalesce(${findDay(`hour < ${end} ORDER BY hour DESC`)}, -1) AS day_before FROM seen),
             changed AS (
               SELECT *, ${findDay(`hour >= ${end} ORDER BY hour`)} AS day_after,
                 lag(day) OVER of_address AS given_before, lead(day) OVER of_address AS given_after
               FROM with_day_before AS seen WHERE day_before < day
               WINDOW of_address AS (PARTITION BY number ORDER BY day))
           SELECT day, previous_day, ${SUM} FROM (
             SELECT day, CASE WHEN given_before > day_before THEN given_before ELSE day_before END AS previous_day,
               ${more} AS count FROM changed
             UNION ALL SELECT day_after, day_before, ${less} FROM changed WHERE ${comesNext}
             UNION ALL SELECT day_after, day, ${more} FROM changed WHERE ${comesNext}) AS changes
           GROUP BY day, previous_day ${addCount('origins_by_day', 'day, previous_day')}`;
}

export type HourAddress = { hour: number; ip_address: string };
const HOUR_ADDRESS: Columns = { hour: 'integer', ip_address: 'text' };

type OfAddresses = (addresses: readonly HourAddress[]) => Step[];

/** Prepares adding addresses of hours. */
export const prepareAddAddresses = (dialect: Dialect): OfAddresses =>
  prepareSteps(dialect, addAddresses(dialect, dialect.given(HOUR_ADDRESS)));

/** Prepares changing the counts of days after addresses of hours were removed. */
export const prepareCountRemoved = (dialect: Dialect): OfAddresses =>
  prepareSteps(dialect, [countDays(dialect, dialect.given(HOUR_ADDRESS), 'REMOVED')]);

const prepareSteps =
  (dialect: Dialect, statements: readonly Statement[]): OfAddresses =>
  (addresses) => {
    if (addresses.length === 0) return [];
    const rows = addresses.map(({ hour, ip_address }) => [hour, ip_address]);
    const values = dialect.values(HOUR_ADDRESS, rows);
    return statements.map((statement) => ({ statement, values }));
  };

/** Returns the tables that transactions write with their entries, or a projector from links and other projections. */
export const otherProjections = ({ divide }: Dialect) =>
  ({
    download: {
      columns: 'attempt_id, seq',
      rows: () => `SELECT attempt_id, seq FROM entry WHERE kind = 'DOWNLOAD'`,
      conflict: '',
    },
    links_by_status: {
      columns: 'status, count',
      rows: () => 'SELECT status, count(*) AS count FROM link GROUP BY status',
      conflict: '',
    },
    top_link: {
      columns: 'short_code, view_count',
      rows: () => `SELECT short_code, view_count FROM link WHERE view_count > 0
                 ORDER BY view_count DESC, short_code LIMIT ${MAX_RANKED_LINKS}`,
      conflict: '',
    },
    origins_by_day: {
      columns: 'day, previous_day, count',
      rows: () => `SELECT day, previous_day, count(*) AS count FROM (
                   SELECT ${divide('hour', HOURS_PER_DAY)} AS day,
                     coalesce(${divide('previous_hour', HOURS_PER_DAY)}, -1) AS previous_day
                   FROM (SELECT hour, lag(hour) OVER (PARTITION BY number ORDER BY hour) AS previous_hour
                         FROM origin_by_hour) AS hours) AS days
                 WHERE day <> previous_day GROUP BY day, previous_day`,
      conflict: '',
    },
  }) as const satisfies Record<string, Projection>;

/** A statement with its parameters. */
export type Step = { statement: Statement; values: Parameter[] };

/** Numbers of links with each status, or their changes. */
export type StatusCounts = Partial<Record<LinkStatus, number>>;

export function addStatuses(statuses: StatusCounts, added: StatusCounts): void {
  for (const [status, count] of Object.entries(added) as [LinkStatus, number][]) // its keys are statuses
    statuses[status] = (statuses[status] ?? 0) + count;
}

const STATUS_COUNT: Columns = { status: 'text', count: 'integer' };

/** Prepares changing the numbers of links with each status. */
export function prepareCountStatuses(dialect: Dialect): (statuses: StatusCounts) => Step[] {
  const statement = `${insertInto('links_by_status', STATUS_COUNT, dialect)} WHERE true
           ${addCount('links_by_status', 'status')}`;
  return (statuses) => {
    const rows = Object.entries(statuses).filter(([, count]) => count !== 0);
    return rows.length > 0 ? [{ statement, values: dialect.values(STATUS_COUNT, rows) }] : [];
  };
}

/** The last link that a ranking can include, if there are so many. */
export type Threshold = { shortCode: string; count: number } | undefined;
export const SELECT_THRESHOLD = `SELECT short_code AS "shortCode", view_count AS count FROM top_link
         ORDER BY view_count DESC, short_code LIMIT 1 OFFSET ${MAX_RANKED_LINKS - 1}`;
const DROP_UNRANKED = `DELETE FROM top_link WHERE short_code IN (
           SELECT short_code FROM top_link ORDER BY view_count DESC, short_code LIMIT 1000000 OFFSET ${MAX_RANKED_LINKS})`;
const RANK: Columns = { short_code: 'text', view_count: 'integer' };

type Views = readonly [shortCode: string, count: number];

/** Prepares ranking links by their views. `threshold`: the row of `SELECT_THRESHOLD`. */
export function prepareRank(dialect: Dialect): (views: Iterable<Views>, threshold: Threshold) => Step[] {
  const statement = `${insertInto('top_link', RANK, dialect)} WHERE true
           ON CONFLICT (short_code) DO UPDATE SET view_count =
             CASE WHEN excluded.view_count > top_link.view_count THEN excluded.view_count ELSE top_link.view_count END`;
  return (views, threshold) => {
    const ranked = [...views]
      .filter(([shortCode, count]) => count > 0 && ranksAbove(threshold, shortCode, count))
      .sort(([a, views], [b, others]) => others - views || (a < b ? -1 : 1)) // many may be new
      .slice(0, MAX_RANKED_LINKS);
    if (ranked.length === 0) return [];
    const values = dialect.values(RANK, ranked);
    return [
      { statement, values },
      { statement: DROP_UNRANKED, values: [] },
    ];
  };
}

function ranksAbove(threshold: Threshold, shortCode: string, count: number): boolean {
  return (
    !threshold || count > threshold.count || (count === threshold.count && shortCode <= threshold.shortCode)
  );
}

/** Returns the error of a projection that stops at an entry, or at a transaction that begins with it. */
export function notProjected(seq: number | undefined, cause: unknown): Error {
  return new Error(`the entries from seq ${seq} on cannot be counted: ${messageOf(cause)}`, { cause });
}
