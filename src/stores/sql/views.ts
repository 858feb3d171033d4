import type { TimeRange } from '../../core/model/ranges.ts';
import type { AttemptsOfLinks, ViewSources } from '../../core/model/statistics.ts';
import { HOUR_MS } from '../../core/model/time-units.ts';
import { countDevices, type NameCount, sumNames } from '../../core/model/user-agent.ts';
import { type AccessResult, type AuditResult, REQUESTS } from '../../core/model/verdict.ts';
import type { StatisticsStore } from '../../core/ports/statistics.ts';
import { toLink } from '../link-rows.ts';
import { findBounds } from './history.ts';
import { type Dialect, IS_ATTEMPT, type Query, type Statement, SUM } from './query.ts';
import { createReadLinks } from './read-link.ts';

/** The entries that are read at most, in 0.03 s and in 0.1 s: those of links are looked up one by one. */
export const MAX_READ = { ofAll: 50_000, ofLinks: 20_000 } as const;
/** The names that are counted separately. Clients choose them, so there may be as many as views. */
const MAX_NAMES = 2_000;
const MAX_LATEST = 10;
/** A time after all others. */
const LAST = Number.MAX_SAFE_INTEGER;

/** `hour`: since 1970-01-01, UTC; of LATEST the time, whose `name` is the result and the short code. */
type Row = {
  kind: 'READ' | 'VIEWS' | 'REFERRER' | 'AGENT' | 'ADDRESSES' | 'HOUR' | 'LATEST';
  name: string | null;
  hour: number;
  count: number;
};

/**
 * Returns statistics that are counted from entries each time. They follow from personal fields, so a projection would
 * have to be written again by each erasure.
 */
export function createViews(
  query: Query,
  dialect: Dialect,
  max: Record<keyof typeof MAX_READ, number> = MAX_READ,
): Pick<StatisticsStore, 'viewSources' | 'attemptsOfLinks' | 'readLinks'> {
  const { ofAll, ofLinks } = viewsStatements(dialect);
  const readLinks = createReadLinks(query, dialect);
  return {
    async viewSources(range) {
      const { first, last } = await findBounds(query, range);
      const values = [...boundsOf(range), max.ofAll, first, last];
      return toSources(await query<Row>(ofAll, values), max.ofAll);
    },
    async attemptsOfLinks(shortCodes, range) {
      const values = [...boundsOf(range), max.ofLinks, JSON.stringify(shortCodes)];
      return toAttempts(await query<Row>(ofLinks, values), max.ofLinks);
    },
    readLinks: async (shortCodes) => (await readLinks(shortCodes)).map(toLink),
  };
}

/** Writes the statements. */
export function viewsStatements(dialect: Dialect) {
  return {
    ofAll: countRead(SELECT_NEWEST, COUNT_SOURCES),
    ofLinks: countRead(selectChains(dialect), countAttempts(dialect)),
  } as const satisfies Record<string, Statement>;
}

const boundsOf = ({ start, end }: TimeRange): number[] => [start ?? 0, end ?? LAST];

const COLUMNS = [
  'seq',
  'prev',
  'short_code',
  'at',
  'kind',
  'result',
  'count',
  'ip_address',
  'agent_number',
  'user_agent',
  'referrer',
];

/** Selects the newest entries from $4 to $5 of the log. */
const SELECT_NEWEST = `read AS MATERIALIZED (
           SELECT ${COLUMNS} FROM entry WHERE seq >= $4 AND seq <= $5 ORDER BY seq DESC LIMIT $3)`;

/**
 * Selects entries of the links $4: the newest of each, then the one before of each, and so on. A chain ends at the first
 * entry before the range.
 */
const selectChains = ({ lookUp, texts, limitRecursion }: Dialect): string => {
  const columns = COLUMNS.map((column) => `entry.${column}`);
  return `chain AS (
           SELECT ${columns} FROM link ${lookUp('entry', 'entry.seq = link.last_seq')}
           WHERE link.short_code IN (SELECT value FROM ${texts('$4')})
           UNION ALL
           SELECT ${columns} FROM chain ${lookUp('entry', 'entry.seq = chain.prev')} WHERE chain.at >= $1
           ${limitRecursion('$3')}),
         read AS MATERIALIZED (SELECT * FROM chain LIMIT $3)`;
};

