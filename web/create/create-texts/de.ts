import type { Translated } from '../../../src/common/translate.ts';
import type { en } from './en.ts';

export const de: Translated<typeof en> = {
  'unfinished.title': 'Unterbrochener Upload',
  'unfinished.offer': 'Der Upload von „{name}“ wurde bei {percent} unterbrochen.',
  'unfinished.choose': {
    one: 'Wählen Sie dieselbe Datei noch einmal, um ihn fortzusetzen.',
    other: 'Wählen Sie dieselben {count} Dateien noch einmal, um ihn fortzusetzen.',
  },
  'unfinished.other': 'Die gewählten Dateien sind nicht dieselben.',
  'unfinished.continues': 'Der Upload von „{name}“ wird bei {percent} fortgesetzt.',
  'unfinished.discard': 'Upload verwerfen',
  'request.example': 'Zum Beispiel: der unterschriebene Vertrag als PDF',
  'request.limits': 'Grenzen pro Einsendung',
  'request.unitFiles': 'Dateien',
  'request.unitMegabytes': 'MB',
  'request.encryptTo': 'Für Ihren öffentlichen Schlüssel verschlüsseln',
  'request.encryptToHint':
    'Dann können nur Sie die Dateien entschlüsseln: Der Browser der Absender verschlüsselt sie für diesen Schlüssel, und dieser Dienst kann sie nicht lesen.',
  'request.keyHow': 'So erhalten Sie einen Schlüssel und entschlüsseln Dateien',
  'request.keyMake':
    'Dieser Befehl des Programms age (age-encryption.org) erzeugt einen Schlüssel. Fügen Sie oben den öffentlichen Schlüssel ein, den er ausgibt, und verwahren Sie die Datei key.txt sicher: Ohne sie sind die Dateien verloren.',
  'request.keyOpen':
    'Jeder dieser Befehle entschlüsselt, was eingegangen ist. LINK steht für dessen Adresse.',
  'request.keyInvalid': 'Geben Sie einen öffentlichen Schlüssel von age ein, der mit age1 beginnt.',
  'request.keySecret':
    'Das ist Ihr geheimer Schlüssel. Geben Sie ihn nicht weiter; fügen Sie stattdessen den öffentlichen ein.',
  'text.label': 'Ihr Text',
  'text.oneLine': 'Beim Tippen verbergen',
  'text.oneLineHint': 'Für ein Passwort oder ein anderes Geheimnis in einer Zeile.',
  'encrypt.hint':
    'Dieser Dienst kann nicht lesen, was Sie senden, auch nicht die Namen der Dateien. Geben Sie dem Link einen Namen, um ihn wiederzufinden.',
  'encrypt.needsHttps': 'Braucht eine Verbindung über HTTPS.',
  'passphrase.hint':
    'Senden Sie sie dem Empfänger separat. Bleibt das Feld leer, steht der Schlüssel im Link.',
  'otherApps.bookmark': 'Link mit {name}',
  'otherApps.drag':
    'Ziehen Sie diese Schaltfläche in die Lesezeichenleiste. Auf jeder Seite öffnet das Lesezeichen dieses Formular mit deren Adresse und Titel.',
  'otherApps.install':
    'Installieren Sie diese Seite auf Android als App. Sie erscheint dann beim Teilen unter den Apps.',
  atOnce: 'Chats und E-Mail-Scanner, die diesen Link öffnen, erhalten die Datei, und jeder zählt als Aufruf.',
  noAddress: 'Ihr Konto hat keine E-Mail-Adresse.',
  addAddress: 'Unter Personen ergänzen',
  askAddress: 'Ein Administrator kann sie ergänzen.',
};
