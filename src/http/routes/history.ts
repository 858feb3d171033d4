import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { toAuditCode } from '../../core/model/attempt.ts';
import { eraseChange } from '../../core/model/chain.ts';
import type { HistoryItem } from '../../core/model/history.ts';
import type { ChainHead } from '../../core/model/link.ts';
import type { HistoryFilter, HistoryQuery } from '../../core/model/ranges.ts';
import { isFiltered, parseCode, parseHistoryQuery } from '../../core/rules/history-query.ts';
import { statusAt } from '../../core/use-cases/change/describe-link.ts';
import { exportHistory, readHistoryPage } from '../../core/use-cases/history/read-history.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { isKnownByTag, weakTagOf } from '../entity-tags.ts';
import { requireValid } from '../errors.ts';
import { preferredType } from '../headers.ts';
import { CSV_HEADER, toHeadRecord, toItemLine, toItemRecord } from '../history-items.ts';
import * as schemas from '../history-schemas.ts';
import { limitUnknownCodes, requesterOf } from '../limit-requests.ts';
import { errorResponses, IfNoneMatch, NotModified, ShortCodeParams } from '../schemas.ts';
import { type ExportedFile, sendExport } from '../send-export.ts';
import type { SlowClients } from '../slow-clients.ts';

const EXPORT_TYPES = ['text/csv', 'application/x-ndjson'] as const;
type ExportType = (typeof EXPORT_TYPES)[number];

const OF_LINK_SCHEMA = {
  tags: ['History'],
  summary: 'Read the history of a link',
  description:
    'Who created, opened, tried to open and revoked the link, newest first, by number. A page may have fewer items than ' +
    '`limit`, also none, before the end.',
  params: ShortCodeParams,
  headers: Type.Object({ ...schemas.HistoryHeaders.properties, ...IfNoneMatch }),
  querystring: schemas.HistoryQuery,
  response: {
    200: schemas.historyResponse(schemas.HistoryPage),
    304: NotModified,
    ...errorResponses(400, 401, 403, 404, 429, 500, 503),
  },
};

const AUDIT_SCHEMA = {
  tags: ['History'],
  summary: 'Read the history of all links',
  description:
    'The same entries, also attempts on short codes that no link has, newest first in the order of their commits. Pages ' +
    'are as those of a link.',
  headers: schemas.HistoryHeaders,
  querystring: schemas.AuditQuery,
  response: { 200: schemas.historyResponse(schemas.AuditPage), ...errorResponses(400, 401, 403, 500, 503) },
};

type Query = Record<string, unknown>;
type Transfers = Pick<SlowClients, 'watchDownload'>;

/** GET /api/links/{shortCode}/history and GET /api/audit */
export function historyRoutes(app: FastifyInstance, deps: HttpDependencies, transfers: Transfers): void {
  const { refuseBlocked, countUnknown } = limitUnknownCodes(deps);
  const respond = prepareRespond(deps, transfers);

  app.get<{ Params: { shortCode: string }; Querystring: Query }>(
    '/api/links/:shortCode/history',
    {
      schema: OF_LINK_SCHEMA,
      config: { access: { needs: 'read', ofLink: true, alsoWhenOpen: true, port: 'public' } },
      onRequest: refuseBlocked,
    },
    async (request, reply) => {
      const query = requireValid(parseHistoryQuery(request.query));
      const link = await deps.readLink(request.params.shortCode);
      if (!link) return countUnknown(request);
      const { shortCode, history: head, viewCount } = link;
      const version = { query: request.query, head, viewCount, status: statusAt(link, deps.clock()) };
      return respond(request, reply, { ...query, shortCode, head }, version);
    },
  );

  app.get<{ Querystring: Query }>(
    '/api/audit',
    {
      schema: AUDIT_SCHEMA,
      config: { access: { needs: 'read', alsoWhenOpen: true, port: 'management' } },
    },
    async (request, reply) => {
      const code = requireValid(parseCode(request.query['code']));
      const query = requireValid(parseHistoryQuery(request.query));
      const shortCode = code === null ? null : toAuditCode(code);
      return respond(request, reply, { ...query, shortCode, head: null });
    },
  );
}

