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
  have: 'Wählen Sie unter „{label}“ die Datei {file} aus. Fehlt sie, fragen Sie die Person, von der Sie diesen Nachweis haben: „{button}“ auf {url} speichert sie.',
  open: 'Öffnen Sie diese Adresse in einem Browser, ohne Konto:',
  gone: 'Falls es sie nicht mehr gibt: /verify eines anderen Postern-Dienstes.',
  verify:
    'Öffnen Sie „{group}“ und geben Sie den Fingerabdruck von oben unter „{label}“ ein, falls er dort fehlt.',
  expert:
    'Für Fachleute, ohne Netz: „{command}“ mit H als Datei und F als Fingerabdruck; siehe {document} im Programm Postern.',
  give: 'Um es jemandem zu beweisen, geben Sie beides weiter: diesen Nachweis, auf Papier oder als PDF, und den gespeicherten Verlauf.',
  file: 'Ob eine Datei die hochgeladene ist, prüfen Sie unter „{label}“.',
  start: 'Wählen Sie dann „{start}“.',
  limits:
    'Der Verlauf zeigt, wann und von welcher IP-Adresse der Link geöffnet wurde. Er beweist nicht, wer sie benutzt hat.',
  compare: {
    one: 'Findet die Seite keine Änderung, wurde der erste Eintrag seit dem Druck dieser Seite weder geändert noch entfernt.',
    other:
      'Findet die Seite keine Änderung, wurde von den Einträgen 1 bis {count} seit dem Druck dieser Seite keiner geändert, entfernt, hinzugefügt oder verschoben.',
  },
  titleOfReceived: 'Nachweis über empfangene Dateien: {title}',
  limitsOfReceived:
    'Der Verlauf zeigt, wann und von welcher IP-Adresse Dateien gesendet wurden. Er beweist nicht, wer sie benutzt hat.',
  typedNames: 'Die Namen haben die Absender selbst eingegeben. Sie wurden nicht geprüft.',
  coversReceived:
    'Der Fingerabdruck am Ende dieses Nachweises deckt ab, wann Dateien gesendet wurden. Welche es waren, deckt der Verlauf jeder Einsendung ab, deren Fingerabdruck oben steht.',
  checkpoint: 'Prüfpunkt des Protokolls',
  checkpointText:
    'Der neueste Prüfpunkt umfasst diesen Link bis Eintrag {number}. Fügen Sie ihn auf /verify ein, oder bewahren Sie ihn auf: Er zeigt später, ob bis zu diesem Eintrag etwas geändert oder entfernt wurde.',
} satisfies RecordMessages;
