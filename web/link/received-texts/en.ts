import type { Messages, Translated } from '../../../src/common/translate.ts';

/** The texts that only the page of received files has. The other languages have the same keys, or the compiler stops. */
export const en = {
  typedName: 'The sender typed this name. It was not verified.',
  request: 'Sent for your file request:',
  note: 'Note from the sender',
  access: 'Who can open these files',
  anyone:
    'People who may see this page, and people to whom a record or a saved history of it was given, have this address; the sender does not have it. Anyone who gets it can open the files.',
  anyoneWithPassword:
    'People who may see this page, and people to whom a record or a saved history of it was given, have this address; the sender does not have it. Anyone who gets it and the password can open the files.',
  anyoneEncrypted:
    'People who may see this page, and people to whom a record or a saved history of it was given, have this address; the sender does not have it. Anyone who gets it can download the encrypted files, but only your secret key opens them.',
  neverExpires: 'No expiry is set.',
  expires: 'It expires on {time}.',
  ending:
    'Once it has expired or been revoked, the files can no longer be downloaded here either: download them first.',
  setExpiry: 'Set expiry',
  changeExpiry: 'Change expiry',
  downloadRecorded:
    'Your own downloads count too. The history does not show who downloaded: without a password, the address of a submission is enough to download it.',
} as const satisfies Messages;

export type ReceivedTexts = Translated<typeof en>;
