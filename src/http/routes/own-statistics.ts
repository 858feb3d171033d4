import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { LinkStatus } from '../../core/model/link.ts';
import { MAX_LISTED } from '../../core/model/listed-links.ts';
import { sumByDay, sumByHourOfDay } from '../../core/model/local-time.ts';
import { accept, mapParsed, type Parsed } from '../../core/model/parsed.ts';
import type { PeriodUnit, TimeRange } from '../../core/model/ranges.ts';
import { listResults, sumAttempts, summarize, topSources } from '../../core/model/statistics.ts';
import { ACCESS_RESULTS, PREVIEW_RESULTS } from '../../core/model/verdict.ts';
import { parseListQuery } from '../../core/rules/list-query.ts';
import { parsePeriodUnit, parseTimeRange, parseTimeZone } from '../../core/rules/time-range.ts';
import { statusAt } from '../../core/use-cases/change/describe-link.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { requireValid } from '../errors.ts';
import { requesterOf } from '../limit-requests.ts';
import { Count, DateTime, listOf, ShortCode, titled } from '../schemas.ts';
import { readerOf } from './list-links.ts';
import {
  AccessSummary,
  HourlyBuckets,
  LinkStatusCounts,
  Periods,
  PeriodsQuery,
  ResultCounts,
  SentLinks,
  SOURCES,
  TopLinks,
  toNames,
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
  sent: SentLinks,
  latest: {
    ...listOf('LatestAttempt', {
      shortCode: ShortCode,
      at: DateTime,
      result: Type.Enum([...ACCESS_RESULTS]),
      count: Count,
    }),
    description:
      'The newest attempts that opened a link or were refused, without requests for a password or a code',
  },
  ...SOURCES,
  isTruncated: Type.Boolean({ description: 'There may be more links or older entries, which were not read' }),
});

/** The endpoint of the statistics of own links. */
export const ownStatisticsEndpoints = (deps: HttpDependencies): Endpoint[] => [
  endpoint('GET /api/stats/mine', 'The statistics of the links that the caller owns', {
    ...{ tag: 'Statistics', needs: 'create', alsoWhenOpen: true, port: 'management' },
    description:
      `They are counted from the histories of the ${MAX_LISTED} links that \`sort=views\` lists first, among the newest 20,000 entries: the ` +
      'newest ones of each link. `links` and `topLinks` are of all time; `sent` counts all links that were created in the range, as ' +
      '`/api/stats/links/sent` does, up to 20,000.',
    query: { schema: PeriodsQuery, read: readPeriods },
    sends: OwnStatistics,
    run: async ({ query, request, reply }) => accept(await readOwn(query, request, reply, deps)),
  }),
];

type Asked = { unit: PeriodUnit; zone: string; range: TimeRange };

function readPeriods(query: Record<string, unknown>): Parsed<Asked> {
  const unit = parsePeriodUnit(query['unit']);
  if (!unit.ok) return unit;
  const named = parseTimeZone(query['zone']);
  if (!named.ok) return named;
  const zone = named.value ?? 'UTC';
  return mapParsed(parseTimeRange(query, 'instant-or-date', zone), (range) => ({
    unit: unit.value,
    zone,
    range,
  }));
}

async function readOwn(
  { unit, zone, range }: Asked,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: HttpDependencies,
): Promise<Static<typeof OwnStatistics>> {
  const now = deps.clock();
  const requester = requesterOf(request, reply);
  const listed = {
    ...requireValid(parseListQuery(WANTED, now, deps.config.shortPath)),
    reader: readerOf(request.caller),
  };
  const { items: links, next } = await deps.useCases.readList(requester, listed);
  const codes = links.map(({ shortCode }) => shortCode);
  const attempts = await deps.useCases.statistics(requester).attemptsOfLinks(codes, range);
  const sent = await deps.useCases.statistics(requester).sentLinks(range, now, listed.reader.owner);
  const { totals, periods } = sumAttempts(attempts);
  const countOf = (status: LinkStatus) => links.filter((link) => statusAt(link, now) === status).length;
  const opened = links.filter(({ viewCount }) => viewCount > 0).slice(0, MAX_TOP);
  return {
    summary: summarize(totals),
    periods: toPeriods(unit === 'hour' ? periods : sumByDay(periods, zone)),
    hours: sumByHourOfDay(periods, zone),
    results: listResults(totals, [...ACCESS_RESULTS, ...PREVIEW_RESULTS]),
    topLinks: opened.map((link) => ({
      ...{ shortCode: link.shortCode, accessCount: link.viewCount, ...toNames(link, request) },
    })),
    sent,
    latest: attempts.latest.map(({ at, ...attempt }) => ({ ...attempt, at: new Date(at).toISOString() })),
    links: { active: countOf('ACTIVE'), expired: countOf('EXPIRED'), revoked: countOf('REVOKED') },
    ...topSources(attempts, MAX_TOP),
    isTruncated: attempts.isTruncated || next !== null,
  };
}
