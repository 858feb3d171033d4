import type { FastifyInstance } from 'fastify';
import type { TSchema } from 'typebox';
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
import * as schemas from '../schemas.ts';

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
    querystring: schemas.RangeQuery,
    response: schemas.AccessSummary,
    read: async (statistics, query) => summarize(await statistics.accessTotals(rangeOf(query, 'instant'))),
  },
  {
    summary: 'Attempts by hour of the day, in UTC',
    paths: ['/api/stats/access/hourly', '/api/stats/hourly-access'],
    querystring: schemas.RangeQuery,
    response: schemas.HourlyBuckets,
    read: (statistics, query) => statistics.hourly(rangeOf(query, 'instant')),
  },
  {
    summary: 'Attempts by date, in UTC',
    paths: ['/api/stats/access/daily', '/api/stats/daily-access'],
    querystring: schemas.DateRangeQuery,
    response: schemas.DailyBuckets,
    read: (statistics, query) => statistics.daily(rangeOf(query, 'instant-or-date')),
  },
  {
    summary: 'Attempts over time: each whole hour or UTC day that begins within the range and has attempts',
    paths: ['/api/stats/access/over-time'],
    querystring: schemas.PeriodsQuery,
    response: schemas.Periods,
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
    querystring: schemas.ResultsQuery,
    response: schemas.ResultCounts,
    read: async (statistics, query) => {
      const withPreviews = requireValid(parseFlag('previews', query['previews']));
      const totals = await statistics.accessTotals(rangeOf(query, 'instant'));
      return listResults(totals, withPreviews ? [...ACCESS_RESULTS, ...PREVIEW_RESULTS] : ACCESS_RESULTS);
    },
  },
  {
    summary: 'Attempts by result, without the successful ones',
    paths: ['/api/stats/access/failures'],
    querystring: schemas.RangeQuery,
    response: schemas.ResultCounts,
    read: async (statistics, query) =>
      listResults(await statistics.accessTotals(rangeOf(query, 'instant')), FAILURES),
  },
  {
    summary: 'Links by status',
    paths: ['/api/stats/links', '/api/stats/link-status'],
    response: schemas.LinkStatusCounts,
    read: async (statistics) => {
      const { ACTIVE, EXPIRED, REVOKED } = await statistics.linkCounts();
      return { active: ACTIVE, expired: EXPIRED, revoked: REVOKED };
    },
  },
  {
    summary: 'The most opened links, by successful attempts',
    paths: ['/api/stats/links/top'],
    querystring: schemas.LimitQuery,
    response: schemas.TopLinks,
    read: async (statistics, query) => {
      const links = await statistics.topLinks(requireValid(parseLimit(query['limit'])));
      return links.map(({ shortCode, count }) => ({ shortCode, accessCount: count }));
    },
  },
  {
    summary: 'The links with the most wrong passwords',
    paths: ['/api/stats/security/exceptions'],
    querystring: schemas.LimitQuery,
    response: schemas.SecurityExceptions,
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
          ...schemas.errorResponses(...(querystring ? [400] : []), 401, 403, 500, 503),
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