const COUNT_SOURCES = `
         SELECT 'READ' AS kind, NULL AS name, 0 AS hour, count(*) AS count FROM read
         UNION ALL SELECT 'VIEWS', NULL, 0, ${SUM} FROM viewed
         UNION ALL SELECT * FROM (SELECT 'REFERRER', referrer, 0, ${SUM} AS count FROM viewed
           GROUP BY referrer ORDER BY count DESC LIMIT ${MAX_NAMES}) AS by_referrer
         UNION ALL SELECT 'AGENT', coalesce(by_agent.user_agent, user_agent.text), 0, by_agent.count FROM (
             SELECT agent_number, user_agent, ${SUM} AS count FROM viewed
             GROUP BY agent_number, user_agent ORDER BY count DESC LIMIT ${MAX_NAMES}) AS by_agent
           LEFT JOIN user_agent ON user_agent.number = by_agent.agent_number`;
const countAttempts = ({ divide }: Dialect): string => `${COUNT_SOURCES}
         UNION ALL SELECT 'ADDRESSES', NULL, 0, count(DISTINCT ip_address) FROM attempt WHERE ${IS_ATTEMPT}
         UNION ALL SELECT 'HOUR', result, ${divide('at', HOUR_MS)}, ${SUM} FROM attempt GROUP BY 2, 3
         UNION ALL SELECT * FROM (SELECT 'LATEST', result || ' ' || short_code, at, count FROM attempt
           WHERE ${IS_ATTEMPT} AND result NOT IN (${REQUESTS.map((result) => `'${result}'`)})
           ORDER BY seq DESC LIMIT ${MAX_LATEST}) AS latest`;

/** Counts entries: those that `selectRead` selects, in the range from $1 on, before $2. */
const countRead = (selectRead: string, counts: string): Statement => `WITH RECURSIVE ${selectRead},
         attempt AS (SELECT * FROM read WHERE kind = 'ATTEMPT' AND at >= $1 AND at < $2),
         viewed AS (SELECT * FROM attempt WHERE result = 'SUCCESS')${counts}`;

function toSources(rows: readonly Row[], max: number): ViewSources {
  const [{ count: read } = { count: 0 }, { count: views } = { count: 0 }] = [
    ...of(rows, 'READ'),
    ...of(rows, 'VIEWS'),
  ];
  const agents = withRest(of(rows, 'AGENT'), views);
  return {
    ...{ views, isTruncated: read >= max },
    referrers: sumNames(of(rows, 'REFERRER'), ({ name }) => name),
    ...countDevices(agents),
  };
}

const of = (rows: readonly Row[], kind: Row['kind']): Row[] => rows.filter((row) => row.kind === kind);

/** Adds the views of the names that are not counted separately, as views without a name. */
function withRest(counts: readonly NameCount[], views: number): NameCount[] {
  const rest = counts.reduce((left, { count }) => left - count, views);
  return rest > 0 ? [...counts, { name: null, count: rest }] : [...counts];
}

function toAttempts(rows: readonly Row[], max: number): AttemptsOfLinks {
  return {
    ...toSources(rows, max),
    uniqueOrigins: of(rows, 'ADDRESSES')[0]?.count ?? 0,
    hours: of(rows, 'HOUR').map(({ name, hour, count }) => ({
      ...{ startsAt: hour * HOUR_MS, count },
      result: name as AuditResult, // as entries have it
    })),
    latest: of(rows, 'LATEST')
      .map(({ name, hour: at, count }) => {
        const [result = '', shortCode = ''] = name?.split(' ') ?? [];
        return { shortCode, at, result: result as AccessResult, count }; // as the statement selects
      })
      .sort((a, b) => b.at - a.at),
  };
}
