import type { Messages, Translate, Translated } from '../../../src/common/translate.ts';

/** Every text of the page that checks a history. The other languages have the same keys, or the compiler stops. */
export const en = {
  intro:
    'See whether a link was opened, and whether its saved history was changed later. Your browser does the work: no file leaves this device, and the page works without a connection.',
  export: 'Saved history',
  exportHint:
    'A file that ends in .ndjson. The owner of the link saves it from its record. You can also drop it on this page.',
  choose: 'Choose the saved history.',
  chooseFile: 'Choose file',
  compare: 'Compare a fingerprint, a file or a checkpoint (optional)',
  fingerprint: 'Fingerprint',
  fingerprintHint:
    '64 digits and letters, from the record of the link, an email or a webhook. With it, a rewrite of the whole history is found, too.',
  fingerprintWrong:
    'A fingerprint has 64 characters: the digits 0 to 9 and the letters a to f. Copy all of them.',
  file: 'File to compare',
  fileHint: 'If the link leads to a file: is yours the one that was uploaded?',
  start: 'Verify',
  running: 'Checking…',
  unreadable: 'A file could not be read. Choose it again.',
  passed: 'The history is complete and unchanged',
  passedUpTo: 'Unchanged up to entry {number}',
  consistent: 'Complete, and no change found',
  unconfirmed: 'Complete, and no change found; what you entered does not confirm it',
  failed: 'The check failed: do not rely on this history',
  otherFingerprint: 'This history does not have your fingerprint',
  savedAt: 'According to this file, it was saved on {at}. What happened later is not in it.',
  notExported: 'This is not a saved history',
  unchecked: 'The history cannot be checked',
  timeline: 'What happened',
  entries: 'All entries, oldest first',
  savedName: '{sender}; in the saved history: {saved}',
  checked: 'What was checked',
  fileTitle: 'The file',
  noCompared: 'No file was compared. Choose yours to check whether it was uploaded:',
  setOfFiles:
    'The link leads to several files, but this saved history does not list them, so none can be compared.',
  fileDiffers: 'The history is unchanged, but the file is a different one',
  notProved: 'What this does not prove',
  notWho: 'Who opened the link: several people can share an IP address or a mailbox.',
  notRead: 'That a visitor received or read it: “sent completely” means that the service sent every byte.',
  notSender:
    'Who sent the files: several people can share an IP address, and senders type their names themselves.',
  notWhich: 'Which files arrived: the history of each submission shows that, and is checked in the same way.',
  notDownloader: 'Who downloaded the files, and whether anyone read them.',
  notClock: 'That the clock of the service was right.',
  notLater: 'What you entered does not cover the later entries, which could have been rewritten.',
  more: { one: 'and {count} more finding', other: 'and {count} more findings' },
  notAnExport:
    'Choose the file that ends in .ndjson. The owner of the link saves it from its record: ask for it.',
  lineChanged: 'Line {line} of the file was changed after it was saved.',
  entry: 'It belongs to entry {number}.',
  lineTooLong: 'Line {line} is too long to be checked here.',
  cutOff: 'The file stops in the middle of line {line}. Save the history again.',
  otherLink: 'Line {line} belongs to the link {code}, not to {expected}.',
  newerFormat:
    'Line {line} has a newer format than this page knows. Use the page of a newer version of the service.',
  missing: 'Entry {number} is missing.',
  missingRange: 'Entries {first} to {last} are missing.',
  repeated: 'Entry {number} occurs twice: one of the two was added or renumbered.',
  appended: 'Entry {number} was added to the file after it was saved.',
  appendedRange: 'Entries {first} to {last} were added to the file after it was saved.',
  filtered: 'It was exported with a filter. Export it without one.',
  otherContent: {
    one: 'Entry {count} does not match the fingerprint in the file: it was changed.',
    other: 'Entries 1 to {count} do not match the fingerprint in the file: at least one was changed.',
  },
  unknownFingerprint:
    'No entry has your fingerprint. If it is newer than this file, ask for a history that was saved later. Otherwise the history was rewritten since you got the fingerprint, or belongs to another link.',
  otherFile: {
    one: '“{path}” is not the file of the link: its SHA-256 differs.',
    other: '“{path}” is none of the {count} files of the link: no SHA-256 is the same.',
  },
  noFile: '“{path}” cannot be compared: the history does not name a file.',
  complete: {
    one: 'Link {code}: {count} entry is there and unchanged. It is from {at}.',
    other: 'Link {code}: all {count} entries are there and unchanged. The newest is from {at}.',
  },
  isFingerprint: 'The fingerprint of entry {number} is {fingerprint}.',
  erased: {
    one: '{count} entry has no personal data: it was erased, or is hidden from the person who saved the history. Another file that has it still proves it.',
    other:
      '{count} entries have no personal data: it was erased, or is hidden from the person who saved the history. Another file that has it still proves it.',
  },
  notCompared:
    'That the whole history was not made anew before you got this file. To rule this out, enter a fingerprint above that you got earlier: it is on the record of the link, in emails and in webhooks.',
  known:
    'Your fingerprint is that of entry {number}, from {at}: up to there, nothing has changed since you got it.',
  severalFiles:
    '“{path}” was not compared: the link had several files that this saved history does not list.',
  formerFile: '“{path}” was the file of the link until entry {number}, which replaced it.',
  sameFile: '“{path}” is the file of the link: its SHA-256 is the same.',
  oneOfFiles: '“{path}” is “{name}”, one of the files of the link: its SHA-256 is the same.',
  zip: '“{path}” was not compared: only single files can be. Unpack the ZIP, and compare each file.',
  files: 'The names, sizes and SHA-256 of the {count} files are in the list whose SHA-256 the history has.',
  otherList: 'The list of files in line 1 was changed after the history was saved.',
  kept: 'Checkpoints and keys that you kept',
  keptHint:
    'Paste them one after another: the checkpoint of a record or of /checkpoint, the key of the log, the key of a witness.',
  checkpointWrong: 'The checkpoint in the file is not valid for this history: one of the two was changed.',
  noCheckpoint: 'The file has no checkpoint to compare with what you kept. Save the history again.',
  keptUnreadable:
    'A part of this cannot be read. Copy it again, from its first line to its last. This says nothing about the history.',
  keptWrong: 'A part of what you kept has a wrong signature. Copy it again, from its first line to its last.',
  keptTooLong: 'What you kept has more than {count} characters. Leave out what does not belong to this log.',
  otherKey: 'The history is signed with another key than the one that you kept: it may be of another log.',
  notCosigned:
    'The witness {witness} has not signed this checkpoint. If the service could not reach it at that time, save the history again later.',
  notConnected:
    'Your checkpoint of {size} entries was not compared. Open {path} on the service of the link in a browser, and paste the text that it shows as well.',
  nothingCompared: 'No checkpoint or proof that you kept was compared with this history.',
  fork: 'Your checkpoint of {size} entries contradicts this history: entries were changed or removed, or there are two logs.',
  dropped: 'You kept a proof of entry {number}, which is missing here: entries were removed.',
  rewritten: 'Entry {number} is another one than that of your proof: the history was rewritten.',
  covered:
    'Up to entry {number}, the history is in the signed checkpoint of {size} entries of the log {origin}.',
  later: 'Entries {first} to {last} are newer than the checkpoint, which does not cover them.',
  keyNotCompared: 'The key of the log is {key}. Compare it with one that you got from elsewhere.',
  cosigned:
    'The witness {witness} signed this checkpoint at {at}. That does not show whether the history was rewritten before.',
  keptProof: 'Up to entry {number}, the history is the one of the proof that you kept.',
  vouched:
    'Up to entry {number}, the history was in the log when your checkpoint of {size} entries was signed.',
  enteredLater:
    'Entry {number} entered the log after your checkpoint of {size} entries, which does not show whether the history before it was rewritten.',
} as const satisfies Messages;

export type VerifyMessages = Translated<typeof en>;
export type VerifyTranslate = Translate<typeof en>;
