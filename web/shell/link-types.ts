import { FILE, INBOX, LINK } from '../../src/common/icons.ts';
import type { MessageKey } from '../i18n/translate.ts';
import type { LinkType } from '../service/contract.ts';

/** The icons of links. */
export const TYPE_ICONS = { REDIRECT: LINK, DOWNLOAD: FILE, REQUEST: INBOX } satisfies Record<
  LinkType,
  string
>;

/** What a link is called that has no other title. */
export const TYPE_TITLES = {
  REDIRECT: 'link.url',
  DOWNLOAD: 'link.file',
  REQUEST: 'link.request',
} as const satisfies Record<LinkType, MessageKey>;
