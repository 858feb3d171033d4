import type { FastifyInstance } from 'fastify';
import { type TSchema, Type } from 'typebox';
import type { StatisticsStore, TimeRange } from '../../links/ports.ts';
import {
  parseFlag,
  parseLimit,
  parsePeriodUnit,
  parseTimeRange,
  type RangeUnit,
} from '../../links/rules/time-range.ts';
import { listResults, summarize } from '../../links/statistics.ts';
import { ACCESS_RESULTS, PREVIEW_RESULTS } from '../../links/verdict.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { requireValid } from '../errors.ts';
import { requesterOf } from '../limit-requests.ts';
import {
  Count,
  DateRangeQuery,
  DateTime,
  errorResponses,
  LimitQuery,
  listOf,
  optionalFlag,
  optionalText,
  ShortCode,
  titled,
} from '../schemas.ts';

const AccessSummary = titled('AccessSummary', {
  total: Count,
  success: Count,
  failed: Count,
  expired: Count,
  uniqueOrigins: Count,
  accessEfficiencyRatio: Type.Number({ description: 'Successful attempts in percent of all' }),
  expirationAttritionRate: Type.Number({ description: 'Expired attempts in percent of all' }),
});

const LinkStatusCounts = titled('LinkStatusCounts', { active: Count, expired: Count, revoked: Count });

const TopLinks = listOf('TopLink', { shortCode: ShortCode, accessCount: Count });

const SecurityExceptions = listOf('SecurityException', { shortCode: ShortCode, count: Count });

const HourlyBuckets = listOf('HourlyBucket', {
  hour: Type.Integer({ minimum: 0, maximum: 23 }),
  count: Count,
});

const DailyBuckets = listOf('DailyBucket', { date: Type.String({ format: 'date' }), count: Count });

const Periods = listOf('Period', { start: DateTime, total: Count, success: Count, failed: Count });

const ResultCounts = listOf('ResultCount', {
  result: Type.Enum([...ACCESS_RESULTS, ...PREVIEW_RESULTS]),
  count: Count,
});

const RangeQuery = Type.Object({
  start: optionalText('Start of the range (included), ISO 8601 with an offset'),
  end: optionalText('End of the range (excluded), ISO 8601 with an offset'),
});

const PeriodsQuery = Type.Object({
  ...DateRangeQuery.properties,
  unit: Type.Optional(Type.Enum(['hour', 'day'], { default: 'day', description: 'Length of each period' })),
});

const ResultsQuery = Type.Object({
  ...RangeQuery.properties,
  previews: optionalFlag('Lists PREVIEW and PREVIEW_INVALID_PASSWORD as well'),
});

type Query = Record<string, unknown>;

/** One statistic. Its first path is canonical; the others are variants that the specification names. */
type Statistic = {
  summary: string;
  paths: string[];
  querystring?: TSchema;
  response: TSchema;
  read: (statistics: StatisticsStore, query: Query) => Promise<unknown>;
};

const FAILURES = ACCESS_RESULTS.filter((result) => result !== 'SUCCESS');

const STATISTICS: Statistic[] = [
  {
    summary: 'Totals, ratios in percent, and unique client addresses',
    paths: ['/api/stats/access/summary', '/api/stats/access-summary'],
    querystring: RangeQuery,
    response: AccessSummary,
    read: async (statistics, query) => summarize(await statistics.accessTotals(rangeOf(query, 'instant'))),
  },
  {
    summary: 'Attempts by hour of the day, in UTC',
    paths: ['/api/stats/access/hourly', '/api/stats/hourly-access'],
    querystring: RangeQuery,
    response: HourlyBuckets,
    read: (statistics, query) => statistics.hourly(rangeOf(query, 'instant')),
  },
  {
    summary: 'Attempts by date, in UTC',
    paths: ['/api/stats/access/daily', '/api/stats/daily-access'],
    querystring: DateRangeQuery,
    response: DailyBuckets,
    read: (statistics, query) => statistics.daily(rangeOf(query, 'instant-or-date')),
  },
  {
    summary: 'Attempts over time: each whole hour or UTC day that begins within the range and has attempts',
    paths: ['/api/stats/access/over-time'],
    querystring: PeriodsQuery,
    response: Periods,
    read: async (statistics, query) => {
      const unit = requireValid(parsePeriodUnit(query['unit']));
      const periods = await statistics.overTime(unit, rangeOf(query, 'instant-or-date'));
      return periods.map(({ startsAt, total, success }) => ({
        start: new Date(startsAt).toISOString(),
        total,
        success,
        failed: total - success,
      }));
    },
  },
  {
    summary: 'Attempts by result',
    paths: ['/api/stats/access/by-result', '/api/stats/access-by-result'],
    querystring: ResultsQuery,
    response: ResultCounts,
    read: async (statistics, query) => {
      const withPreviews = requireValid(parseFlag('previews', query['previews']));
      const totals = await statistics.accessTotals(rangeOf(query, 'instant'));
      return listResults(totals, withPreviews ? [...ACCESS_RESULTS, ...PREVIEW_RESULTS] : ACCESS_RESULTS);
    },
  },
  {
    summary: 'Attempts by result, without the successful ones',
    paths: ['/api/stats/access/failures'],
    querystring: RangeQuery,
    response: ResultCounts,
    read: async (statistics, query) =>
      listResults(await statistics.accessTotals(rangeOf(query, 'instant')), FAILURES),
  },
  {
    summary: 'Links by status',
    paths: ['/api/stats/links', '/api/stats/link-status'],
    response: LinkStatusCounts,
    read: async (statistics) => {
      const { ACTIVE, EXPIRED, REVOKED } = await statistics.linkCounts();
      return { active: ACTIVE, expired: EXPIRED, revoked: REVOKED };
    },
  },
  {
    summary: 'The most opened links, by successful attempts',
    paths: ['/api/stats/links/top'],
    querystring: LimitQuery,
    response: TopLinks,
    read: async (statistics, query) => {
      const links = await statistics.topLinks(requireValid(parseLimit(query['limit'])));
      return links.map(({ shortCode, count }) => ({ shortCode, accessCount: count }));
    },
  },
  {
    summary: 'The links with the most wrong passwords',
    paths: ['/api/stats/security/exceptions'],
    querystring: LimitQuery,
    response: SecurityExceptions,
    read: (statistics, query) => statistics.securityExceptions(requireValid(parseLimit(query['limit']))),
  },
];

const CONFIG = { access: { needs: 'read', port: 'management' } } as const;

/** GET /api/stats/… */
export function statisticsRoutes(app: FastifyInstance, deps: HttpDependencies): void {
  for (const { summary, paths, querystring, response, read } of STATISTICS) {
    const [canonical] = paths;
    for (const path of paths) {
      const schema = {
        tags: ['Statistics'],
        summary: path === canonical ? summary : `The same as ${canonical}`,
        ...(querystring && { querystring }),
        response: {
          200: response,
          ...errorResponses(...(querystring ? [400] : []), 401, 403, 500, 503),
        },
      };
      app.get<{ Querystring: Query }>(path, { schema, config: CONFIG }, async (request, reply) =>
        read(deps.statistics(requesterOf(request, reply)), request.query),
      );
    }
  }
}

function rangeOf(query: Query, unit: RangeUnit): TimeRange {
  return requireValid(parseTimeRange(query, unit));
}
