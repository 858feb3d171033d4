import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { eraseChange } from '../core/model/chain.ts';
import type { HistoryItem } from '../core/model/history.ts';
import { formatInstant, toInstant } from '../core/model/instant.ts';
import { type EpochMs, LINK_STATUSES, type Link, SHOWN_STATES, shownStateAt } from '../core/model/link.ts';
import { parseOwner } from '../core/model/owner.ts';
import { statusAt, toDescription, toShownFile } from '../core/use-cases/change/describe-link.ts';
import type { HttpDependencies } from './dependencies.ts';
import { ERRORS } from './errors.ts';
import { FileRequest } from './file-request-schemas.ts';
import { ShownFile } from './file-schemas.ts';
import { shortCodeIn } from './guard-requests.ts';
import { toHeadRecord } from './history-items.ts';
import type { LinkAddresses } from './path.ts';
import type { LinkRight } from './route-access.ts';
import {
  Count,
  DateTime,
  LinkDescription,
  LinkType,
  nullable,
  OwnerRecord,
  optionalText,
  titled,
  Url,
} from './schemas.ts';

// What responses say of links. Each asks for the right of its client to the link, as that is now.

type Exchange = { request: FastifyRequest; reply: FastifyReply };

/** A link that an endpoint returns. `hasNewSecret`: of its webhooks, if it has some. */
export type ReturnedLink = { link: Link; hasNewSecret?: boolean };

/** Returns how an endpoint sends a link: with its entity tag (RFC 9110, 8.8.3), and the new secret of its webhooks. */
export function sendsLink(deps: HttpDependencies) {
  const describe = prepareDescribe(deps);
  return {
    sends: LinkDescription,
    show({ link, hasNewSecret = false }: ReturnedLink, { request, reply }: Exchange) {
      const described = describe(link, request);
      const showsSecret = hasNewSecret && link.notify?.url && request.rightTo(link).mayManage;
      const secret = showsSecret ? deps.linkSecret(link.shortCode) : undefined;
      if (secret !== undefined) reply.header('x-link-webhook-secret', secret);
      reply.header('etag', `"${link.version}"`);
      return described;
    },
  };
}

/**
 * Prepares describing a link: only those who may read its history and change it get all of it. Of another link than that
 * of its path, a request needs the right, too: a former short code says nothing of its successor to who lost that. What
 * remains of one that a client has just given away is what all may know.
 *
 * @throws RequestError without the right to another link
 */
export function prepareDescribe({ addresses, clock }: Pick<HttpDependencies, 'addresses' | 'clock'>) {
  return (link: Link, client: FastifyRequest): Static<typeof LinkDescription> => {
    const { decision, mayRead, mayManage } = client.rightTo(link);
    if (decision !== 'ALLOWED' && link.shortCode !== shortCodeIn(client)) throw ERRORS.linkIsRevoked();
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
  };
}

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

/** Returns how an endpoint sends a list of links: those to which its client has the right. */
export function sendsLinks({ addresses, clock }: HttpDependencies) {
  return {
    sends: LinkPage,
    show({ items, next }: { items: readonly Link[]; next: string | null }, { request }: Exchange) {
      const shown = items.flatMap((link) => {
        const right = request.rightTo(link); // it may have left the reach of the client while the page was read
        return right.decision === 'ALLOWED' ? [toListed(link, right, { addresses, now: clock() })] : [];
      });
      return { items: shown, next };
    },
  };
}

function toListed(
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

/**
 * Prepares hiding the personal fields of entries that name what a client may not see: the link that continues another one,
 * and what a protected link has. They are as those of an erased entry, and so prove the history as before.
 */
export function prepareHide({ rightTo, mayManage }: FastifyRequest, { readLink }: HttpDependencies) {
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
