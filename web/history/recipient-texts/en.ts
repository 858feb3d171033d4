import type { Messages } from '../../../src/common/translate.ts';

/** The texts of the recipients on the page of a link. The other languages have the same keys, or the compiler stops. */
export const en = {
  title: 'Recipients',
  sent: 'Link mailed',
  asked: 'Code requested',
  opened: 'Opened',
  none: 'Nothing yet',
  noneLoaded: 'Nothing in the entries loaded below',
  removed: 'Removed',
  more: '+ {count} more, in the saved history',
  partial: 'Of the entries that are loaded below.',
  what: 'Anyone can request a code for an address. Only “Opened” says that a person who controlled the email address opened the link, and nothing more.',
} as const satisfies Messages;
