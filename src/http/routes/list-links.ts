import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import type { Caller } from '../../access/caller.ts';
import { shownStateAt, statusAt, toShownFile } from '../../links/describe-link.ts';
import type { EpochMs } from '../../links/link.ts';
import { type ListedLink, type ListReader, seesTarget } from '../../links/link-list.ts';
import { formatInstant } from '../../links/rules/expiry-time.ts';
import { parseListQuery } from '../../links/rules/list-query.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { requireValid } from '../errors.ts';
import { requesterOf } from '../limit-requests.ts';
import { LinkPage, type ListedLink as ListedLinkRecord, ListLinksQuery } from '../list-schemas.ts';
import { errorResponses } from '../schemas.ts';

const SCHEMA = {
  tags: ['Links'],
  summary: 'List and search links',
  description:
    'The newest first. A search examines a bounded number of links: a page may have fewer items than `limit`, also ' +
    'none, and still a `next`. Without the scope `manage`, the target and file of links of other creators are ' +
    'null, and not searched.',
  querystring: ListLinksQuery,
  response: { 200: LinkPage, ...errorResponses(400, 401, 403, 500, 503) },
};

/** GET /api/links */
export function listLinksRoute(app: FastifyInstance, { readList, clock, baseUrl }: HttpDependencies): void {
  app.get<{ Querystring: Record<string, unknown> }>(
    '/api/links',
    {
      schema: SCHEMA,
      config: { access: { needs: 'read', alsoWhenOpen: true, port: 'public' } },
    },
    async (request, reply) => {
      const now = clock();
      const reader = readerOf(request.caller);
      const query = { ...requireValid(parseListQuery(request.query, now)), reader };
      const { items, next } = await readList(requesterOf(request, reply), query);
      return reply
        .header('cache-control', 'no-store')
        .send({ items: items.map((item) => toRecord(item, { reader, baseUrl, now })), next });
    },
  );
}

function readerOf(caller: Caller): ListReader {
  if (caller.kind === 'ANONYMOUS') return { seesAll: false, name: { kind: 'ANONYMOUS', name: null } };
  return { seesAll: caller.scopes.includes('manage'), name: { kind: caller.kind, name: caller.name } };
}

function toRecord(
  { link, creator }: ListedLink,
  { reader, baseUrl, now }: { reader: ListReader; baseUrl: string; now: EpochMs },
): Static<typeof ListedLinkRecord> {
  const { shortCode, target, labels, confirm, maxViews, viewCount } = link;
  const isShown = seesTarget(reader, creator);
  return {
    ...{ shortCode, accessUrl: `${baseUrl}/l/${shortCode}`, type: target.type },
    ...{ status: statusAt(link, now), state: shownStateAt(link, now) },
    ...{ ...labels, tags: [...labels.tags] },
    targetUrl: isShown && target.type === 'REDIRECT' ? target.url : null,
    file: isShown ? toShownFile(target) : null,
    ...{ createdAt: formatInstant(link.createdAt), startsAt: toInstant(link.startsAt) },
    ...{ expiresAt: toInstant(link.expiresAt), maxViews, viewCount },
    ...{ lastOpenedAt: toInstant(link.lastOpenedAt), passwordProtected: link.passwordHash !== null, confirm },
    creator,
  };
}

function toInstant(at: EpochMs | null): string | null {
  return at === null ? null : formatInstant(at);
}
