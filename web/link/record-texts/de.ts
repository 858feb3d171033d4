import type { RecordMessages } from './en.ts';

export const de = {
  print: 'Drucken',
  close: 'Zurück zum Link',
  title: 'Zustellnachweis für {title}',
  state: 'Status am {time}: {status}',
  covers: {
    one: 'Dieser Fingerabdruck deckt den ersten Eintrag ab.',
    other: 'Dieser Fingerabdruck deckt die Einträge 1 bis {count} ab.',
  },
  check: 'So prüfen Sie diesen Nachweis',
  have: 'Sie brauchen den gespeicherten Verlauf, die Datei {file}. Fehlt sie, fragen Sie die Person, von der Sie diesen Nachweis haben: „{button}“ auf {url} speichert sie.',
  open: 'Öffnen Sie diese Seite oder /verify eines anderen Postern, ohne Konto:',
  verify:
    'Wählen Sie dort die Datei aus und geben Sie den Fingerabdruck von oben ein, falls die Seite ihn nicht schon zeigt.',
  offline: 'Ohne Netz prüft der Befehl „{command}“ dasselbe; H ist die Datei, F der Fingerabdruck.',
  give: 'Um es jemandem zu beweisen, geben Sie beides weiter: diesen Nachweis, auf Papier oder als PDF, und den gespeicherten Verlauf.',
  file: 'Um zu prüfen, ob eine Datei die hochgeladene ist, wählen Sie auch diese dort aus.',
  limits:
    'Der Verlauf zeigt, wann und von welcher Adresse der Link geöffnet wurde. Er beweist nicht, wer diese Adresse benutzt hat. Mehr dazu: {document} in einer Kopie von Postern.',
  compare: {
    one: 'Findet die Seite keine Änderung, wurde der erste Eintrag seit dem Druck dieser Seite weder geändert noch entfernt.',
    other:
      'Findet die Seite keine Änderung, wurde von den Einträgen 1 bis {count} seit dem Druck dieser Seite keiner geändert, entfernt, hinzugefügt oder verschoben.',
  },
  titleOfRequest: 'Nachweis über empfangene Dateien: {title}',
  limitsOfRequest:
    'Der Verlauf zeigt, wann und von welcher Adresse Dateien gesendet wurden. Er beweist nicht, wer diese Adresse benutzt hat. Mehr dazu: {document} in einer Kopie von Postern.',
} satisfies RecordMessages;
