import { Type } from 'typebox';
import { LINK_STATUSES, SHOWN_STATES } from '../links/link.ts';
import { CREATOR_KINDS, LIST_ORDERS, LIST_SORTS, MAX_LISTED } from '../links/link-list.ts';
import { DateRangeQuery, nullable, optionalText, ShownFile } from './schemas.ts';

// The records of the list of links: types of the route, and OpenAPI.

const DateTime = Type.String({ format: 'date-time' });
const MADE_BY_OTHERS = 'null for a link of another creator without the scope `manage`';

export const ListedLink = Type.Object(
  {
    shortCode: Type.String(),
    accessUrl: Type.String({ format: 'uri' }),
    type: Type.Enum(['REDIRECT', 'DOWNLOAD']),
    status: Type.Enum([...LINK_STATUSES]),
    state: Type.Enum([...SHOWN_STATES]),
    label: nullable(Type.String()),
    note: nullable(Type.String()),
    tags: Type.Array(Type.String()),
    recipient: nullable(Type.String()),
    targetUrl: nullable(Type.String(), { description: `Of a link to a URL; ${MADE_BY_OTHERS}` }),
    file: nullable(ShownFile, { description: `Of a link to a file; ${MADE_BY_OTHERS}` }),
    createdAt: DateTime,
    startsAt: nullable(DateTime),
    expiresAt: nullable(DateTime),
    maxViews: nullable(Type.Integer()),
    viewCount: Type.Integer({ minimum: 0 }),
    lastOpenedAt: nullable(DateTime),
    passwordProtected: Type.Boolean(),
    confirm: Type.Boolean(),
    creator: Type.Object({
      kind: Type.Enum(['KEY', 'USER', 'LINK_TOKEN', 'ANONYMOUS', 'COMMAND']),
      name: nullable(Type.String(), { description: 'Of the key or the user' }),
    }),
  },
  { title: 'ListedLink' },
);

export const LinkPage = Type.Object(
  {
    items: Type.Array(ListedLink),
    next: nullable(Type.String(), { description: 'The `cursor` of the next page; null at the end' }),
  },
  { title: 'LinkPage' },
);

export const ListLinksQuery = Type.Object({
  search: optionalText(
    'Words, each the beginning of one in the label, tags, recipient, target or file name, or of the short code',
  ),
  state: optionalText(`Links in these states, with commas between: ${SHOWN_STATES.join(', ')}`),
  type: Type.Optional(Type.Enum(['REDIRECT', 'DOWNLOAD'])),
  label: optionalText('Links with exactly this label'),
  tag: optionalText('Links with this tag'),
  creator: optionalText('The name of the key or the user that created the link'),
  creatorKind: Type.Optional(
    Type.Enum([...CREATOR_KINDS], {
      description: 'What created the link: `ANONYMOUS` is a client without credentials',
    }),
  ),
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
