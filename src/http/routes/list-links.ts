import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { formatInstant } from '../../core/model/instant.ts';
import { type EpochMs, LINK_STATUSES, type Link, SHOWN_STATES, shownStateAt } from '../../core/model/link.ts';
import {
  LIST_ORDERS,
  LIST_SORTS,
  type ListQuery,
  type ListReader,
  MAX_LISTED,
} from '../../core/model/listed-links.ts';
import { OWNER_KINDS, parseOwner } from '../../core/model/owner.ts';
import type { Caller } from '../../core/model/people/caller.ts';
import { hasScope, holderOf } from '../../core/model/people/decide-access.ts';
import { hashSecret } from '../../core/model/people/hash-secret.ts';
import { canBeLinkToken } from '../../core/model/people/link-token.ts';
import { parseListQuery } from '../../core/rules/list-query.ts';
import { statusAt, toShownFile } from '../../core/use-cases/change/describe-link.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { requireValid } from '../errors.ts';
import { FileRequest } from '../file-request-schemas.ts';
import { ShownFile } from '../file-schemas.ts';
import { limitUnknownCodes, requesterOf } from '../limit-requests.ts';
import type { LinkAddresses } from '../path.ts';
import type { LinkRight } from '../route-access.ts';
import {
  Count,
  DateRangeQuery,
  DateTime,
  errorResponses,
  LinkType,
  nullable,
  OwnerRecord,
  optionalFlag,
  optionalText,
  ShortCodeParams,
  titled,
  Url,
} from '../schemas.ts';
import { toInstant } from './describe-link.ts';

const OF_OTHERS = 'null for a link of others without the scope `manage`';

const ListedLinkRecord = titled('ListedLink', {
  shortCode: Type.String(),
  accessUrl: Url,
  type: LinkType,
  status: Type.Enum([...LINK_STATUSES]),
  state: Type.Enum([...SHOWN_STATES]),
  label: nullable(Type.String()),
  note: nullable(Type.String()),
  tags: Type.Array(Type.String()),
  recipient: nullable(Type.String()),
  targetUrl: nullable(Type.String(), { description: `Of a link to a URL; ${OF_OTHERS}` }),
  file: nullable(ShownFile, { description: `Of a link to a file; ${OF_OTHERS}` }),
  request: Type.Optional(nullable(FileRequest, { description: `Only of a file request; ${OF_OTHERS}` })),
  requestCode: optionalText('The short code of the file request with which the file arrived'),
  createdAt: DateTime,
  startsAt: nullable(DateTime),
  expiresAt: nullable(DateTime),
  maxViews: nullable(Type.Integer()),
  viewCount: Count,
  lastOpenedAt: nullable(DateTime),
  passwordProtected: Type.Boolean(),
  confirm: Type.Boolean(),
  fallbackUrl: nullable(Type.String(), { description: `Of a link that has one; ${OF_OTHERS}` }),
  forwardPath: Type.Boolean(),
  forwardQuery: Type.Boolean(),
  owner: OwnerRecord,
  team: nullable(Type.String(), { description: 'The team that the link is shared with' }),
});

const LinkPage = titled('LinkPage', {
  items: Type.Array(ListedLinkRecord),
  next: nullable(Type.String(), { description: 'The `cursor` of the next page; null at the end' }),
});

const ListLinksQuery = Type.Object({
  search: optionalText(
    'Words, each the beginning of one in the label, tags, recipient, target or file name, or of the short code',
  ),
  state: optionalText(`Links in these states, with commas between: ${SHOWN_STATES.join(', ')}`),
  type: Type.Optional(LinkType),
  label: optionalText('Links with exactly this label'),
  tag: optionalText('Links with this tag'),
  owner: optionalText('The name of the person or the key that owns the link'),
  ownerKind: Type.Optional(
    Type.Enum([...OWNER_KINDS], {
      description: 'What owns the link: `ANONYMOUS` if a client without credentials created it',
    }),
  ),
  team: optionalText('The name of the team that the link is shared with'),
  mine: optionalFlag('Only links that the caller owns'),
  ...DateRangeQuery.properties,
  sort: Type.Optional(
    Type.Enum([...LIST_SORTS], {
      default: 'created',
      description:
        '`views` and `opened` rank the 1,000 newest links that match, among up to 20,000 examined, and the first of ' +
        'all. Other links are left out',
    }),
  ),
  order: Type.Optional(
    Type.Enum([...LIST_ORDERS], {
      default: 'desc',
      description:
        '`asc` with `views` or `opened` orders only the links that are ranked: others with fewer views, or opened ' +
        'longer ago, may be missing',
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_LISTED, default: 50 })),
  cursor: optionalText('`next` of the page before'),
});

