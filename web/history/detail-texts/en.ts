import type { Messages, Translated } from '../../../src/common/translate.ts';

/** The texts that only the details of an entry have. The other languages have the same keys, or the compiler stops. */
export const en = {
  number: 'Number',
  time: 'Time',
  program: 'Program as it names itself',
  referrer: 'Came from',
  download: 'Download {number}',
  resumedAfter: 'Resumed after {size}',
  type: 'Kind of link',
  fileCount: 'Number of files',
  scanNote: 'Message of the malware scan',
  importedFrom: 'Imported from',
  createdAt: 'Created there',
  viewCount: 'Views there',
  raw: 'Raw record',
} as const satisfies Messages;

export type DetailMessages = Translated<typeof en>;
