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
    one: 'If the page finds no difference, the first entry was not changed or removed since this page was printed.',
    other:
      'If the page finds no difference, none of the entries 1 to {count} was changed, removed, added or moved since this page was printed.',
  },
  titleOfReceived: 'Record of received files: {title}',
  limitsOfReceived:
    'The history shows when and from which IP address files were sent. It does not prove who used that address.',
  typedNames: 'Senders typed their names. The names were not verified.',
  coversReceived:
    'The fingerprint at the end of this record covers when files were sent. Which files they were is covered by the history of each submission, whose fingerprint is given above.',
  checkpoint: 'Checkpoint of the log',
  checkpointText:
    'The newest checkpoint covers this link up to entry {number}. Paste it on /verify, or keep it: it shows later whether anything up to that entry was changed or removed.',
} as const satisfies Messages;

export type RecordMessages = Translated<typeof en>;