const SCHEMA = {
  tags: ['Links'],
  summary: 'List and search links',
  description:
    'The newest first. Without the scope `read`, only links of the caller and of the teams of the caller. A search examines a bounded number of links: a page may have fewer items than `limit`, also ' +
    'none, and still a `next`. Without the scope `manage`, the target and file of links of others are ' +
    'null, and not searched.',
  querystring: ListLinksQuery,
  response: { 200: LinkPage, ...errorResponses(400, 401, 403, 500, 503) },
};

/** GET /api/links */
export function listLinksRoute(app: FastifyInstance, deps: HttpDependencies): void {
  const sendPage = prepareSendPage(deps);
  app.get<{ Querystring: Record<string, unknown> }>(
    '/api/links',
    {
      schema: SCHEMA,
      config: { access: { needs: 'read', ofOwnLinks: true, alsoWhenOpen: true, port: 'public' } },
    },
    async (request, reply) => {
      const query = requireValid(parseListQuery(request.query, deps.clock(), deps.shortPath));
      return sendPage(request, reply, { ...query, reader: readerOf(request.caller) });
    },
  );
}

const SUBMISSIONS_SCHEMA = {
  tags: ['Links'],
  summary: 'List what arrived with a file request',
  description:
    'The links of the submitted files to which the client has the right, the newest first. Those to a former short code of ' +
    'the request are listed under that.',
  params: ShortCodeParams,
  querystring: Type.Pick(ListLinksQuery, ['limit', 'cursor']),
  response: { 200: LinkPage, ...errorResponses(400, 401, 403, 404, 429, 500, 503) },
};

/** GET /api/links/{shortCode}/submissions */
export function listSubmissionsRoute(app: FastifyInstance, deps: HttpDependencies): void {
  const sendPage = prepareSendPage(deps);
  const { refuseBlocked, countUnknown } = limitUnknownCodes(deps);
  app.get<{ Params: { shortCode: string }; Querystring: Record<string, unknown> }>(
    '/api/links/:shortCode/submissions',
    {
      schema: SUBMISSIONS_SCHEMA,
      // Senders know the short code: without a key or the token, they would see what others sent.
      config: { access: { needs: 'read', ofLink: true, alsoWhenOpen: true, port: 'public' } },
      onRequest: refuseBlocked,
    },
    async (request, reply) => {
      const { shortCode: requestCode } = request.params;
      if (!(await deps.readLink(requestCode))) return countUnknown(request);
      const { limit, cursor } = request.query;
      const query = requireValid(parseListQuery({ limit, cursor }, deps.clock()));
      const token = request.headers['x-link-token'];
      const tokenHash = typeof token === 'string' && canBeLinkToken(token) ? hashSecret(token) : null;
      const reader = { ...readerOf(request.caller), tokenHash };
      return sendPage(request, reply, { ...query, requestCode, reader });
    },
  );
}

function prepareSendPage({ readList, clock, addresses }: HttpDependencies) {
  return async (request: FastifyRequest, reply: FastifyReply, query: ListQuery): Promise<FastifyReply> => {
    const { items, next } = await readList(requesterOf(request, reply), query);
    const now = clock();
    const shown = items.flatMap((link) => {
      const right = request.rightTo(link); // it may have left the reach of the client while the page was read
      return right.decision === 'ALLOWED' ? [toRecord(link, right, { addresses, now })] : [];
    });
    return reply.header('cache-control', 'no-store').send({ items: shown, next });
  };
}

/** Returns a caller as the reader of the list. */
export function readerOf(caller: Caller): ListReader {
  const { owner, teams } = holderOf(caller);
  return { owner, teams, listsAll: hasScope(caller, 'read'), seesAll: hasScope(caller, 'manage') };
}

function toRecord(
  link: Link,
  { mayManage: isShown }: LinkRight,
  { addresses, now }: { addresses: LinkAddresses; now: EpochMs },
): Static<typeof ListedLinkRecord> {
  const { shortCode, target, labels, confirm, maxViews, viewCount } = link;
  const { forwardPath = false, forwardQuery = false, fallbackUrl = null } = link;
  return {
    ...{ shortCode, accessUrl: addresses.urlOf(link), type: target.type },
    ...{ status: statusAt(link, now), state: shownStateAt(link, now) },
    ...{ ...labels, tags: [...labels.tags] },
    targetUrl: (isShown && target.type === 'REDIRECT' && target.url) || null,
    file: isShown ? toShownFile(target) : null,
    ...(target.type === 'REQUEST' && { request: isShown ? target.request : null }),
    ...(link.requestCode !== undefined && { requestCode: link.requestCode }),
    ...{ createdAt: formatInstant(link.createdAt), startsAt: toInstant(link.startsAt) },
    ...{ expiresAt: toInstant(link.expiresAt), maxViews, viewCount },
    ...{ lastOpenedAt: toInstant(link.lastOpenedAt), passwordProtected: link.passwordHash !== null, confirm },
    ...{ fallbackUrl: isShown ? fallbackUrl : null, forwardPath, forwardQuery },
    owner: parseOwner(link.owner),
    team: link.team,
  };
}
