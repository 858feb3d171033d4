import type { UploadDictionary } from '../../translate.ts';

export const de: UploadDictionary = {
  'upload.sending': 'Wird hochgeladen',
  'upload.storing': 'Wird gespeichert',
  'upload.sent': '{sent} von {total}',
  'upload.left': 'Noch {time}',
  'upload.retrying': 'Verbindung verloren. Neuer Versuch …',
  'upload.paused': 'Angehalten',
  'upload.pause': 'Anhalten',
  'upload.resume': 'Fortsetzen',
  'duplicate.password': 'Das Passwort wird nicht übernommen. Legen Sie ein anderes fest.',
  'duplicate.files': 'Die Dateien werden nicht übernommen. Wählen Sie sie noch einmal.',
  'duplicate.otherSource': 'Etwas anderes verwenden',
  'source.add': 'Dateien hinzufügen',
  'source.addFolder': 'Ordner hinzufügen',
  'source.zipName': 'Name der ZIP-Datei',
  'source.count': { one: '{count} Datei, {size}', other: '{count} Dateien, {size}' },
  'source.removeAll': 'Alle entfernen',
  viewable: 'Bild darf angesehen werden',
  'viewable.hint': 'Besucher sehen es auf der Seite, ohne es herunterzuladen.',
  encrypt: 'In diesem Browser verschlüsseln',
  'encrypt.hint': 'Dieser Dienst kann nicht lesen, was Sie senden, auch nicht die Namen der Dateien.',
  'encrypt.needsHttps': 'Braucht eine Verbindung über HTTPS.',
  'encrypt.keyMissing':
    'Verschlüsselt. Was Sie hier kopieren und der QR-Code enthalten den Schlüssel nicht: Dieser Dienst hat ihn nicht. Empfänger brauchen den vollständigen Link, der nach dem Erstellen angezeigt wurde, oder die Passphrase oder den Schlüssel.',
  'encrypt.toKey': 'Für Ihren öffentlichen Schlüssel verschlüsselt. Dieser Befehl entschlüsselt es:',
  passphrase: 'Passphrase',
  'passphrase.hint': 'Geben Sie sie dem Empfänger getrennt. Ohne Passphrase steht der Schlüssel im Link.',
  'request.write': 'Was brauchen Sie?',
  'request.remove': 'Anfrage entfernen',
  'request.example': 'Zum Beispiel: der unterschriebene Vertrag als PDF',
  'request.limitFiles': 'Höchstens so viele Dateien',
  'request.limitMegabytes': 'Höchstens so viele Megabyte insgesamt',
  'request.encryptTo': 'Für Ihren öffentlichen Schlüssel verschlüsseln (optional)',
  'request.encryptToHint':
    'Dann können nur Sie entschlüsseln: Die Dateien werden im Browser der Absender für diesen Schlüssel verschlüsselt. Dieser Dienst kann sie nicht lesen.',
  'request.keyHow': 'Schlüssel erzeugen und Dateien entschlüsseln',
  'request.keyMake':
    'Dieser Befehl des Programms age (age-encryption.org) erzeugt einen Schlüssel. Fügen Sie oben den öffentlichen Schlüssel ein, den er ausgibt, und verwahren Sie die Datei key.txt sicher: Ohne sie sind die Dateien verloren.',
  'request.keyOpen':
    'Jeder dieser Befehle entschlüsselt, was eingegangen ist. LINK steht für dessen Adresse.',
  'request.limitInvalid': 'Geben Sie eine andere ganze Zahl ab 1 ein.',
  'request.messageMissing': 'Schreiben Sie, was Sie brauchen.',
  'request.keyInvalid': 'Geben Sie einen öffentlichen Schlüssel von age ein, der mit age1 beginnt.',
  'request.keySecret':
    'Das ist der geheime Schlüssel: Behalten Sie ihn für sich. Fügen Sie den öffentlichen Schlüssel ein, der mit age1 beginnt.',
  'request.arrived': 'Eingegangen',
  'request.nothing': 'Noch nichts.',
  'request.unopened': 'noch nicht geöffnet',
  'certificate.print': 'Drucken',
  'certificate.close': 'Zurück zum Link',
  'certificate.title': 'Verlauf eines Links',
  'certificate.state': 'Status am {time}: {status}',
  'certificate.partial': {
    one: 'Hier steht nur der neueste Eintrag. Der Export enthält alle Einträge.',
    other: 'Hier stehen nur die neuesten {count} Einträge. Der Export enthält alle Einträge.',
  },
  'certificate.covers': {
    one: 'Dieser Fingerabdruck deckt den ersten Eintrag ab.',
    other: 'Dieser Fingerabdruck deckt die Einträge 1 bis {count} ab.',
  },
  'certificate.check': 'So prüfen Sie diesen Verlauf',
  'certificate.export':
    'Öffnen Sie {url}, exportieren Sie den Verlauf als NDJSON und bewahren Sie die Datei mit dieser Seite auf.',
  'certificate.verify':
    'Öffnen Sie {url} oder die Seite /verify eines beliebigen anderen Postern. Wählen Sie dort die Datei aus und geben Sie den Fingerabdruck von oben ein. Der Befehl „{command}“ tut dasselbe.',
  'certificate.file': 'Um zu prüfen, ob eine Datei die hochgeladene ist, wählen Sie auch diese dort aus.',
  'certificate.limits':
    'Der Verlauf zeigt, wann und von welcher Adresse der Link geöffnet wurde. Er beweist nicht, wer diese Adresse benutzt hat. Mehr dazu: {document} in einer Kopie von Postern.',
  'certificate.compare': {
    one: 'Findet die Seite keine Änderung, wurde der erste Eintrag seit dem Druck dieser Seite weder geändert noch entfernt.',
    other:
      'Findet die Seite keine Änderung, wurde von den Einträgen 1 bis {count} seit dem Druck dieser Seite keiner geändert, entfernt, hinzugefügt oder verschoben.',
  },
  'text.label': 'Ihr Text',
  'text.remove': 'Text entfernen',
  'text.oneLine': 'Beim Tippen verbergen',
  'text.oneLineHint': 'Für ein Passwort oder ein anderes Geheimnis in einer Zeile.',
  'text.once':
    'Besucher sehen den Text nach einem Klick. Er lässt sich einmal ansehen, wenn Sie unten nichts anderes wählen.',
  'result.keyOnce': 'Der Schlüssel steht nur in diesem Link. Er kann nicht noch einmal angezeigt werden.',
  'copy.passphrase': 'Passphrase kopieren',
  'result.passphraseOnce': 'Die Passphrase wird nicht noch einmal angezeigt. Kopieren Sie sie jetzt.',
  'unfinished.title': 'Unterbrochener Upload',
  'unfinished.offer': 'Der Upload von „{name}“ wurde bei {percent} unterbrochen.',
  'unfinished.choose': {
    one: 'Wählen Sie dieselbe Datei noch einmal, um ihn fortzusetzen.',
    other: 'Wählen Sie dieselben {count} Dateien noch einmal, um ihn fortzusetzen.',
  },
  'unfinished.other': 'Die gewählten Dateien sind nicht dieselben.',
  'unfinished.continues': 'Der Upload von „{name}“ wird bei {percent} fortgesetzt.',
  'unfinished.discard': 'Upload verwerfen',
};
