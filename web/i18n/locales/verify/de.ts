import type { VerifyDictionary } from '../../translate.ts';

export const de: VerifyDictionary = {
  'verify.title': 'Verlauf überprüfen',
  'verify.intro':
    'Diese Seite prüft, ob der exportierte Verlauf eines Links vollständig und unverändert ist. Das erledigt Ihr Browser: Die Dateien verlassen dieses Gerät nicht, und die Seite funktioniert ohne Verbindung.',
  'verify.export': 'Exportierter Verlauf',
  'verify.exportHint':
    'Die NDJSON-Datei aus „Verlauf exportieren“. Sie können sie auch auf diese Seite ziehen.',
  'verify.choose': 'Wählen Sie den exportierten Verlauf aus.',
  'verify.fingerprint': 'Fingerabdruck',
  'verify.fingerprintHint':
    'Der Fingerabdruck, den Sie aufbewahrt haben: aus dem Zertifikat, einer E-Mail oder einem Webhook.',
  'verify.fingerprintWrong':
    'Ein Fingerabdruck hat 64 Zeichen: die Ziffern 0 bis 9 und die Buchstaben a bis f. Kopieren Sie alle.',
  'verify.file': 'Datei zum Vergleich (optional)',
  'verify.fileHint': 'Wenn der Link zu einer Datei führt: Ist Ihre Datei die hochgeladene?',
  'verify.start': 'Überprüfen',
  'verify.running': 'Überprüfung läuft …',
  'verify.unreadable': 'Eine Datei konnte nicht gelesen werden. Wählen Sie sie noch einmal aus.',
  'verify.passed': 'Der Verlauf ist vollständig und unverändert',
  'verify.consistent': 'Keine Änderung gefunden, aber mit keinem Fingerabdruck verglichen',
  'verify.failed': 'Der Verlauf stimmt nicht',
  'verify.notExported': 'Das ist kein exportierter Verlauf',
  'verify.unchecked': 'Der Verlauf lässt sich nicht prüfen',
  'verify.limits':
    'Bewiesen ist, wann und von welcher Adresse der Link geöffnet wurde, aber nicht, wer diese Adresse benutzt hat.',
  'verify.more': { one: 'und {count} weiterer Befund', other: 'und {count} weitere Befunde' },
  'verify.notAnExport': 'Wählen Sie auf der Seite des Links „Verlauf exportieren (NDJSON)“.',
  'verify.lineChanged': 'Zeile {line} der Datei wurde nach dem Export geändert.',
  'verify.entry': 'Sie gehört zu Eintrag {number}.',
  'verify.cutOff': 'Die Datei endet mitten in Zeile {line}. Exportieren Sie den Verlauf noch einmal.',
  'verify.otherLink': 'Zeile {line} gehört zum Link {code}, nicht zu {expected}.',
  'verify.newerFormat':
    'Zeile {line} hat ein neueres Format, das diese Seite nicht kennt. Nutzen Sie die Seite einer neueren Version des Dienstes.',
  'verify.missing': 'Eintrag {number} fehlt.',
  'verify.missingRange': 'Die Einträge {first} bis {last} fehlen.',
  'verify.repeated':
    'Eintrag {number} kommt zweimal vor: Einer der beiden wurde eingefügt oder umnummeriert.',
  'verify.appended': 'Eintrag {number} wurde der Datei nach dem Export hinzugefügt.',
  'verify.appendedRange': 'Die Einträge {first} bis {last} wurden der Datei nach dem Export hinzugefügt.',
  'verify.filtered': 'Er wurde mit einem Filter exportiert. Exportieren Sie ihn ohne Filter.',
  'verify.otherContent': {
    one: 'Eintrag {count} passt nicht zum Fingerabdruck in der Datei: Er wurde geändert.',
    other:
      'Die Einträge 1 bis {count} passen nicht zum Fingerabdruck in der Datei: Mindestens einer wurde geändert.',
  },
  'verify.unknownFingerprint':
    'Kein Eintrag hat Ihren Fingerabdruck: Der Verlauf wurde seither neu geschrieben, oder er gehört zu einem anderen Link.',
  'verify.otherFile': '„{path}“ ist nicht die Datei des Links: Ihr SHA-256 ist ein anderer.',
  'verify.noFile': '„{path}“ lässt sich nicht vergleichen: Der Verlauf nennt keine Datei.',
  'verify.complete': {
    one: 'Link {code}: {count} Eintrag ist da und unverändert. Er ist vom {at}.',
    other: 'Link {code}: Alle {count} Einträge sind da und unverändert. Der neueste ist vom {at}.',
  },
  'verify.isFingerprint': 'Der Fingerabdruck von Eintrag {number} ist {fingerprint}.',
  'verify.erased': {
    one: '{count} Eintrag hat keine personenbezogenen Daten: Sie wurden gelöscht, oder wer den Verlauf exportiert hat, darf sie nicht sehen. Ein anderer Export, der sie hat, beweist sie weiterhin.',
    other:
      '{count} Einträge haben keine personenbezogenen Daten: Sie wurden gelöscht, oder wer den Verlauf exportiert hat, darf sie nicht sehen. Ein anderer Export, der sie hat, beweist sie weiterhin.',
  },
  'verify.notCompared':
    'Ohne einen Fingerabdruck von früher beweist das wenig: Wer diese Datei vor Ihnen hatte, könnte sie neu geschrieben haben.',
  'verify.known':
    'Ihr Fingerabdruck ist der von Eintrag {number} vom {at}: Bis dahin hat sich nichts geändert, seit Sie ihn haben.',
  'verify.severalFiles':
    '„{path}“ wurde nicht verglichen: Dieser Link hatte mehrere Dateien; ein ZIP oder eine einzelne Datei davon lässt sich nicht vergleichen.',
  'verify.formerFile': '„{path}“ war die Datei des Links bis Eintrag {number}, der sie ersetzt hat.',
  'verify.sameFile': '„{path}“ ist die Datei des Links: Der SHA-256 ist derselbe.',
};
