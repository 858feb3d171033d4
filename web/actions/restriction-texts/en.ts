import type { Messages } from '../../../src/common/translate.ts';

/** The texts of links that only some people can open, and of mails, where a link is created and mailed. The other languages have the same keys, or the compiler stops. */
export const en = {
  note: 'Only a note: it does not limit who can open the link.',
  restrict: 'Only these people may open it',
  tooFewViews: 'There are more recipients than views: not all of them can open it.',
  onlyFor: 'Only {addresses} can open it, with a code that is mailed to them when they open the link.',
  notSent: 'Now send them the link.',
  noPassword: 'The email does not contain the password. Send it separately.',
  mailedCode: 'The link opens only with a code, which is mailed when it is opened.',
  several: 'Separate several addresses with commas. Each gets an email of its own.',
  cannotOpen: 'The link opens only for {named}, not for {others}.',
} as const satisfies Messages;
