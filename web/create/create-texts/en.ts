import type { Messages } from '../../../src/common/translate.ts';

/** The texts that the page of a new link shows only for some links. The other languages have the same keys, or the compiler stops. */
export const en = {
  'unfinished.title': 'Unfinished upload',
  'unfinished.offer': 'The upload of “{name}” stopped at {percent}.',
  'unfinished.choose': {
    one: 'Choose the same file again to continue.',
    other: 'Choose the same {count} files again to continue.',
  },
  'unfinished.other': 'The chosen files are not the same.',
  'unfinished.continues': 'The upload of “{name}” continues at {percent}.',
  'unfinished.discard': 'Discard upload',
  'request.example': 'For example: the signed contract as PDF',
  'request.limits': 'Limits per submission',
  'request.unitFiles': 'files',
  'request.unitMegabytes': 'MB',
  'request.encryptTo': 'Encrypt to your public key',
  'request.encryptToHint':
    'Then only you can decrypt the files: the sender’s browser encrypts them to this key, and this service cannot read them.',
  'request.keyHow': 'How to get a key and decrypt files',
  'request.keyMake':
    'This command of the program age (age-encryption.org) creates a key. Paste the public key that it prints into the field above, and keep the file key.txt safe: without it, the files are lost.',
  'request.keyOpen': 'Each of these commands decrypts what arrived. LINK stands for its address.',
  'request.keyInvalid': 'Enter a public key of age, which begins with age1.',
  'request.keySecret': 'This is your secret key. Do not share it; paste the public key instead.',
  'text.label': 'Your text',
  'text.oneLine': 'Hide while typing',
  'text.oneLineHint': 'For a password or another secret of one line.',
  'encrypt.hint':
    'This service cannot read what you send, not even the names of files. Add a label to find the link again.',
  'encrypt.needsHttps': 'Needs a connection over HTTPS.',
  'passphrase.hint':
    'Send it to the recipient separately. If you leave it empty, the key is part of the link.',
  'otherApps.bookmark': 'Link with {name}',
  'otherApps.drag':
    'Drag this button to the bookmarks bar. On any page, the bookmark opens this form with the address and title of that page.',
  'otherApps.install':
    'On Android, install this page as an app. It then appears among the apps that you can share to.',
  atOnce: 'Chats and mail scanners that open this link get the file, and each counts as a view.',
  noAddress: 'Your account has no email address.',
  addAddress: 'Add it under People',
  askAddress: 'An administrator can add it.',
} as const satisfies Messages;
