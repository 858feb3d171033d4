import { type Static, Type } from 'typebox';
import { formatInstant, toInstant } from '../core/model/instant.ts';
import { type EpochMs, LINK_STATUSES, type Link, SHOWN_STATES } from '../core/model/link.ts';
import { parseOwner } from '../core/model/owner.ts';
import type { LinkTerms } from '../core/model/terms.ts';
import { MAX_EXAMINED_ENTRIES } from '../core/ports/link-list.ts';
import {
  type LinkDescription as DescribedLink,
  type SharedRight,
  toDescription,
} from '../core/use-cases/change/describe-link.ts';
import type { Fetches } from '../core/use-cases/history/read-fetches.ts';
import { FileRequest } from './file-request-schemas.ts';
import { ShownFile } from './file-schemas.ts';
import { toHeadRecord } from './history-items.ts';
import type { LinkAddresses } from './path.ts';
import {
  Count,
  DateTime,
  LinkType,
  nullable,
  OwnerRecord,
  optionalText,
  ShortCode,
  titled,
  Url,
} from './schemas.ts';
import { SHOWN_TERMS } from './term-schemas.ts';

const KnownFetches = titled('KnownFetches', {
  count: Count,
  program: Type.String({ description: 'The name of the last bot' }),
  openedAt: nullable(DateTime, {
    description: 'When something else opened the link last, among the same entries',
  }),
});

const UnsentMail = titled('UnsentMail', {
  address: Type.String({ format: 'email' }),
  requestedAt: DateTime,
  isGivenUp: Type.Boolean({ description: 'false: the service tries again by itself' }),
});

/** The record of a link, in every response that describes one. */
export const LinkDescription = titled('LinkDescription', {
  shortCode: ShortCode,
  accessUrl: Url,
  type: LinkType,
  status: Type.Enum([...LINK_STATUSES], {
    description: 'Current status; EXPIRED as soon as the time or the views are used up',
  }),
  state: Type.Enum([...SHOWN_STATES], {
    description: 'The status in detail. SCHEDULED: opens at startsAt. USED_UP: has no views left',
  }),
  viewCount: Count,
  passwordProtected: Type.Boolean(),
  createdAt: DateTime,
  file: nullable(ShownFile, {
    description: 'Null for a link without a file, and where the client may not know it',
  }),
  request: Type.Optional(
    nullable(FileRequest, {
      description: 'Only of a file request; null where the client may not know it',
    }),
  ),
  requestCode: optionalText(
    'The short code of the file request with which the file arrived, only for those who may read the history',
  ),
  entryCount: Type.Optional({
    ...Count,
    description: 'The number of entries of the history, only for those who may read it',
  }),
  fingerprint: optionalText('The fingerprint of the history, only for those who may read it'),
  targetUrl: Type.Optional(
    nullable(Url, {
      description: 'Only for those who may change the link; null unless the link leads to a URL',
    }),
  ),
  lastOpenedAt: Type.Optional(nullable(DateTime, { description: 'Only for those who may read the history' })),
  fetches: Type.Optional({
    ...KnownFetches,
    description:
      `Views by known bots, such as those of chats and scanners, among the ${MAX_EXAMINED_ENTRIES} newest entries. Only of a ` +
      'list and of one link that is read, where there are some, and only for those who may read the history',
  }),
  owner: Type.Optional(OwnerRecord),
  unsentMails: Type.Optional(
    Type.Array(UnsentMail, {
      description:
        'The mails with the link whose last try failed, of the last days; only of one link, and only for those who may change it',
    }),
  ),
  ...SHOWN_TERMS,
});

/** With the values of the terms that the client may see. */
export type LinkRecord = Static<typeof LinkDescription> &
  Partial<LinkTerms> &
  Pick<DescribedLink, 'maxViews' | 'team'> &
  Record<'startsAt' | 'expiresAt', string | null>;

/** Returns the fetches of a link as responses have them; nothing without the right to its history. */
export function toFetchesRecord(
  fetches: Fetches | undefined,
  { mayRead }: SharedRight,
): Pick<LinkRecord, 'fetches'> {
  if (!fetches || !mayRead) return {};
  return { fetches: { ...fetches, openedAt: toInstant(fetches.openedAt) } };
}

/** Returns what a client with a right may know of a link. See `formatInstant`. */
export function toLinkRecord(
  link: Link,
  right: SharedRight,
  { addresses, ...given }: { addresses: LinkAddresses; now: EpochMs; isScanRequired: boolean },
): LinkRecord {
  const { terms, history, lastOpenedAt, owner, ...shown } = toDescription(link, right, given);
  return {
    ...{ shortCode: link.shortCode, accessUrl: addresses.urlOf(link) },
    ...shown,
    ...terms,
    ...(history && toHeadRecord(history)),
    ...(lastOpenedAt !== undefined && { lastOpenedAt: toInstant(lastOpenedAt) }),
    ...(owner !== undefined && { owner: parseOwner(owner) }),
    startsAt: toInstant(shown.startsAt),
    expiresAt: toInstant(shown.expiresAt),
    createdAt: formatInstant(shown.createdAt),
  };
}
