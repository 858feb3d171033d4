import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { formatInstant } from '../../core/model/instant.ts';
import type { EpochMs, Link } from '../../core/model/link.ts';
import { parseOwner } from '../../core/model/owner.ts';
import { MAX_LISTED_FILES, parseFilesQuery } from '../../core/rules/list-query.ts';
import { toDescription } from '../../core/use-cases/change/describe-link.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { requireValid } from '../errors.ts';
import { FileList } from '../file-schemas.ts';
import { shortCodeIn } from '../guard-requests.ts';
import { toHeadRecord } from '../history-items.ts';
import { limitUnknownCodes } from '../limit-requests.ts';
import { errorResponses, LinkDescription, optionalText, ShortCodeParams } from '../schemas.ts';

const SCHEMA = {
  tags: ['Links'],
  summary: 'Describe a link without opening it',
  description:
    'Spends no view and writes no audit record. The target, the file of a protected link, `notifyUrl` and ' +
    '`notifyEmail` are shown only to those who may change the link.',
  params: ShortCodeParams,
  response: { 200: LinkDescription, ...errorResponses(401, 403, 404, 429, 500, 503) },
};

/** GET /api/links/{shortCode} */
export function describeLinkRoute(app: FastifyInstance, deps: HttpDependencies): void {
  const { refuseBlocked, countUnknown } = limitUnknownCodes(deps);
  app.get<{ Params: { shortCode: string } }>(
    '/api/links/:shortCode',
    {
      schema: SCHEMA,
      config: { access: { needs: 'read', ofLink: true, port: 'public' } },
      onRequest: refuseBlocked,
    },
    async (request, reply) => {
      const link = await deps.readLink(request.params.shortCode);
      if (!link) return countUnknown(request);
      return sendDescription(request, reply, deps, link);
    },
  );
}

const FILES_SCHEMA = {
  tags: ['Links'],
  summary: 'List the files of a link without opening it',
  description:
    'In the order of their bytes, so that the `firstByte` of a download says which file it sent. Empty for a link to a ' +
    'URL. Those of a protected link are shown only to those who may change it.',
  params: ShortCodeParams,
  querystring: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_LISTED_FILES, default: MAX_LISTED_FILES })),
    cursor: optionalText('`next` of the page before'),
  }),
  response: { 200: FileList, ...errorResponses(400, 401, 403, 404, 429, 500, 503) },
};

/** GET /api/links/{shortCode}/files */
export function listFilesRoute(app: FastifyInstance, deps: HttpDependencies): void {
  const { refuseBlocked, countUnknown } = limitUnknownCodes(deps);
  app.get<{ Params: { shortCode: string }; Querystring: Record<string, unknown> }>(
    '/api/links/:shortCode/files',
    {
      schema: FILES_SCHEMA,
      config: { access: { needs: 'read', ofLink: true, port: 'public' } },
      onRequest: refuseBlocked,
    },
    async (request, reply) => {
      const { shortCode } = request.params;
      const link = await deps.readLink(shortCode);
      if (!link) return countUnknown(request);
      const { file } = describe(request, link, deps);
      const { limit, cursor: first } = requireValid(parseFilesQuery(request.query));
      const parts = file?.fileCount === undefined ? [] : await deps.readFiles(shortCode);
      const files = parts
        .slice(first, first + limit)
        .map(({ fileName: name, sizeBytes, sha256 }) => ({ name, sizeBytes, sha256 }));
      const next = first + limit < parts.length ? String(first + limit) : null;
      return reply
        .header('cache-control', 'no-store')
        .send({ files: file && !file.fileCount ? [file] : files, next });
    },
  );
}

/** Returns the entity tag of a version of a link (RFC 9110, 8.8.3). */
function toEntityTag(version: number): string {
  return `"${version}"`;
}

/** Sends what the client may know of a link, as it is now. */
export function sendDescription(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: HttpDependencies,
  link: Link,
): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .header('etag', toEntityTag(link.version))
    .send(describe(request, link, deps));
}

/**
 * Returns what the client may know of a link: only those who may read its history and change it get all of it. All
 * responses that describe a link get it here. Of another link than that of its path, a request needs the right, too; what
 * remains of one that a client has just given away is what all may know.
 *
 * @throws RequestError without the right to another link
 */
function describe(
  client: FastifyRequest,
  link: Link,
  { addresses, clock }: HttpDependencies,
): Static<typeof LinkDescription> {
  const { decision, mayRead, mayManage } = client.rightTo(link);
  if (decision !== 'ALLOWED' && link.shortCode !== shortCodeIn(client)) throw client.refuseAccess(decision);
  const described = toDescription(link, clock());
  const { shortCode, host: _host, forManagers, forChangers, version: _, request, ...shown } = described;
  const { history, lastOpenedAt, labels, owner, team, ...ofRequest } = forManagers;
  const { request: wholeRequest, ...changeable } = forChangers;
  return {
    shortCode,
    accessUrl: addresses.urlOf(link),
    ...shown,
    ...(mayRead && {
      ...toHeadRecord(history),
      lastOpenedAt: toInstant(lastOpenedAt),
      ...labels,
      tags: [...labels.tags],
      owner: parseOwner(owner),
      team,
      ...ofRequest,
    }),
    ...(mayManage && changeable),
    ...(shown.type === 'REQUEST' && { request: mayManage ? wholeRequest : request }),
    startsAt: toInstant(shown.startsAt),
    expiresAt: toInstant(shown.expiresAt),
    createdAt: formatInstant(shown.createdAt),
  };
}

export function toInstant(at: EpochMs | null): string | null {
  return at === null ? null : formatInstant(at);
}
