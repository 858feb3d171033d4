import type { VerifyMessages } from './en.ts';

export const de = {
  intro:
    'Sehen Sie, ob ein Link geöffnet wurde und ob sein gespeicherter Verlauf später geändert wurde. Das erledigt Ihr Browser: Keine Datei verlässt dieses Gerät, und die Seite funktioniert ohne Verbindung.',
  export: 'Gespeicherter Verlauf',
  exportHint:
    'Eine Datei mit der Endung .ndjson. Der Eigentümer des Links speichert sie von dessen Nachweis aus. Sie können sie auch auf diese Seite ziehen.',
  choose: 'Wählen Sie den gespeicherten Verlauf aus.',
  chooseFile: 'Datei auswählen',
  compare: 'Fingerabdruck, Datei oder Prüfpunkt vergleichen (optional)',
  fingerprint: 'Fingerabdruck',
  fingerprintHint:
    '64 Ziffern und Buchstaben, aus dem Nachweis zum Link, einer E-Mail oder einem Webhook. Damit lässt sich auch erkennen, ob der ganze Verlauf neu geschrieben wurde.',
  fingerprintWrong:
    'Ein Fingerabdruck hat 64 Zeichen: die Ziffern 0 bis 9 und die Buchstaben a bis f. Kopieren Sie alle.',
  file: 'Datei zum Vergleich',
  fileHint: 'Wenn der Link zu einer Datei führt: Ist Ihre Datei die hochgeladene?',
  start: 'Überprüfen',
  running: 'Überprüfung läuft …',
  unreadable: 'Eine Datei konnte nicht gelesen werden. Wählen Sie sie noch einmal aus.',
  passed: 'Der Verlauf ist vollständig und unverändert',
  passedUpTo: 'Bis Eintrag {number} unverändert',
  consistent: 'Vollständig, und keine Änderung gefunden',
  unconfirmed: 'Vollständig, und keine Änderung gefunden; Ihre Eingabe bestätigt es nicht',
  failed: 'Prüfung nicht bestanden: Verlassen Sie sich nicht auf diesen Verlauf',
  otherFingerprint: 'Dieser Verlauf enthält Ihren Fingerabdruck nicht',
  savedAt: 'Laut dieser Datei wurde sie am {at} gespeichert. Was später geschah, steht nicht in ihr.',
  notExported: 'Das ist kein gespeicherter Verlauf',
  unchecked: 'Der Verlauf lässt sich nicht prüfen',
  timeline: 'Was geschehen ist',
  entries: 'Alle Einträge, der älteste zuerst',
  savedName: '{sender}; im gespeicherten Verlauf: {saved}',
  checked: 'Was geprüft wurde',
  fileTitle: 'Die Datei',
  noCompared: 'Es wurde keine Datei verglichen. Wählen Sie Ihre aus, um zu prüfen, ob sie hochgeladen wurde:',
  setOfFiles:
    'Der Link führt zu mehreren Dateien, aber dieser gespeicherte Verlauf führt sie nicht auf: Keine lässt sich vergleichen.',
  fileDiffers: 'Der Verlauf ist unverändert, aber die Datei ist eine andere',
  notProved: 'Was das nicht beweist',
  notWho: 'Wer den Link geöffnet hat: Mehrere Personen können sich eine IP-Adresse oder ein Postfach teilen.',
  notRead:
    'Dass jemand die Datei erhalten oder gelesen hat: „Vollständig gesendet“ heißt, dass der Dienst jedes Byte gesendet hat.',
  notSender:
    'Wer die Dateien gesendet hat: Mehrere Personen können sich eine IP-Adresse teilen, und Absender geben ihren Namen selbst ein.',
  notWhich: 'Welche Dateien ankamen: Das zeigt der Verlauf jeder Einsendung, der ebenso geprüft wird.',
  notDownloader: 'Wer die Dateien heruntergeladen hat und ob sie jemand gelesen hat.',
  notClock: 'Dass die Uhr des Dienstes richtig ging.',
  notLater: 'Ihre Eingabe deckt die späteren Einträge nicht ab. Diese könnten neu geschrieben worden sein.',
  more: { one: 'und {count} weiterer Befund', other: 'und {count} weitere Befunde' },
  notAnExport:
    'Wählen Sie die Datei mit der Endung .ndjson aus. Der Eigentümer des Links speichert sie von dessen Nachweis aus: Bitten Sie ihn darum.',
  lineChanged: 'Zeile {line} der Datei wurde nach dem Speichern geändert.',
  entry: 'Sie gehört zu Eintrag {number}.',
  lineTooLong: 'Zeile {line} ist zu lang, um hier geprüft zu werden.',
  cutOff: 'Die Datei endet mitten in Zeile {line}. Speichern Sie den Verlauf noch einmal.',
  otherLink: 'Zeile {line} gehört zum Link {code}, nicht zu {expected}.',
  newerFormat:
    'Zeile {line} hat ein neueres Format, das diese Seite nicht kennt. Nutzen Sie die Seite einer neueren Version des Dienstes.',
  missing: 'Eintrag {number} fehlt.',
  missingRange: 'Die Einträge {first} bis {last} fehlen.',
  repeated: 'Eintrag {number} kommt zweimal vor: Einer der beiden wurde eingefügt oder umnummeriert.',
  appended: 'Eintrag {number} wurde der Datei nach dem Speichern hinzugefügt.',
  appendedRange: 'Die Einträge {first} bis {last} wurden der Datei nach dem Speichern hinzugefügt.',
  filtered: 'Er wurde mit einem Filter exportiert. Exportieren Sie ihn ohne Filter.',
  otherContent: {
    one: 'Eintrag {count} passt nicht zum Fingerabdruck in der Datei: Er wurde geändert.',
    other:
      'Die Einträge 1 bis {count} passen nicht zum Fingerabdruck in der Datei: Mindestens einer wurde geändert.',
  },
  unknownFingerprint:
    'Kein Eintrag hat Ihren Fingerabdruck. Ist er neuer als diese Datei, lassen Sie sich einen später gespeicherten Verlauf geben. Sonst wurde der Verlauf seither neu geschrieben, oder er gehört zu einem anderen Link.',
  otherFile: {
    one: '„{path}“ ist nicht die Datei des Links: Ihr SHA-256 ist ein anderer.',
    other: '„{path}“ ist keine der {count} Dateien des Links: Keine hat denselben SHA-256.',
  },
  noFile: '„{path}“ lässt sich nicht vergleichen: Der Verlauf nennt keine Datei.',
  complete: {
    one: 'Link {code}: {count} Eintrag ist da und unverändert. Er ist vom {at}.',
    other: 'Link {code}: Alle {count} Einträge sind da und unverändert. Der neueste ist vom {at}.',
  },
  isFingerprint: 'Der Fingerabdruck von Eintrag {number} ist {fingerprint}.',
  erased: {
    one: '{count} Eintrag hat keine personenbezogenen Daten: Sie wurden gelöscht, oder wer den Verlauf gespeichert hat, darf sie nicht sehen. Eine andere Datei, die sie enthält, beweist sie weiterhin.',
    other:
      '{count} Einträge haben keine personenbezogenen Daten: Sie wurden gelöscht, oder wer den Verlauf gespeichert hat, darf sie nicht sehen. Eine andere Datei, die sie enthält, beweist sie weiterhin.',
  },
  notCompared:
    'Dass niemand den ganzen Verlauf neu erstellt hat, bevor Sie diese Datei bekamen. Um das auszuschließen, geben Sie oben einen Fingerabdruck ein, den Sie früher bekommen haben: Er steht auf dem Nachweis zum Link, in E-Mails und in Webhooks.',
  known:
    'Ihr Fingerabdruck ist der von Eintrag {number} vom {at}: Bis dahin hat sich nichts geändert, seit Sie ihn haben.',
  severalFiles:
    '„{path}“ wurde nicht verglichen: Der Link hatte mehrere Dateien, die dieser gespeicherte Verlauf nicht aufführt.',
  formerFile: '„{path}“ war die Datei des Links bis Eintrag {number}, der sie ersetzt hat.',
  sameFile: '„{path}“ ist die Datei des Links: Der SHA-256 ist derselbe.',
  oneOfFiles: '„{path}“ ist „{name}“, eine der Dateien des Links: Der SHA-256 ist derselbe.',
  zip: '„{path}“ wurde nicht verglichen: Vergleichen lassen sich nur einzelne Dateien. Entpacken Sie das ZIP und vergleichen Sie jede Datei.',
  files:
    'Namen, Größen und SHA-256 der {count} Dateien stehen in der Liste, deren SHA-256 der Verlauf enthält.',
  otherList: 'Die Liste der Dateien in Zeile 1 wurde nach dem Speichern des Verlaufs geändert.',
  kept: 'Prüfpunkte und Schlüssel, die Sie aufbewahrt haben',
  keptHint:
    'Fügen Sie alles untereinander ein: den Prüfpunkt eines Nachweises oder von /checkpoint, den Schlüssel des Protokolls, den Schlüssel eines Zeugen.',
  checkpointWrong:
    'Der Prüfpunkt in der Datei passt nicht zu diesem Verlauf: Eines von beiden wurde geändert.',
  noCheckpoint:
    'Die Datei hat keinen Prüfpunkt, der sich mit Ihrem vergleichen lässt. Speichern Sie den Verlauf noch einmal.',
  keptUnreadable:
    'Ein Teil davon ist nicht lesbar. Kopieren Sie ihn noch einmal, von der ersten bis zur letzten Zeile. Über den Verlauf sagt das nichts.',
  keptWrong:
    'Ein Teil Ihrer Angaben hat eine falsche Signatur. Kopieren Sie ihn noch einmal, von der ersten bis zur letzten Zeile.',
  keptTooLong:
    'Ihre Angaben haben mehr als {count} Zeichen. Lassen Sie weg, was nicht zu diesem Protokoll gehört.',
  otherKey:
    'Der Verlauf ist mit einem anderen Schlüssel signiert als dem, den Sie aufbewahrt haben: Er kann aus einem anderen Protokoll stammen.',
  notCosigned:
    'Der Zeuge {witness} hat diesen Prüfpunkt nicht signiert. Falls er zu dieser Zeit nicht erreichbar war, speichern Sie den Verlauf später noch einmal.',
  notConnected:
    'Ihr Prüfpunkt über {size} Einträge wurde nicht verglichen. Öffnen Sie {path} beim Dienst des Links in einem Browser, und fügen Sie den Text, der dort steht, ebenfalls ein.',
  nothingCompared:
    'Mit diesem Verlauf wurde kein Prüfpunkt oder Nachweis verglichen, den Sie aufbewahrt haben.',
  fork: 'Ihr Prüfpunkt über {size} Einträge widerspricht diesem Verlauf: Einträge wurden geändert oder entfernt, oder es gibt zwei Protokolle.',
  dropped:
    'Sie haben einen Nachweis für Eintrag {number} aufbewahrt, der hier fehlt: Einträge wurden entfernt.',
  rewritten: 'Eintrag {number} ist ein anderer als der Ihres Nachweises: Der Verlauf wurde neu geschrieben.',
  covered:
    'Bis Eintrag {number} steht der Verlauf im signierten Prüfpunkt über {size} Einträge des Protokolls {origin}.',
  later: 'Die Einträge {first} bis {last} sind neuer als der Prüfpunkt, der sie nicht umfasst.',
  keyNotCompared:
    'Der Schlüssel des Protokolls ist {key}. Vergleichen Sie ihn mit einem, den Sie von anderer Stelle haben.',
  cosigned:
    'Der Zeuge {witness} hat diesen Prüfpunkt am {at} signiert. Das zeigt nicht, ob der Verlauf vorher neu geschrieben wurde.',
  keptProof: 'Bis Eintrag {number} ist der Verlauf derselbe wie in dem Nachweis, den Sie aufbewahrt haben.',
  vouched:
    'Bis Eintrag {number} stand der Verlauf im Protokoll, als Ihr Prüfpunkt über {size} Einträge signiert wurde.',
  enteredLater:
    'Eintrag {number} kam erst nach Ihrem Prüfpunkt über {size} Einträge ins Protokoll. Der Prüfpunkt zeigt nicht, ob der Verlauf davor neu geschrieben wurde.',
} satisfies VerifyMessages;
