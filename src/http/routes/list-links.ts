import { Type } from 'typebox';
import { SHOWN_STATES } from '../../core/model/link.ts';
import {
  LIST_ORDERS,
  LIST_SORTS,
  type ListQuery,
  type ListReader,
  MAX_LISTED,
} from '../../core/model/listed-links.ts';
import { OWNER_KINDS } from '../../core/model/owner.ts';
import { accept } from '../../core/model/parsed.ts';
import type { Caller } from '../../core/model/people/caller.ts';
import { hasScope, holderOf } from '../../core/model/people/decide-access.ts';
import { hashSecret } from '../../core/model/people/hash-secret.ts';
import { canBeLinkToken } from '../../core/model/people/link-token.ts';
import type { Requester } from '../../core/ports/ports.ts';
import { parseListQuery } from '../../core/rules/list-query.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { limitUnknownCodes, requesterOf } from '../limit-requests.ts';
import { sendsLinks } from '../returned-links.ts';
import { DateRangeQuery, LinkType, optionalFlag, optionalText } from '../schemas.ts';

const ListLinksQuery = Type.Object({
  search: optionalText(
    'Words, each the beginning of one in the label, tags, recipient, target, file name or message of a file request, or of the short code',
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
  withoutReceived: optionalFlag('Only links whose files did not arrive with a file request'),
  ...DateRangeQuery.properties,
  sort: Type.Optional(
    Type.Enum([...LIST_SORTS], {
      default: 'created',
      description:
        '`views` and `opened` rank the 1,000 newest links that match, among up to 20,000 examined, and leading ones of ' +
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

/** Without a key or the token, senders to a file request would see what others sent: they know its short code. */
const LIST = { tag: 'Links', needs: 'read', alsoWhenOpen: true, port: 'public' } as const;

/** The endpoints that list links. */
export function listLinksEndpoints(deps: HttpDependencies): Endpoint[] {
  const { findLink } = limitUnknownCodes(deps);
  return [
    endpoint('GET /api/links', 'List and search links', {
      ...{ ...LIST, ofOwnLinks: true },
      description:
        'The newest first. Without the scope `read`, only links of the caller and of the teams of the caller. A search examines a bounded number of links: a page may have fewer items than `limit`, also ' +
        'none, and still a `next`. Without the scope `manage`, the targets and files of links of others are neither shown nor ' +
        'searched.',
      query: {
        schema: ListLinksQuery,
        read: (sent, now) => parseListQuery(sent, now, deps.config.shortPath),
      },
      ...sendsLinks(deps),
      run: async ({ query, request, reply }) =>
        accept(
          await readPage(requesterOf(request, reply), { ...query, reader: readerOf(request.caller) }, deps),
        ),
    }),
    endpoint('GET /api/links/:shortCode/submissions', 'List what arrived with a file request', {
      ...{ ...LIST, ofLink: true },
      description:
        'The links of the submitted files to which the client has the right, the newest first. Those to a former short code of ' +
        'the request are listed under that.',
      query: {
        schema: Type.Pick(ListLinksQuery, ['limit', 'cursor']),
        read: ({ limit, cursor }, now) => parseListQuery({ limit, cursor }, now),
      },
      ...sendsLinks(deps),
      async run({ path: { shortCode: requestCode }, query, request, reply }) {
        await findLink(requestCode, request);
        const token = request.headers['x-link-token'];
        const tokenHash = typeof token === 'string' && canBeLinkToken(token) ? hashSecret(token) : null;
        const reader = { ...readerOf(request.caller), tokenHash };
        return accept(await readPage(requesterOf(request, reply), { ...query, requestCode, reader }, deps));
      },
    }),
  ];
}

async function readPage(requester: Requester, query: ListQuery, { useCases }: HttpDependencies) {
  const page = await useCases.readList(requester, query);
  return { ...page, fetches: await useCases.readFetches(requester, page.items) };
}

/** Returns a caller as the reader of the list. */
export function readerOf(caller: Caller): ListReader {
  const { owner, teams } = holderOf(caller);
  return { owner, teams, listsAll: hasScope(caller, 'read'), seesAll: hasScope(caller, 'manage') };
}
