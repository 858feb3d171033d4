import type { BulkMessages } from './en.ts';

export const de = {
  'bulk.intro':
    'Jede Zeile der Datei wird ein Link, zum Beispiel einer je Empfänger. Sie sehen alle Zeilen, bevor ein Link erstellt wird.',
  'bulk.columns': 'Die erste Zeile enthält die Namen der Spalten; nur targetUrl ist nötig:',
  'bulk.dates': 'Zeiten haben die Form 2026-12-31 18:00, 2026-12-31T18:00+01:00 oder 7d für in 7 Tagen.',
  'bulk.confirm': 'confirm ist true oder false. Ohne Angabe fragen Links mit maxViews vor dem Öffnen nach.',
  'bulk.meaning': 'Was jede Spalte bedeutet:',
  'bulk.pick': 'CSV-Datei auswählen',
  'bulk.template': 'Vorlage herunterladen',
  'bulk.empty':
    'Diese Datei hat keine Zeilen. Sie braucht eine Zeile mit den Namen der Spalten und eine Zeile je Link.',
  'bulk.noTarget':
    'Die erste Zeile dieser Datei enthält keine Spalte targetUrl. Ergänzen Sie sie, oder beginnen Sie mit der Vorlage.',
  'bulk.quotes':
    'In dieser Datei fehlt ein Anführungszeichen. Exportieren Sie sie neu, oder korrigieren Sie sie.',
  'bulk.duplicateColumn': 'Eine Spalte kommt in dieser Datei zweimal vor. Entfernen Sie eine davon.',
  'bulk.unknownColumn':
    'Diese Spalten gibt es bei Links nicht: {columns}. Berichtigen Sie ihre Namen in der ersten Zeile, oder entfernen Sie sie.',
  'bulk.tooMany': 'Diese Datei hat mehr als 10.000 Zeilen. Teilen Sie sie auf.',
  'bulk.preview': 'Vorschau von {file}',
  'bulk.ready': { one: '{count} Zeile ist bereit.', other: '{count} Zeilen sind bereit.' },
  'bulk.skipped': {
    one: '{count} Zeile hat einen Fehler und wird übersprungen. Sie steht zuerst.',
    other: '{count} Zeilen haben Fehler und werden übersprungen. Sie stehen zuerst.',
  },
  'bulk.rows': 'Zeilen der Datei',
  'bulk.row': 'Zeile',
  'bulk.check': 'Prüfung',
  'bulk.valid': 'Bereit',
  'bulk.moreRows': { one: 'und {count} weitere Zeile', other: 'und {count} weitere Zeilen' },
  'bulk.create': { one: '{count} Link erstellen', other: '{count} Links erstellen' },
  'bulk.progress': {
    by: 'whole',
    one: '{count} von {whole} Zeile gesendet',
    other: '{count} von {whole} Zeilen gesendet',
  },
  'bulk.done': { one: '{count} Link erstellt', other: '{count} Links erstellt' },
  'bulk.failed': {
    one: '{count} Zeile wurde abgewiesen. Die Datei unten nennt den Grund. Berichtigen Sie nur diese Zeile, in einer eigenen Datei: Die anderen Links gibt es schon.',
    other:
      '{count} Zeilen wurden abgewiesen. Die Datei unten nennt die Gründe. Berichtigen Sie nur diese Zeilen, in einer eigenen Datei: Die anderen Links gibt es schon.',
  },
  'bulk.saveHint':
    'Laden Sie das Ergebnis jetzt herunter: Es enthält die Links und ihre Token, die nicht noch einmal angezeigt werden. Passwörter enthält es nicht.',
  'bulk.save': 'Ergebnis herunterladen',
  'bulk.replaceTitle': 'Ergebnis verwerfen?',
  'bulk.replaceWarning':
    'Es wurde nicht heruntergeladen. Die Token der neuen Links werden nicht noch einmal angezeigt.',
  'bulk.replace': 'Ergebnis verwerfen',
} satisfies BulkMessages;
