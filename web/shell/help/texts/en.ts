import type { Messages, Translated } from '../../../../src/common/translate.ts';

/** The questions of the help with their answers. The other languages have the same keys, or the compiler stops. */
export const en = {
  'send.question': 'How do I send a file to one person?',
  'send.answer':
    'Choose “{create}”, add the file and copy the link. For something confidential, set a password and allow one view. Send the password by another way, such as by phone.',
  'seen.question': 'How do I know whether it was opened?',
  'seen.answer':
    'Open the link from “{links}”. The first sentence says how often and when it was opened, and whether the file was sent completely.',
  'previews.question': 'Why does the history show previews?',
  'previews.answer':
    'Mail scanners and chats look at an address before a person does. That does not count as a view. If a link may be opened only once, turn on “{confirm}”.',
  'stop.question': 'Can I take a link back?',
  'stop.answer': 'Yes. On its page, revoke it, and it never opens again; or pause it and resume it later.',
  'password.question': 'I forgot the password of a link. What now?',
  'password.answer': 'The service keeps no readable copy. Edit the link and set a new password.',
  'receive.question': 'How do I ask someone for files?',
  'receive.answer':
    'Choose “{create}”, then “{request}”. People with that link can send you files. They cannot see what others sent.',
  'prove.question': 'How do I prove later that a link was opened?',
  'prove.answer':
    'On its page, choose “{record}” and give it to someone else, or keep it safe. Also choose “{export}”. With both, anyone can check under “{verify}” that nothing was changed.',
  'lists.question': 'Where are the links that I created?',
  'lists.answer':
    'Those that you created while signed in are under “{links}” on every device. Others are only in the browser that created them.',
  'secret.question': 'Can the administrator read what I send?',
  'secret.answer': 'Yes, unless you encrypt it. Then only people with the whole address can read it.',
  'further.question': 'Who can help me further?',
  'further.answer': 'The administrator of this service.',
} as const satisfies Messages;

export type HelpMessages = Translated<typeof en>;
