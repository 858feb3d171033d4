import { MAX_RANKED_LINKS } from '../../core/model/ranges.ts';
import { HOURS_PER_DAY } from '../../core/model/time-units.ts';
import type { Projection, StatusCounts } from '../projection.ts';
import {
  type Columns,
  type Dialect,
  insertInto,
  type Parameter,
  type Statement,
  type Value,
} from './query.ts';

/** A statement with its parameters. */
export type Step = { statement: Statement; values: Parameter[] };

/** The number of rows that one step writes, in about 3 ms on SQLite. */
const ROWS_PER_STEP = 500;

const LINK_COUNT: Columns = { short_code: 'text', count: 'integer' };
const HOUR_ADDRESS: Columns = { hour: 'integer', ip_address: 'text' };
const LOG_HOUR: Columns = { hour: 'integer', first_seq: 'integer', last_seq: 'integer' };
const JUMP: Columns = { short_code: 'text', seq: 'integer', number: 'integer' };
const STATUS_COUNT: Columns = { status: 'text', count: 'integer' };

/** Writes the statements, each with the function that returns it with its rows. */
function prepareSteps(dialect: Dialect) {
  const insert = (table: string, columns: Columns, conflict: string) => {
    const order = `ORDER BY ${Object.keys(columns).slice(0, 2)}`; // also lets SQLite parse what follows
    const statement = `${insertInto(table, columns, dialect)} ${order} ${conflict}`;
    return (rows: readonly (readonly Value[])[]): Step[] =>
      rows.length > 0 ? [{ statement, values: dialect.values(columns, rows) }] : [];
  };
  const addCounts = (table: string, columns: Columns, key: string) =>
    insert(table, columns, `ON CONFLICT (${key}) DO UPDATE SET count = ${table}.count + excluded.count`);
  const periodCount = (unit: string): Columns => ({ [unit]: 'integer', result: 'text', count: 'integer' });
  return {
    addByHour: addCounts('attempts_by_hour', periodCount('hour'), 'hour, result'),
    addByDay: addCounts('attempts_by_day', periodCount('day'), 'day, result'),
    addExceptions: addCounts('link_exception', LINK_COUNT, 'short_code'),
    addStatuses: addCounts('links_by_status', STATUS_COUNT, 'status'),
    insertJumps: insert('history_jump', JUMP, 'ON CONFLICT DO NOTHING'),
    widenHours: insert(
      'log_hour',
      LOG_HOUR,
      `ON CONFLICT (hour) DO UPDATE SET
         first_seq = CASE WHEN excluded.first_seq < log_hour.first_seq THEN excluded.first_seq ELSE log_hour.first_seq END,
         last_seq = CASE WHEN excluded.last_seq > log_hour.last_seq THEN excluded.last_seq ELSE log_hour.last_seq END`,
    ),
    rank: insert(
      'top_link',
      { short_code: 'text', view_count: 'integer' },
      `ON CONFLICT (short_code) DO UPDATE SET view_count =
         CASE WHEN excluded.view_count > top_link.view_count THEN excluded.view_count ELSE top_link.view_count END`,
    ),
  };
}

/** Prepares the statements that write projections. */
export function prepareWriteProjection(dialect: Dialect) {
  const { addByHour, addByDay, addExceptions, addStatuses, insertJumps, widenHours, rank } =
    prepareSteps(dialect);
  const insertOrigins = `INSERT INTO origin (ip_address, number)
           SELECT ip_address, (SELECT coalesce(max(number), 0) FROM origin) + row_number() OVER (ORDER BY ip_address)
           FROM (SELECT DISTINCT ip_address FROM ${dialect.given(HOUR_ADDRESS)}) AS seen
           WHERE NOT EXISTS (SELECT 1 FROM origin WHERE origin.ip_address = seen.ip_address)`;
  const insertOriginHours = `INSERT INTO origin_by_hour (hour, number)
           SELECT given.hour, origin.number FROM ${dialect.given(HOUR_ADDRESS)}
             JOIN origin ON origin.ip_address = given.ip_address
           WHERE true ON CONFLICT DO NOTHING`;

  return {
    /** Returns the steps that write addresses. They may be repeated, and run in transactions of their own. */
    writeOrigins({ hours }: Projection): Step[] {
      const rows = [...hours].flatMap(([hour, { addresses }]) =>
        [...addresses].sort().map((address) => [hour, address]),
      );
      return chunksOf(rows).flatMap((chunk) => {
        const values = dialect.values(HOUR_ADDRESS, chunk);
        return [insertOrigins, insertOriginHours].map((statement) => ({ statement, values }));
      });
    },
    /** Returns the steps that write all else but statuses, once. `threshold`: the row of `SELECT_THRESHOLD`. */
    writeCounts({ hours, jumps, wrongPasswords, views }: Projection, threshold: Threshold): Step[] {
      const byHour = [...hours].flatMap(([hour, { counts }]) =>
        [...counts].map(([result, count]) => [hour, result, count] as const),
      );
      const ranked = [...views]
        .filter(([shortCode, count]) => ranksAbove(threshold, shortCode, count))
        .sort(([a, views], [b, others]) => others - views || (a < b ? -1 : 1)) // many may be new
        .slice(0, MAX_RANKED_LINKS);
      return [
        ...widenHours([...hours].map(([hour, { firstSeq, lastSeq }]) => [hour, firstSeq, lastSeq])),
        ...addByHour(byHour),
        ...addByDay(sumByDay(byHour)),
        ...insertJumps(jumps.map(({ shortCode, seq, number }) => [shortCode, seq, number])),
        ...addExceptions([...wrongPasswords]),
        ...rank(ranked),
        ...(ranked.length > 0 ? [{ statement: DROP_UNRANKED, values: [] }] : []),
      ];
    },
    writeStatuses: (statuses: StatusCounts): Step[] =>
      addStatuses(Object.entries(statuses).filter(([, count]) => count !== 0)),
  };
}

function chunksOf<T>(rows: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(rows.length / ROWS_PER_STEP) }, (_, index) =>
    rows.slice(index * ROWS_PER_STEP, (index + 1) * ROWS_PER_STEP),
  );
}

function sumByDay(byHour: readonly (readonly [hour: number, result: string, count: number])[]): Value[][] {
  const sums = new Map<string, [day: number, result: string, count: number]>();
  for (const [hour, result, count] of byHour) {
    const day = Math.floor(hour / HOURS_PER_DAY);
    const sum = sums.get(`${day} ${result}`);
    if (sum) sum[2] += count;
    else sums.set(`${day} ${result}`, [day, result, count]);
  }
  return [...sums.values()];
}

/** The last link that a ranking can include, if there are so many. */
export type Threshold = { shortCode: string; count: number } | undefined;

export const SELECT_THRESHOLD = `SELECT short_code AS "shortCode", view_count AS count FROM top_link
         ORDER BY view_count DESC, short_code LIMIT 1 OFFSET ${MAX_RANKED_LINKS - 1}`;
const DROP_UNRANKED = `DELETE FROM top_link WHERE short_code IN (
           SELECT short_code FROM top_link ORDER BY view_count DESC, short_code LIMIT 1000000 OFFSET ${MAX_RANKED_LINKS})`;

function ranksAbove(threshold: Threshold, shortCode: string, count: number): boolean {
  return (
    !threshold || count > threshold.count || (count === threshold.count && shortCode <= threshold.shortCode)
  );
}
