import type { Messages, Translated } from '../../../../src/common/translate.ts';

/** The questions of the help with their answers. The other languages have the same keys, or the compiler stops. */
export const en = {
  'send.question': 'How do I send a file with a password?',
  'send.answer':
    'Choose “{create}”, then “{files}”. Add the file, enter a password or let the page generate one, and create the link. “{message}” copies a text for your email. Send the password by another way, such as by phone. “{copyPassword}” is there only until you leave the page.',
  'only.question': 'How do I make sure that only certain people can open a link?',
  'only.answer':
    'When you create the link, enter their email addresses under “{who}”. To open it, each requests a code, which the service mails to that address. The history and the record then name the address. If you do not see “{who}”, this service does not send such codes.',
  'seen.question': 'How do I know whether it was opened?',
  'seen.answer':
    '“{create}” shows your latest links and whether each was opened; “{links}” shows all. The page of a link also says whether the file was sent completely. Each opening counts as a view, your own too.',
  'previews.question': 'Why does the history show previews?',
  'previews.answer':
    'A preview is a program that only looked at the link, which is no view. But many chats and mail scanners fetch a link before a person opens it, and that counts as a view. Turn on “{confirm}” or set a password, and they use up no view.',
  'stop.question': 'Can I take a link back?',
  'stop.answer':
    'Yes. On its page, choose “{revoke}”, and it never opens again. Or choose “{pause}” under “{more}”, and “{resume}” later.',
  'password.question': 'I forgot the password of a link. What now?',
  'password.answer':
    'The service keeps no readable copy. On the page of the link, choose “{edit}” and set a new password.',
  'receive.question': 'How do I ask someone for files?',
  'receive.answer':
    'Choose “{create}”, then “{request}”, say what you need, create the link and send it. Anyone with it can send you files without an account, and cannot see what others sent. The files are on the page of that link under “{received}”.',
  'prove.question': 'How do I prove later that a link was opened?',
  'prove.answer':
    'On its page, open “{record}”, print it or save it as PDF, and also choose “{export}”. Keep both, or give both to someone else. With them, anyone can check under “{verify}”, without an account, that nothing was changed.',
  'invite.question': 'How do I invite a colleague?',
  'invite.answer':
    'If you see “{people}” at the top, choose it, then “{add}”. You get a link to send to your colleague, who sets a password with it. Otherwise ask the administrator.',
  'lists.question': 'Where are the links that I created?',
  'lists.answer':
    'Under “{links}”. Those that you created while signed in are there on every device, others only in the browser that created them.',
  'secret.question': 'Can the administrator read what I send?',
  'secret.answer':
    'Yes, unless you turn on “{encrypt}”. Then only people with the whole address, or with the passphrase, can read it.',
  'further.question': 'Who can help me further?',
  'further.answer': 'The administrator of this service.',
} as const satisfies Messages;

export type HelpMessages = Translated<typeof en>;
