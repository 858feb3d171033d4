import type { FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { isShownText, type Link, type Target } from '../../core/model/link.ts';
import { sumByDay, sumByHourOfDay } from '../../core/model/local-time.ts';
import { accept } from '../../core/model/parsed.ts';
import type { Period, TimeRange } from '../../core/model/ranges.ts';
import { titleOfRequest } from '../../core/model/request-title.ts';
import { toShownHost } from '../../core/model/shown-host.ts';
import {
  type LinkCount,
  listResults,
  summarize,
  topSources,
  type ViewSources,
} from '../../core/model/statistics.ts';
import { ACCESS_RESULTS, PREVIEW_RESULTS } from '../../core/model/verdict.ts';
import type { StatisticsStore } from '../../core/ports/statistics.ts';
import {
  parseFlag,
  parseLimit,
  parsePeriodUnit,
  parseTimeRange,
  parseTimeZone,
  type RangeUnit,
} from '../../core/rules/time-range.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { requireValid } from '../errors.ts';
import { requesterOf } from '../limit-requests.ts';
import {
  Count,
  DateRangeQuery,
  DateTime,
  LimitQuery,
  listOf,
  nullable,
  optionalFlag,
  optionalText,
  ShortCode,
  titled,
} from '../schemas.ts';

export const AccessSummary = titled('AccessSummary', {
  total: Count,
  success: Count,
  failed: Count,
  expired: Count,
  uniqueOrigins: Count,
  accessEfficiencyRatio: Type.Number({ description: 'Successful attempts in percent of all' }),
  expirationAttritionRate: Type.Number({ description: 'Expired attempts in percent of all' }),
});

export const SentLinks = titled('SentLinks', {
  ...{ total: Count, opened: Count },
  unopened: { ...Count, description: 'Neither opened nor ended' },
  endedUnopened: { ...Count, description: 'Expired or were revoked before they were opened' },
  received: { ...Count, description: 'Further links, of files that file requests received' },
  requests: Type.Object(
    { total: Count, opened: Count, endedUnopened: Count },
    { description: 'Of the numbers above, those of file requests; `opened`: received files' },
  ),
  isTruncated: Type.Boolean({ description: 'Only the newest 20,000 links of the range were read' }),
});

export const LinkStatusCounts = titled('LinkStatusCounts', { active: Count, expired: Count, revoked: Count });

/** A link in a ranking, and what distinguishes it for people. */
const RANKED = {
  shortCode: ShortCode,
  label: optionalText('Of a link that has one, but for received files'),
  leadsTo: optionalText(
    'The name of its file, the host of its URL, or the beginning of a file request; only for those who may change the link, and not of received files',
  ),
  type: Type.Optional(Type.Literal('REQUEST', { description: 'Of a file request' })),
};
export const TopLinks = listOf('TopLink', { ...RANKED, accessCount: Count });

const SecurityExceptions = listOf('SecurityException', { ...RANKED, count: Count });

export const HourlyBuckets = listOf('HourlyBucket', {
  hour: Type.Integer({ minimum: 0, maximum: 23 }),
  count: Count,
});

const DailyBuckets = listOf('DailyBucket', { date: Type.String({ format: 'date' }), count: Count });

export const Periods = listOf('Period', {
  ...{ start: DateTime, total: Count, success: Count, failed: Count },
  passwordRequests: {
    ...Count,
    description: 'Those of `failed` that were asked for a password, or for a mail address or its code',
  },
});

export const ResultCounts = listOf('ResultCount', {
  result: Type.Enum([...ACCESS_RESULTS, ...PREVIEW_RESULTS]),
  count: Count,
});

const NAMES = listOf('NameCount', {
  name: nullable(Type.String(), { description: 'null: not known; of referrers also: direct' }),
  count: Count,
});
/** The sources of views. */
export const SOURCES = {
  views: Count,
  isTruncated: Type.Boolean({
    description: 'Only the newest entries were read, and there may be older ones',
  }),
  referrers: NAMES,
  browsers: NAMES,
  systems: NAMES,
};
const { referrers, browsers, systems, ...counted } = SOURCES;
const Referrers = titled('Referrers', { ...counted, referrers });
const Devices = titled('Devices', { ...counted, browsers, systems });

const ZONE = optionalText(
  'The time zone of the days and hours, such as Europe/Berlin; without it UTC. Attempts are counted by whole hours of ' +
    'UTC: each counts for the day and the hour of the zone in which it begins',
);
const RangeQuery = Type.Object({
  start: optionalText('Start of the range (included), ISO 8601 with an offset'),
  end: optionalText('End of the range (excluded), ISO 8601 with an offset'),
});

const HourlyQuery = Type.Object({ ...RangeQuery.properties, zone: ZONE });
const SourcesQuery = Type.Object({ ...RangeQuery.properties, ...LimitQuery.properties });

export const PeriodsQuery = Type.Object({
  start: optionalText('Start of the range (included), an instant or a date of the zone'),
  end: optionalText('End of the range (excluded), an instant or a date of the zone'),
  unit: Type.Optional(Type.Enum(['hour', 'day'], { default: 'day', description: 'Length of each period' })),
  zone: ZONE,
});

const ResultsQuery = Type.Object({
  ...RangeQuery.properties,
  previews: optionalFlag('Lists PREVIEW and PREVIEW_INVALID_PASSWORD as well'),
});

type Query = Record<string, unknown>;

/** One statistic. Its first path is canonical; the others are variants that the specification names. */
type Statistic = {
  summary: string;
  paths: readonly `/${string}`[];
  querystring?: TSchema;
  sends: TSchema;
  read: (statistics: StatisticsStore, query: Query, request: FastifyRequest, now: number) => Promise<unknown>;
};

const FAILURES = ACCESS_RESULTS.filter((result) => result !== 'SUCCESS');

const STATISTICS: Statistic[] = [
  {
    summary: 'Totals, ratios in percent, and unique client addresses',
    paths: ['/api/stats/access/summary', '/api/stats/access-summary'],
    querystring: RangeQuery,
    sends: AccessSummary,
    read: async (statistics, query) => summarize(await statistics.accessTotals(rangeOf(query, 'instant'))),
  },
  {
    summary: 'Attempts by hour of the day. With `zone`, of the whole hours that begin within the range',
    paths: ['/api/stats/access/hourly', '/api/stats/hourly-access'],
    querystring: HourlyQuery,
    sends: HourlyBuckets,
    read: async (statistics, query) => {
      const zone = requireValid(parseTimeZone(query['zone']));
      const range = rangeOf(query, 'instant');
      if (zone === null) return statistics.hourly(range);
      return sumByHourOfDay(await statistics.overTime('hour', range), zone);
    },
  },
  {
    summary: 'Attempts by date, in UTC',
    paths: ['/api/stats/access/daily', '/api/stats/daily-access'],
    querystring: DateRangeQuery,
    sends: DailyBuckets,
    read: (statistics, query) => statistics.daily(rangeOf(query, 'instant-or-date')),
  },
  {
    summary: 'Attempts over time: each hour or day of the range that has attempts',
    paths: ['/api/stats/access/over-time'],
    querystring: PeriodsQuery,
    sends: Periods,
    read: async (statistics, query) => {
      const unit = requireValid(parsePeriodUnit(query['unit']));
      const zone = requireValid(parseTimeZone(query['zone']));
      const range = rangeOf(query, 'instant-or-date', zone ?? 'UTC');
      if (unit === 'hour' || zone === null) return toPeriods(await statistics.overTime(unit, range));
      return toPeriods(sumByDay(await statistics.overTime('hour', range), zone));
    },
  },
  {
    summary: 'Attempts by result',
    paths: ['/api/stats/access/by-result', '/api/stats/access-by-result'],
    querystring: ResultsQuery,
    sends: ResultCounts,
    read: async (statistics, query) => {
      const withPreviews = requireValid(parseFlag('previews', query['previews']));
      const counts = await statistics.resultCounts(rangeOf(query, 'instant'));
      return listResults(counts, withPreviews ? [...ACCESS_RESULTS, ...PREVIEW_RESULTS] : ACCESS_RESULTS);
    },
  },
  {
    summary: 'Attempts by result, without the successful ones',
    paths: ['/api/stats/access/failures'],
    querystring: RangeQuery,
    sends: ResultCounts,
    read: async (statistics, query) =>
      listResults(await statistics.resultCounts(rangeOf(query, 'instant')), FAILURES),
  },
  {
    summary: 'Links by status',
    paths: ['/api/stats/links', '/api/stats/link-status'],
    sends: LinkStatusCounts,
    read: async (statistics) => {
      const { ACTIVE, EXPIRED, REVOKED } = await statistics.linkCounts();
      return { active: ACTIVE, expired: EXPIRED, revoked: REVOKED };
    },
  },
  {
    summary: 'Links created in the range, without those of received files, and whether they were ever opened',
    paths: ['/api/stats/links/sent'],
    querystring: RangeQuery,
    sends: SentLinks,
    read: (statistics, query, _, now) => statistics.sentLinks(rangeOf(query, 'instant'), now, null),
  },
  {
    summary: 'The most opened links, by views',
    paths: ['/api/stats/links/top'],
    querystring: LimitQuery,
    sends: TopLinks,
    read: async (statistics, query, request) => {
      const links = await statistics.topLinks(requireValid(parseLimit(query['limit'])));
      const named = await withNames(statistics, links, request);
      return named.map(({ count, ...link }) => ({ ...link, accessCount: count }));
    },
  },
  {
    summary: 'The links with the most wrong passwords',
    paths: ['/api/stats/security/exceptions'],
    querystring: LimitQuery,
    sends: SecurityExceptions,
    read: async (statistics, query, request) => {
      const limit = requireValid(parseLimit(query['limit']));
      return withNames(statistics, await statistics.securityExceptions(limit), request);
    },
  },
  {
    summary: 'The hosts of the pages from which links were opened, by views, among the newest 50,000 entries',
    paths: ['/api/stats/referrers'],
    querystring: SourcesQuery,
    sends: Referrers,
    read: async (statistics, query) => {
      const { browsers: _, systems: __, ...referring } = await readSources(statistics, query);
      return referring;
    },
  },
  {
    summary:
      'The browsers and operating systems that opened links, by views, among the newest 50,000 entries',
    paths: ['/api/stats/devices'],
    querystring: SourcesQuery,
    sends: Devices,
    read: async (statistics, query) => {
      const { referrers: _, ...opening } = await readSources(statistics, query);
      return opening;
    },
  },
];

/** The endpoints of the statistics of all links. */
export const statisticsEndpoints = (deps: HttpDependencies): Endpoint[] =>
  STATISTICS.flatMap(({ summary, paths, querystring, sends, read }) =>
    paths.map((path) =>
      endpoint(`GET ${path}`, path === paths[0] ? summary : `The same as ${paths[0]}`, {
        ...{ tag: 'Statistics', needs: 'read', port: 'management', isTagged: true, sends },
        ...(querystring && { query: { schema: querystring, read: (sent) => accept(sent) } }),
        run: async ({ query = {}, request, reply }) =>
          accept(
            await read(deps.useCases.statistics(requesterOf(request, reply)), query, request, deps.clock()),
          ),
      }),
    ),
  );

function rangeOf(query: Query, unit: RangeUnit, zone?: string): TimeRange {
  return requireValid(parseTimeRange(query, unit, zone));
}

async function withNames(statistics: StatisticsStore, links: LinkCount[], request: FastifyRequest) {
  const known = await statistics.readLinks(links.map(({ shortCode }) => shortCode));
  const names = new Map(known.map((link) => [link.shortCode, toNames(link, request)]));
  return links.map((link) => ({ ...link, ...names.get(link.shortCode) }));
}

/**
 * Returns what distinguishes a link for people, as far as a client may know it: of received files nothing, since people know them
 * by their number and their sender, whose name is the label.
 */
export function toNames(
  link: Link,
  { rightTo }: FastifyRequest,
): { label?: string; leadsTo?: string; type?: 'REQUEST' } {
  if (link.requestCode !== undefined) return {};
  const { label } = link.terms;
  const leadsTo = rightTo(link).mayManage ? placeOf(link.target) : null;
  const type = link.target.type === 'REQUEST' && link.target.type;
  return { ...(label !== null && { label }), ...(leadsTo && { leadsTo }), ...(type && { type }) };
}

function placeOf(target: Target): string | null {
  if (target.type === 'REDIRECT') return toShownHost(target.url).ascii;
  if (target.type === 'REQUEST') return titleOfRequest(target.request.message);
  const isNamed = !isShownText(target.file) && target.file.traits?.encrypted !== true;
  return isNamed ? target.file.fileName : null;
}

/** Returns periods as the API shows them. */
export function toPeriods(periods: readonly Period[]) {
  return periods.map(({ startsAt, total, success, passwordRequests }) => ({
    start: new Date(startsAt).toISOString(),
    ...{ total, success, failed: total - success, passwordRequests },
  }));
}

async function readSources(statistics: StatisticsStore, query: Query): Promise<ViewSources> {
  const limit = requireValid(parseLimit(query['limit']));
  return topSources(await statistics.viewSources(rangeOf(query, 'instant')), limit);
}
