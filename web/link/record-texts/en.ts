import type { Messages, Translated } from '../../../src/common/translate.ts';

/** The texts that only the delivery record has. The other languages have the same keys, or the compiler stops. */
export const en = {
  print: 'Print',
  close: 'Back to the link',
  title: 'Delivery record of {title}',
  state: 'Status at {time}: {status}',
  covers: {
    one: 'This fingerprint covers the first entry.',
    other: 'This fingerprint covers entries 1 to {count}.',
  },
  check: 'How to check this record',
  have: 'Under “{label}”, choose the file {file}. If you do not have it, ask the person who gave you this record to save it with “{button}” on {url}.',
  open: 'Open this address in a browser, without an account:',
  gone: 'If it no longer exists, open the page /verify of another Postern service.',
  verify: 'Open “{group}”, and enter the fingerprint above under “{label}”, unless it is already there.',
  expert:
    'For technical experts: without a network, “{command}” checks the same, where H is the file and F the fingerprint; see {document} in the program Postern.',
  give: 'To prove it to someone else, give them both: this record, on paper or as a PDF, and the saved history.',
  file: 'To check also whether a file is the one that was uploaded, choose it under “{label}”.',
  start: 'Then choose “{start}”.',
  limits:
    'The history shows when and from which IP address the link was opened. It does not prove who used that address.',
  compare: {
    one: 'If the page finds no difference, the first entry was not changed or removed since this record was made.',
    other:
      'If the page finds no difference, none of the entries 1 to {count} was changed, removed, added or moved since this record was made.',
  },
  titleOfReceived: 'Record of received files: {title}',
  limitsOfReceived:
    'The history shows when and from which IP address files were sent. It does not prove who used that address.',
  typedNames: 'Senders typed their names. The names were not verified.',
  coversReceived:
    'The fingerprint at the end of this record covers when files were sent. Which files they were is covered by the history of each submission, whose fingerprint is given above.',
  checkpoint: 'For experts: signed checkpoint of the log',
  checkpointText:
    'The text below, which the service signed, shows whether an entry up to number {number} was changed, removed or added after you got this record: paste all of it on the page /verify under “{label}”. It does not show earlier changes, or whether the entries are true.',
  checkpointLater:
    'The signed checkpoint at the end does not cover the newest entries yet: before printing, open this record again in a minute.',
  witnesses: 'These witnesses, services that other people run, signed it too, by their own clocks:',
  witnessProves:
    'A witness signs only if no entry was changed or removed since it signed before: so all entries up to number {number} were in the log at that time. To check a signature, ask the people who run the witness for its key, and paste it as well.',
  checkSubmissions:
    'To check which files arrived, do the same for each submission above: “{button}” saves its history, and its fingerprint stands beside it.',
  giveOfRequest:
    'To prove it to someone else, give them this record, on paper or as a PDF, and the saved histories: that of the request, and that of each submission, which you save beside it below.',
  notNamed: 'Not named',
  openable:
    'This record shows the address of the link. People who get this record or the saved history can open the link as long as it has not expired or been revoked, and the history lists that as an opening.',
  openableFiles:
    'This record shows the address of the files. People who get this record or the saved history can download the files as long as the address has not expired or been revoked.',
  openableSubmissions: {
    one: 'People who get this record or the saved histories also get the addresses of the submissions, and can download the files of {count} submission. To prevent that, choose “{edit}” at that submission below, and set a password or an expiry.',
    other:
      'People who get this record or the saved histories also get the addresses of the submissions, and can download the files of {count} submissions. To prevent that, choose “{edit}” at each of them below, and set a password or an expiry.',
  },
  saveRequest: 'Save history of the request',
  saveSubmission: 'Save history of this submission',
  restrict: 'Set a password or an expiry',
} as const satisfies Messages;

export type RecordMessages = Translated<typeof en>;
