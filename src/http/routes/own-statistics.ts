import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { LinkStatus } from '../../core/model/link.ts';
import { MAX_LISTED } from '../../core/model/listed-links.ts';
import { sumByDay, sumByHourOfDay } from '../../core/model/local-time.ts';
import { listResults, sumAttempts, summarize, topSources } from '../../core/model/statistics.ts';
import { ACCESS_RESULTS, PREVIEW_RESULTS } from '../../core/model/verdict.ts';
import { parseListQuery } from '../../core/rules/list-query.ts';
import { parsePeriodUnit, parseTimeRange, parseTimeZone } from '../../core/rules/time-range.ts';
import { statusAt } from '../../core/use-cases/change/describe-link.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { requireValid } from '../errors.ts';
import { requesterOf } from '../limit-requests.ts';
import { errorResponses, titled } from '../schemas.ts';
import { readerOf } from './list-links.ts';
import {
  AccessSummary,
  HourlyBuckets,
  LinkStatusCounts,
  Periods,
  PeriodsQuery,
  ResultCounts,
  SOURCES,
  TopLinks,
  toPeriods,
} from './statistics.ts';

const MAX_TOP = 10;
/** The links whose histories are read. */
const WANTED = { mine: 'true', sort: 'views', limit: String(MAX_LISTED) };

const OwnStatistics = titled('OwnStatistics', {
  summary: AccessSummary,
  periods: Periods,
  hours: HourlyBuckets,
  results: ResultCounts,
  topLinks: TopLinks,
  links: LinkStatusCounts,
  ...SOURCES,
  isTruncated: Type.Boolean({ description: 'There are more links or older entries, which were not read' }),
});

const SCHEMA = {
  tags: ['Statistics'],
  summary: 'The statistics of the links that the caller owns',
  description:
    `They are counted from the histories of the ${MAX_LISTED} most opened links, among the newest 20,000 entries: the ` +
    'newest ones of each link. `links` and `topLinks` are of all time.',
  querystring: PeriodsQuery,
  response: { 200: OwnStatistics, ...errorResponses(400, 401, 403, 500, 503) },
};

/** GET /api/stats/mine */
export function ownStatisticsRoute(app: FastifyInstance, deps: HttpDependencies): void {
  app.get<{ Querystring: Record<string, unknown> }>(
    '/api/stats/mine',
    {
      schema: SCHEMA,
      config: { access: { needs: 'create', alsoWhenOpen: true, port: 'management' } },
    },
    async (request, reply) => {
      const { query, caller } = request;
      const unit = requireValid(parsePeriodUnit(query['unit']));
      const zone = requireValid(parseTimeZone(query['zone'])) ?? 'UTC';
      const range = requireValid(parseTimeRange(query, 'instant-or-date', zone));
      const now = deps.clock();
      const requester = requesterOf(request, reply);
      const listed = {
        ...requireValid(parseListQuery(WANTED, now, deps.shortPath)),
        reader: readerOf(caller),
      };
      const { items: links, next } = await deps.readList(requester, listed);
      const codes = links.map(({ shortCode }) => shortCode);
      const attempts = await deps.statistics(requester).attemptsOfLinks(codes, range);
      const { totals, periods } = sumAttempts(attempts);
      const countOf = (status: LinkStatus) => links.filter((link) => statusAt(link, now) === status).length;
      const opened = links.filter(({ viewCount }) => viewCount > 0).slice(0, MAX_TOP);
      return reply.header('cache-control', 'no-store').send({
        summary: summarize(totals),
        periods: toPeriods(unit === 'hour' ? periods : sumByDay(periods, zone)),
        hours: sumByHourOfDay(periods, zone),
        results: listResults(totals, [...ACCESS_RESULTS, ...PREVIEW_RESULTS]),
        topLinks: opened.map(({ shortCode, labels, viewCount }) => ({
          ...{ shortCode, label: labels.label ?? undefined, accessCount: viewCount },
        })),
        links: { active: countOf('ACTIVE'), expired: countOf('EXPIRED'), revoked: countOf('REVOKED') },
        ...topSources(attempts, MAX_TOP),
        isTruncated: attempts.isTruncated || next !== null,
      });
    },
  );
}
