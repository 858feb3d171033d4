import { FILE, INBOX, LINK } from '../../src/common/icons.ts';
import type { MessageKey } from '../i18n/translate.ts';
import type { LinkType } from '../service/contract.ts';

/** The icons of links. */
export const TYPE_ICONS = { REDIRECT: LINK, DOWNLOAD: FILE, REQUEST: INBOX } satisfies Record<
  LinkType,
  string
>;

/** The titles of links without another one. */
export const TYPE_TITLES = {
  REDIRECT: 'link.url',
  DOWNLOAD: 'link.file',
  REQUEST: 'link.request',
} as const satisfies Record<LinkType, MessageKey>;
