import type { FastifyReply, FastifyRequest } from 'fastify';
import { toAuditCode } from '../../core/model/attempt.ts';
import type { HistoryItem } from '../../core/model/history.ts';
import type { FilePartInfo } from '../../core/model/link.ts';
import { mapParsed, type Parsed } from '../../core/model/parsed.ts';
import type { HistoryFilter, HistoryQuery } from '../../core/model/ranges.ts';
import { isFiltered, parseCode, parseHistoryQuery } from '../../core/rules/history-query.ts';
import { statusAt } from '../../core/use-cases/change/describe-link.ts';
import type { CheckpointOfLink } from '../../core/use-cases/evidence/prove-entry.ts';
import type { ListedFile } from '../../core/use-cases/history/exported/exported-items.ts';
import { exportHistory, readHistoryPage } from '../../core/use-cases/history/read-history.ts';
import type { EvidenceReads } from '../../core/use-cases/limits/queues.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { type Endpoint, rawEndpoint } from '../endpoint.ts';
import { isKnownByTag, weakTagOf } from '../entity-tags.ts';
import { preferredType } from '../headers.ts';
import { CSV_HEADER, toHeadRecord, toItemLine, toItemRecord } from '../history-items.ts';
import * as schemas from '../history-schemas.ts';
import { limitUnknownCodes, requesterOf } from '../limit-requests.ts';
import { findKnown } from '../map-errors.ts';
import { prepareDescribe, prepareHide } from '../returned-links.ts';
import { IfNoneMatch, NotModified } from '../schemas.ts';
import { type ExportedFile, sendExport } from '../send-export.ts';
import type { SlowClients } from '../slow-clients.ts';

const EXPORT_TYPES = ['text/csv', 'application/x-ndjson'] as const;
type ExportType = (typeof EXPORT_TYPES)[number];

type Transfers = Pick<SlowClients, 'watchDownload'>;

const HISTORY = { tag: 'History', needs: 'read', alsoWhenOpen: true } as const;
const { properties: HEADERS } = schemas.HistoryHeaders;

/** The endpoints of histories. */
export function historyEndpoints(deps: HttpDependencies, transfers: Transfers): Endpoint[] {
  const { findLink } = limitUnknownCodes(deps);
  const describe = prepareDescribe(deps);
  const send = prepareSend(deps, transfers);
  return [
    rawEndpoint('GET /api/links/:shortCode/history', 'Read the history of a link', {
      ...{ ...HISTORY, ofLink: true, port: 'public' },
      description:
        'Who created, changed, opened, tried to open and revoked the link, newest first, by number. A page may have fewer items than ' +
        '`limit`, also none, before the end.',
      headers: { ...HEADERS, ...IfNoneMatch },
      query: {
        schema: schemas.HistoryQuery,
        read: (sent) => mapParsed(parseHistoryQuery(sent), (wanted) => ({ wanted, sent })),
      },
      sends: { 200: schemas.historyResponse(schemas.HistoryPage), 304: NotModified },
      async respond({ path, query: { wanted, sent }, request, reply }) {
        const link = await findLink(path.shortCode, request);
        const { shortCode, history: head, viewCount } = link;
        const readVersion = async () => {
          const erased = await deps.stores.erasures.countErased();
          const status = statusAt(link, deps.clock());
          return { query: sent, head, viewCount, status, erased, rights: rightsOf(request) };
        };
        const readFiles = async () => {
          const { file } = describe(link, request); // null for those who may not see it
          return file?.fileCount === undefined ? [] : deps.useCases.readFiles(link);
        };
        return send(request, reply, { ...wanted, shortCode, head }, { readVersion, readFiles });
      },
    }),
    rawEndpoint('GET /api/audit', 'Read the history of all links', {
      ...{ ...HISTORY, port: 'management' },
      description:
        'The same entries, also attempts on short codes that no link has, newest first in the order of their commits. Pages ' +
        'are as those of a link.',
      headers: HEADERS,
      query: { schema: schemas.AuditQuery, read: parseAuditQuery },
      sends: { 200: schemas.historyResponse(schemas.AuditPage) },
      respond: ({ query, request, reply }) => send(request, reply, query),
    }),
  ];
}

/** Returns what decides which personal fields a client may see. */
function rightsOf({ caller, mayManage }: FastifyRequest): unknown[] {
  return caller.kind === 'ANONYMOUS' ? [mayManage] : [mayManage, caller.owner, caller.scopes, caller.teams];
}