/**
 * Prepares hiding the personal fields of entries that name what a client may not see: the link that continues another one,
 * and what a protected link has. They are as those of an erased entry, and so prove the history as before.
 */
function prepareHide({ rightTo, mayManage }: FastifyRequest, { readLink }: HttpDependencies) {
  async function mayRead(item: HistoryItem, find: typeof readLink): Promise<boolean> {
    if (item.kind === 'ATTEMPT') return true;
    const { newShortCode: next, fileName, requestMessage } = item.details;
    if (typeof next === 'string') {
      const link = await find(next);
      return link !== undefined && rightTo(link).decision === 'ALLOWED';
    }
    if (mayManage || (fileName ?? requestMessage) === undefined) return true;
    const link = await find(item.shortCode);
    return !link || link.passwordHash === null || rightTo(link).mayManage;
  }
  return (items: readonly HistoryItem[]): Promise<HistoryItem[]> => {
    const links = new Map<string, ReturnType<typeof readLink>>(); // entries of one page often name the same link
    const find = (shortCode: string) => links.getOrInsertComputed(shortCode, readLink);
    const hide = async (item: HistoryItem) =>
      item.kind === 'ATTEMPT' || (await mayRead(item, find)) ? item : { ...item, ...eraseChange(item) };
    return Promise.all(items.map(hide));
  };
}

function prepareRespond(deps: HttpDependencies, { watchDownload }: Transfers) {
  const { history, clock, log } = deps;
  /** Responds with a page or an export. `version`: what the page follows from; a client that knows it gets no page. */
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    query: HistoryQuery,
    version?: object,
  ): Promise<FastifyReply> => {
    const reads = history(requesterOf(request, reply));
    const hide = prepareHide(request, deps);
    const type = preferredType(request.headers.accept, ['application/json', ...EXPORT_TYPES]);
    reply.header('cache-control', 'no-store').header('vary', 'Accept');
    if (type === 'application/json') {
      const tag = version && weakTagOf(JSON.stringify(version));
      if (tag !== undefined && isKnownByTag(request, reply, tag)) return reply.send();
      const { items, next } = await readHistoryPage(reads.pages, query);
      const page = {
        items: (await hide(items)).map(toItemRecord),
        next,
        ...(query.head && toHeadRecord(query.head)),
      };
      return reply.send(page);
    }
    const { store, end } = reads.beginExport();
    reply.raw.once('close', end);
    if (reply.raw.closed) end();
    const pages = hideIn(exportHistory(store, query), hide);
    const file = toFile(type, pages, query, new Date(clock()));
    return sendExport(request, reply, file, { log, watchDownload });
  };
}

type Pages = AsyncGenerator<HistoryItem[], void, undefined>;

async function* hideIn(pages: Pages, hide: ReturnType<typeof prepareHide>): Pages {
  for await (const items of pages) yield await hide(items);
}

/** Returns all entries of a history as a file. */
function toFile(type: ExportType, pages: Pages, query: HistoryFilter, at: Date): ExportedFile {
  const { head } = query;
  const name = query.shortCode === null || head === null ? 'audit' : `postern-${query.shortCode}`;
  if (type === 'text/csv')
    return { name: `${name}.csv`, contentType: type, lines: toLines(CSV_HEADER, pages, toItemLine) };
  const headLine = head === null ? '' : toJsonLine(toHeadLine(head, query, at));
  const lines = toLines(headLine, pages, (item) => toJsonLine(toItemRecord(item)));
  return { name: `${name}.ndjson`, contentType: type, lines };
}

/** Returns the first line of an export. */
function toHeadLine(head: ChainHead, query: HistoryFilter, at: Date) {
  const { shortCode } = query;
  return {
    ...{ kind: 'HEAD', shortCode, ...toHeadRecord(head) },
    ...{ at: at.toISOString(), filtered: isFiltered(query) },
  };
}

const toJsonLine = (record: unknown): string => `${JSON.stringify(record)}\n`;

async function* toLines(
  first: string,
  pages: Pages,
  toLine: (item: HistoryItem) => string,
): AsyncGenerator<string, void, undefined> {
  let unsent = first; // until the first page is read, so that an error before it gets its status
  for await (const items of pages) {
    const lines = unsent + items.map(toLine).join('');
    unsent = '';
    if (lines !== '') yield lines;
  }
}
