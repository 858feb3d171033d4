import type { FastifyInstance } from 'fastify';
import type { TSchema } from 'typebox';
import type { TimeRange } from '../../links/ports.ts';
import type { Parsed } from '../../links/rules/parsed.ts';
import { parseFlag, parsePeriodUnit, parseTimeRange, type RangeUnit } from '../../links/rules/time-range.ts';
import { listResults, summarize } from '../../links/statistics.ts';
import { ACCESS_RESULTS } from '../../links/verdict.ts';
import { ERRORS } from '../errors.ts';
import type { Parts } from '../parts.ts';
import {
  AccessSummary,
  DailyBuckets,
  DateRangeQuery,
  errorResponses,
  HourlyBuckets,
  Periods,
  PeriodsQuery,
  RangeQuery,
  ResultCounts,
  ResultsQuery,
} from '../schemas.ts';

type Query = Record<string, unknown>;

/** GET /api/stats/access/*, and the variant spelling of each path in the shape of its canonical twin */
export function accessStatisticsRoutes(app: FastifyInstance, { statistics }: Parts): void {
  const totals = (query: Query) => statistics.accessTotals(rangeOf(query, 'instant'));
  const failures = ACCESS_RESULTS.filter((result) => result !== 'SUCCESS');

  statistic(app, {
    summary: 'Totals, ratios in percent, and distinct client addresses',
    paths: ['/api/stats/access/summary', '/api/stats/access-summary'],
    querystring: RangeQuery,
    response: AccessSummary,
    answer: async (query) => summarize(await totals(query)),
  });
  statistic(app, {
    summary: 'Attempts by hour of the day, in UTC',
    paths: ['/api/stats/access/hourly', '/api/stats/hourly-access'],
    querystring: RangeQuery,
    response: HourlyBuckets,
    answer: (query) => statistics.hourly(rangeOf(query, 'instant')),
  });
  statistic(app, {
    summary: 'Attempts by date, in UTC',
    paths: ['/api/stats/access/daily', '/api/stats/daily-access'],
    querystring: DateRangeQuery,
    response: DailyBuckets,
    answer: (query) => statistics.daily(rangeOf(query, 'instant-or-date')),
  });
  statistic(app, {
    summary: 'Attempts over time: each hour or UTC day that begins within the range, whole, and has any',
    paths: ['/api/stats/access/over-time'],
    querystring: PeriodsQuery,
    response: Periods,
    answer: async (query) => {
      const unit = valid(parsePeriodUnit(query['unit']));
      const periods = await statistics.overTime(unit, rangeOf(query, 'instant-or-date'));
      return periods.map(({ startsAt, total, success }) => ({
        start: new Date(startsAt).toISOString(),
        total,
        success,
        failed: total - success,
      }));
    },
  });
  statistic(app, {
    summary: 'Attempts by result',
    paths: ['/api/stats/access/by-result', '/api/stats/access-by-result'],
    querystring: ResultsQuery,
    response: ResultCounts,
    answer: async (query) => {
      const withPreviews = valid(parseFlag('previews', query['previews']));
      return listResults(await totals(query), withPreviews ? [...ACCESS_RESULTS, 'PREVIEW'] : ACCESS_RESULTS);
    },
  });
  statistic(app, {
    summary: 'Attempts by result, without the successful',
    paths: ['/api/stats/access/failures'],
    querystring: RangeQuery,
    response: ResultCounts,
    answer: async (query) => listResults(await totals(query), failures),
  });
}

/** One statistic: where it is found, what it takes, and how it is answered. */
export type Statistic = {
  summary: string;
  /** The canonical path first. */
  paths: string[];
  querystring?: TSchema;
  response: TSchema;
  answer: (query: Query) => Promise<unknown>;
};

/** Makes one GET route per path of a statistic. */
export function statistic(
  app: FastifyInstance,
  { summary, paths, querystring, response, answer }: Statistic,
): void {
  const [canonical] = paths;
  for (const path of paths) {
    app.get<{ Querystring: Query }>(
      path,
      {
        schema: {
          tags: ['Statistics'],
          summary: path === canonical ? summary : `The same as ${canonical}`,
          ...(querystring && { querystring }),
          response: { 200: response, ...errorResponses(...(querystring ? [400, 500] : [500])) },
        },
      },
      (request) => answer(request.query),
    );
  }
}

/** A value that a client sent, or the 400 that tells what is wrong with it. */
export function valid<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw ERRORS.invalidField(parsed.error);
  return parsed.value;
}

function rangeOf(query: Query, unit: RangeUnit): TimeRange {
  return valid(parseTimeRange(query, unit));
}