function parseAuditQuery(sent: Record<string, unknown>): Parsed<HistoryQuery> {
  const code = parseCode(sent['code']);
  if (!code.ok) return code;
  const shortCode = code.value === null ? null : toAuditCode(code.value);
  return mapParsed(parseHistoryQuery(sent), (query) => ({ ...query, shortCode, head: null }));
}

function prepareSend(deps: HttpDependencies, { watchDownload }: Transfers) {
  const { clock, observe } = deps;
  const { history } = deps.useCases;
  const { log } = observe;
  /**
   * Responds with a page or an export. `readVersion`: what a page of a link follows from; a client that knows it gets no page.
   * `readFiles`: reads the files of a link with several; an empty list for any other link.
   */
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    query: HistoryQuery,
    ofLink?: { readVersion(): Promise<object>; readFiles(): Promise<readonly FilePartInfo[]> },
  ): Promise<FastifyReply> => {
    const reads = history(requesterOf(request, reply));
    const hide = prepareHide(request, deps);
    const type = preferredType(request.headers.accept, ['application/json', ...EXPORT_TYPES]);
    reply.header('cache-control', 'no-store').header('vary', 'Accept');
    if (type === 'application/json') {
      const tag = ofLink && weakTagOf(JSON.stringify(await ofLink.readVersion()));
      if (tag !== undefined && isKnownByTag(request, reply, tag)) return reply.send();
      const { items, next } = await readHistoryPage(reads.pages, query);
      const page = {
        items: (await hide(items)).map(toItemRecord),
        next,
        ...(query.head && toHeadRecord(query.head)),
      };
      return reply.send(page);
    }
    const checkpoint = await findCheckpoint(query, deps.useCases.evidence(requesterOf(request, reply))).catch(
      (error: unknown) => {
        if (findKnown(error)) throw error;
        log.write('error', 'job_failed', { job: 'prove_entry', err: error });
        return null; // the history is whole without it
      },
    );
    const files = ofLink && type !== 'text/csv' && !isFiltered(query) ? await ofLink.readFiles() : [];
    const { store, end } = reads.beginExport();
    reply.raw.once('close', end);
    if (reply.raw.closed) end();
    const pages = hideIn(exportHistory(store, query), hide);
    const file = toFile(type, pages, query, toHeadLine(query, { checkpoint, files, at: new Date(clock()) }));
    return sendExport(request, reply, file, { log, watchDownload });
  };
}

type Pages = AsyncGenerator<HistoryItem[], void, undefined>;

async function* hideIn(pages: Pages, hide: ReturnType<typeof prepareHide>): Pages {
  for await (const items of pages) yield await hide(items);
}

/** Returns all entries of a history as a file. */
function toFile(type: ExportType, pages: Pages, query: HistoryFilter, headLine: string): ExportedFile {
  const { head } = query;
  const name = query.shortCode === null || head === null ? 'audit' : `postern-${query.shortCode}`;
  if (type === 'text/csv')
    return { name: `${name}.csv`, contentType: type, lines: toLines(CSV_HEADER, pages, toItemLine) };
  const lines = toLines(headLine, pages, (item) => toJsonLine(toItemRecord(item)));
  return { name: `${name}.ndjson`, contentType: type, lines };
}

/** Finds the checkpoint of a history that is exported as a whole. */
async function findCheckpoint(query: HistoryFilter, reads: EvidenceReads): Promise<CheckpointOfLink | null> {
  const { head, shortCode } = query;
  return head === null || shortCode === null || isFiltered(query) ? null : reads.proveEntry(shortCode, head);
}

/** Returns the first line of an export; none for that of all links. */
function toHeadLine(
  query: HistoryFilter,
  {
    checkpoint,
    files,
    at,
  }: { checkpoint: CheckpointOfLink | null; files: readonly FilePartInfo[]; at: Date },
): string {
  const { shortCode, head } = query;
  if (head === null) return '';
  const listed = files.map(({ fileName: name, sizeBytes, sha256, crc32 }): ListedFile => {
    return { name, sizeBytes, sha256, crc32 };
  });
  return toJsonLine({
    ...{ kind: 'HEAD', shortCode, ...toHeadRecord(head) },
    ...{ at: at.toISOString(), filtered: isFiltered(query) },
    ...(checkpoint && { checkpoint }),
    ...(listed.length > 0 && { files: listed }),
  });
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
