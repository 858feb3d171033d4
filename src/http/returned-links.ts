import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { eraseChange } from '../core/model/chain.ts';
import type { HistoryItem } from '../core/model/history.ts';
import { formatInstant } from '../core/model/instant.ts';
import { isGuarded, type Link } from '../core/model/link.ts';
import { PLAIN_NAMES, termOf } from '../core/model/terms.ts';
import type { UnsentMail } from '../core/ports/notifications.ts';
import type { Fetches } from '../core/use-cases/history/read-fetches.ts';
import type { HttpDependencies } from './dependencies.ts';
import { ERRORS } from './errors.ts';
import { shortCodeIn } from './guard-requests.ts';
import { LinkDescription, type LinkRecord, toFetchesRecord, toLinkRecord } from './link-record.ts';
import { nullable, titled } from './schemas.ts';

// What responses say of links. Each asks for the right of its client to the link, as that is now.

type Exchange = { request: FastifyRequest; reply: FastifyReply };

/** A link that an endpoint returns. `hasNewSecret`: of its webhooks, if it has some. */
export type ReturnedLink = {
  link: Link;
  hasNewSecret?: boolean;
  unsentMails?: readonly UnsentMail[];
  fetches?: Fetches | undefined;
};

/** Returns how an endpoint sends a link: with its entity tag (RFC 9110, 8.8.3), and the new secret of its webhooks. */
export function sendsLink(deps: HttpDependencies) {
  const describe = prepareDescribe(deps);
  return {
    sends: LinkDescription,
    async show(returned: ReturnedLink, { request, reply }: Exchange) {
      const { link, hasNewSecret = false, unsentMails = [], fetches } = returned;
      const right = request.rightTo(link);
      const { mayManage } = right;
      const record = { ...describe(link, request), ...toFetchesRecord(fetches, right) };
      const [described = record] = await nameOwners(deps, [record]);
      const showsSecret = hasNewSecret && link.terms.notifyUrl && mayManage;
      const secret = showsSecret ? deps.useCases.linkSecret(link.shortCode) : undefined;
      if (secret !== undefined) reply.header('x-link-webhook-secret', secret);
      reply.header('etag', `"${link.version}"`);
      if (unsentMails.length === 0 || !mayManage) return described;
      const mails = unsentMails.map((mail) => ({ ...mail, requestedAt: formatInstant(mail.requestedAt) }));
      return { ...described, unsentMails: mails };
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
export function prepareDescribe({
  addresses,
  clock,
  config,
}: Pick<HttpDependencies, 'addresses' | 'clock' | 'config'>) {
  const { isRequired: isScanRequired } = config.uploads.scan;
  return (link: Link, client: FastifyRequest): LinkRecord => {
    const right = client.rightTo(link);
    if (right.decision !== 'ALLOWED' && link.shortCode !== shortCodeIn(client)) throw ERRORS.linkIsRevoked();
    return toLinkRecord(link, right, { addresses, now: clock(), isScanRequired });
  };
}

const LinkPage = titled('LinkPage', {
  items: Type.Array(LinkDescription),
  next: nullable(Type.String(), { description: 'The `cursor` of the next page; null at the end' }),
});

/** A page of links that an endpoint returns. `fetches`: by short codes. */
type ReturnedPage = {
  items: readonly Link[];
  next: string | null;
  fetches: ReadonlyMap<string, Fetches>;
};

/** Returns how an endpoint sends a list of links: those to which its client has the right. */
export function sendsLinks(deps: HttpDependencies) {
  const { addresses, clock, config } = deps;
  const { isRequired: isScanRequired } = config.uploads.scan;
  return {
    sends: LinkPage,
    async show({ items, next, fetches }: ReturnedPage, { request }: Exchange) {
      const shown = items.flatMap((link) => {
        const right = request.rightTo(link); // it may have left the reach of the client while the page was read
        if (right.decision !== 'ALLOWED') return [];
        const record = {
          ...toLinkRecord(link, right, { addresses, now: clock(), isScanRequired }),
          ...toFetchesRecord(fetches.get(link.shortCode), right),
        };
        if (right.mayManage) return [record];
        return [{ ...record, file: null, ...(record.request && { request: null }) }];
      });
      return { items: await nameOwners(deps, shown), next };
    },
  };
}

/** Adds the display names of the people who own links or files. */
export async function nameOwners<Shown extends Pick<LinkRecord, 'owner'>>(
  { stores: { people } }: HttpDependencies,
  records: Shown[],
): Promise<Shown[]> {
  const nameOf = ({ owner }: Shown) => (owner?.kind === 'USER' ? owner.name : null);
  const owners = await people.listDisplayNames([...new Set(records.flatMap((each) => nameOf(each) ?? []))]);
  const names = new Map(owners.map(({ name, displayName }) => [name, displayName]));
  return records.map((record) => {
    const displayName = names.get(nameOf(record) ?? '');
    return displayName === undefined ? record : { ...record, owner: { ...record.owner, displayName } };
  });
}

/** What visitors of a protected link see only with its password: of its file, of what it asks for, and of its terms. */
const PROTECTED_DETAILS = [
  ...['fileName', 'requestMessage'],
  ...PLAIN_NAMES.filter((name) => termOf(name).isForVisitors),
];

/**
 * Prepares hiding the personal fields of entries that name what a client may not see: the link that continues another one,
 * and what a protected link has. They are as those of an erased entry, and so prove the history as before.
 */
export function prepareHide({ rightTo, mayManage }: FastifyRequest, { stores }: HttpDependencies) {
  const readLink = stores.read;
  async function mayRead(item: HistoryItem, find: typeof readLink): Promise<boolean> {
    if (item.kind === 'ATTEMPT') return true;
    const { details } = item;
    const { newShortCode: next } = details;
    if (typeof next === 'string') {
      const link = await find(next);
      return link !== undefined && rightTo(link).decision === 'ALLOWED';
    }
    if (mayManage || !PROTECTED_DETAILS.some((name) => name in details)) return true;
    const link = await find(item.shortCode);
    return !link || !isGuarded(link) || rightTo(link).mayManage;
  }
  return (items: readonly HistoryItem[]): Promise<HistoryItem[]> => {
    const links = new Map<string, ReturnType<typeof readLink>>(); // entries of one page often name the same link
    const find = (shortCode: string) => links.getOrInsertComputed(shortCode, readLink);
    const hide = async (item: HistoryItem) =>
      item.kind === 'ATTEMPT' || (await mayRead(item, find)) ? item : { ...item, ...eraseChange(item) };
    return Promise.all(items.map(hide));
  };
}
