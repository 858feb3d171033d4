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
  have: 'You need the saved history, the file {file}. If you did not get it with this record, ask the person who gave you the record: “{button}” on {url} saves it.',
  open: 'Open this page, or the page /verify of any other Postern. Neither needs an account:',
  verify: 'Choose the file there, and enter the fingerprint above unless the page already shows it.',
  offline:
    'Without a network, the command “{command}” checks the same, where H is the file and F the fingerprint.',
  give: 'To prove it to someone else, give them both: this record, on paper or as a PDF, and the saved history.',
  file: 'To check that a file is the one that was uploaded, choose it there, too.',
  limits:
    'The history shows when and from which address the link was opened. It does not prove who used that address. More: {document} in a copy of Postern.',
  compare: {
    one: 'If the page finds no difference, the first entry was not changed or removed since this page was printed.',
    other:
      'If the page finds no difference, none of the entries 1 to {count} was changed, removed, added or moved since this page was printed.',
  },
  titleOfRequest: 'Record of received files: {title}',
  limitsOfRequest:
    'The history shows when and from which address files were sent. It does not prove who used that address. More: {document} in a copy of Postern.',
} as const satisfies Messages;

export type RecordMessages = Translated<typeof en>;
