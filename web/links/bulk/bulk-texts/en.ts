import type { Messages, Translate, Translated } from '../../../../src/common/translate.ts';

/** The texts of links from a file. The other languages have the same keys, or the compiler stops. */
export const en = {
  'bulk.intro':
    'Each row of the file becomes a link: one per recipient, for example. You see all rows before any link is created.',
  'bulk.columns': 'The first line has the names of the columns; only targetUrl is required:',
  'bulk.dates': 'Times are written like 2026-12-31 18:00, 2026-12-31T18:00+01:00 or 7d, which is in 7 days.',
  'bulk.confirm': 'confirm is true or false. If it is empty, links with maxViews ask before they open.',
  'bulk.meaning': 'What each column means:',
  'bulk.pick': 'Choose CSV file',
  'bulk.template': 'Download template',
  'bulk.empty':
    'This file has no rows. It needs a line with the names of the columns, and a line for each link.',
  'bulk.noTarget':
    'The first line of this file does not name a column targetUrl. Add it, or start with the template.',
  'bulk.quotes': 'A quotation mark in this file is not closed. Export the file again, or correct it.',
  'bulk.duplicateColumn': 'A column occurs twice in this file. Remove one of them.',
  'bulk.unknownColumn':
    'A link does not have these columns: {columns}. Correct their names in the first line, or remove them.',
  'bulk.tooMany': 'This file has more than 10,000 rows. Split it.',
  'bulk.preview': 'Preview of {file}',
  'bulk.ready': { one: '{count} row is ready.', other: '{count} rows are ready.' },
  'bulk.skipped': {
    one: '{count} row has an error and is left out. It is shown first.',
    other: '{count} rows have errors and are left out. They are shown first.',
  },
  'bulk.rows': 'Rows of the file',
  'bulk.row': 'Row',
  'bulk.check': 'Check',
  'bulk.valid': 'Ready',
  'bulk.moreRows': { one: 'and {count} more row', other: 'and {count} more rows' },
  'bulk.create': { one: 'Create {count} link', other: 'Create {count} links' },
  'bulk.progress': { by: 'whole', one: '{count} of {whole} row sent', other: '{count} of {whole} rows sent' },
  'bulk.done': { one: '{count} link created', other: '{count} links created' },
  'bulk.failed': {
    one: '{count} row was refused. The file below has the reason. Correct only this row, in a separate file: the other links already exist.',
    other:
      '{count} rows were refused. The file below has the reasons. Correct only these rows, in a separate file: the other links already exist.',
  },
  'bulk.saveHint':
    'Download the result now: it has the links and their tokens, which will not be shown again. It has no passwords.',
  'bulk.save': 'Download result',
  'bulk.replaceTitle': 'Discard the result?',
  'bulk.replaceWarning': 'It has not been downloaded. The tokens of the new links will not be shown again.',
  'bulk.replace': 'Discard result',
} as const satisfies Messages;

export type BulkMessages = Translated<typeof en>;
export type BulkTranslate = Translate<typeof en>;
