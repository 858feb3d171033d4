import type { DetailMessages } from './en.ts';

export const de = {
  number: 'Nummer',
  time: 'Zeit',
  program: 'Programm nach eigener Angabe',
  referrer: 'Kam von',
  download: 'Download {number}',
  resumedAfter: 'Fortgesetzt nach {size}',
  type: 'Art des Links',
  fileCount: 'Anzahl der Dateien',
  scanNote: 'Meldung der Malware-Prüfung',
  importedFrom: 'Importiert aus',
  createdAt: 'Dort erstellt',
  viewCount: 'Aufrufe dort',
  raw: 'Rohdaten',
} satisfies DetailMessages;
