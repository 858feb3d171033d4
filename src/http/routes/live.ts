import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { Type } from 'typebox';
import type { StatisticsStore } from '../../core/ports/statistics.ts';
import { toLiveLink } from '../../core/use-cases/change/describe-link.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { limitUnknownCodes } from '../limit-requests.ts';
import {
  createLiveStreams,
  EVENT_STREAM_HEADERS,
  type LiveSource,
  type LiveStreams,
} from '../live-streams.ts';
import type { RouteAccess } from '../route-access.ts';
import { errorResponses, optionalText, ShortCodeParams } from '../schemas.ts';

const LiveHeaders = Type.Object({
  'Last-Event-ID': optionalText(
    'The id of the last event that the client received; only what changed since is sent',
  ),
});

const EventStream = { content: { 'text/event-stream': { schema: Type.String() } } };

const LINK_SCHEMA: FastifySchema = {
  tags: ['Links'],
  summary: 'Follow a link',
  description:
    'Server-sent events. `entries` has the count of entries and the fingerprint of the history, the status and the ' +
    'view count: at first, and within about a second of each change.',
  params: ShortCodeParams,
  headers: LiveHeaders,
  response: { 200: EventStream, ...errorResponses(401, 403, 404, 429, 500, 503) },
};

const STATISTICS_SCHEMA: FastifySchema = {
  tags: ['Statistics'],
  summary: 'Follow the statistics',
  description: 'Server-sent events. `changed`, with the data `{}`, says that the statistics have changed.',
  headers: LiveHeaders,
  response: { 200: EventStream, ...errorResponses(401, 403, 500, 503) },
};

/** Any short code contains none of its characters. */
const STATISTICS_SOURCE = '/api/stats';
const STATISTICS_EVENT = { name: 'changed', data: '{}' };

/** GET /api/links/{shortCode}/live and /api/stats/live */
export function liveRoutes(app: FastifyInstance, deps: HttpDependencies): void {
  const streams = prepareStreams(deps);
  app.addHook('preClose', (done) => {
    streams.stop();
    done();
  });
  linkRoute(app, deps, streams);
  statisticsRoute(app, deps, streams);
}

function prepareStreams({ startTimer, metrics, reportJobError }: HttpDependencies): LiveStreams {
  return createLiveStreams({
    startTimer,
    onCount: (count) => metrics.liveStreams.set(count),
    onStuck: () => metrics.connectionsCutOff.inc({ reason: 'stuck_stream' }),
    onReadError: (error) => reportJobError('watch_changes', error),
  });
}

/** A change of the link's history or status needs the access of the history. */
const LINK_ACCESS: RouteAccess = { needs: 'read', ofLink: true, alsoWhenOpen: true, port: 'public' };

function linkRoute(app: FastifyInstance, deps: HttpDependencies, streams: LiveStreams): void {
  const { readLink, clock } = deps;
  const { refuseBlocked, countUnknown } = limitUnknownCodes(deps);
  app.get<{ Params: { shortCode: string } }>(
    '/api/links/:shortCode/live',
    { schema: LINK_SCHEMA, config: { access: LINK_ACCESS }, onRequest: refuseBlocked },
    async (request, reply) => {
      const { shortCode } = request.params;
      if (!(await readLink(shortCode))) return countUnknown(request);
      return respond(request, reply, streams, {
        name: shortCode,
        async read() {
          const link = await readLink(shortCode);
          return link && JSON.stringify(toLiveLink(link, clock()));
        },
        toEvent: (data) => ({ name: 'entries', data }),
      });
    },
  );
}

function statisticsRoute(app: FastifyInstance, deps: HttpDependencies, streams: LiveStreams): void {
  // Work of the service itself, which has no address.
  const statistics = deps.statistics({ address: null });
  app.get(
    '/api/stats/live',
    { schema: STATISTICS_SCHEMA, config: { access: { needs: 'read', port: 'management' } } },
    async (request, reply) =>
      respond(request, reply, streams, {
        name: STATISTICS_SOURCE,
        read: () => readVersion(statistics),
        // A client that begins to listen reads the statistics anyway.
        toEvent: (_, isFirst) => (isFirst ? {} : STATISTICS_EVENT),
      }),
  );
}

/** Reads two small projections. Every attempt and preview changes the first, and every change of a status the second. */
async function readVersion(statistics: StatisticsStore): Promise<string> {
  const { countsByResult } = await statistics.accessTotals({ start: null, end: null });
  return JSON.stringify([countsByResult, await statistics.linkCounts()]);
}

function respond(
  request: FastifyRequest,
  reply: FastifyReply,
  streams: LiveStreams,
  source: LiveSource,
): FastifyReply {
  if (request.method === 'HEAD') return reply.headers(EVENT_STREAM_HEADERS).send();
  streams.open({ request, reply }, source);
  return reply;
}
