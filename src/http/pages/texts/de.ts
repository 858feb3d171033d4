import { SET_TITLES } from '../../../common/set-titles.ts';
import type { VisitorTexts } from './en.ts';

export const de: VisitorTexts = {
  'notice.NOT_FOUND.title': 'Link nicht gefunden',
  'notice.NOT_FOUND.text':
    'Prüfen Sie, ob die Adresse vollständig ist, auch die Groß- und Kleinschreibung, oder fragen Sie die Person, die sie Ihnen geschickt hat.',
  'trailing.title': 'Ist das der Link, den Sie suchen?',
  'trailing.text':
    'Am Ende der aufgerufenen Adresse steht ein Zeichen, das nicht zum Link gehört. Ohne dieses Zeichen gibt es einen Link:',
  'notice.FILE_NOT_FOUND.title': 'Datei nicht gefunden',
  'notice.FILE_NOT_FOUND.text':
    'Der Link ist gültig, aber seine Datei fehlt. Dieser Versuch zählt nicht. Bitte informieren Sie die Person, die Ihnen den Link geschickt hat.',
  'notice.DOWNLOAD_ENDED.title': 'Dieser Download lässt sich nicht fortsetzen',
  'notice.DOWNLOAD_ENDED.text':
    'Öffnen Sie den Link noch einmal, um neu herunterzuladen. Das zählt als Öffnen.',
  'notice.OTHER_BROWSER.title': 'Dieser Download lässt sich hier nicht fortsetzen',
  'notice.OTHER_BROWSER.text':
    'Er geht nur in dem Browser weiter, in dem die E-Mail-Adresse bestätigt wurde. Um hier herunterzuladen, öffnen Sie den Link, der Ihnen geschickt wurde, und bestätigen Sie Ihre Adresse.',
  'notice.REVOKED.title': 'Dieser Link wurde zurückgezogen',
  'notice.REVOKED.text': 'Bitten Sie die Person, die ihn Ihnen geschickt hat, um einen neuen Link.',
  'notice.EXPIRED.title': 'Dieser Link ist abgelaufen',
  'notice.EXPIRED.text': 'Bitten Sie die Person, die ihn Ihnen geschickt hat, um einen neuen Link.',
  'notice.VIEW_LIMIT_REACHED.title': 'Dieser Link wurde schon so oft geöffnet wie erlaubt',
  'notice.VIEW_LIMIT_REACHED.text':
    'Bitten Sie die Person, die ihn Ihnen geschickt hat, um einen neuen Link.',
  'notice.REQUEST_FULL.title': 'Dieser Link nimmt keine Dateien mehr an',
  'notice.REQUEST_FULL.text':
    'Sein Limit ist erreicht. Bitten Sie die Person, die ihn Ihnen geschickt hat, um einen neuen Link.',
  'notice.UNEXPECTED_STATE.title': 'Dieser Link ist nicht aktiv',
  'notice.UNEXPECTED_STATE.text': 'Bitten Sie die Person, die ihn Ihnen geschickt hat, um einen neuen Link.',
  'notice.PAUSED.title': 'Dieser Link ist pausiert',
  'notice.PAUSED.text':
    'Er lässt sich zurzeit nicht öffnen. Dieser Versuch zählt nicht. Versuchen Sie es später noch einmal, oder fragen Sie die Person, von der Sie ihn haben.',
  'notice.NOT_STARTED.title': 'Dieser Link ist noch nicht gültig',
  'notice.NOT_STARTED.text':
    'Dieser Versuch zählt nicht. Versuchen Sie es später noch einmal, oder fragen Sie die Person, von der Sie ihn haben.',
  'notice.RATE_LIMITED.title': 'Zu viele Versuche',
  'notice.RATE_LIMITED.text': 'Warten Sie, bevor Sie es erneut versuchen.',
  'notice.OVERLOADED.title': 'Der Dienst ist ausgelastet',
  'notice.OVERLOADED.text': 'Dieser Versuch zählt nicht. Versuchen Sie es in einigen Sekunden noch einmal.',
  'notice.SERVER_ERROR.title': 'Bei uns ist ein Fehler aufgetreten',
  'notice.SERVER_ERROR.text': 'Das hat nicht geklappt. Versuchen Sie es gleich noch einmal.',
  'notice.CROSS_SITE.title': 'Eine andere Website wollte diesen Link öffnen',
  'notice.CROSS_SITE.text':
    'Zu Ihrer Sicherheit wurde der Link nicht geöffnet. Dieser Versuch zählt nicht. Sie können ihn selbst öffnen.',
  'notice.UNREADABLE_FORM.title': 'Das Formular konnte nicht gelesen werden',
  'notice.UNREADABLE_FORM.text': 'Gehen Sie zurück und senden Sie es noch einmal ab.',

  'notice.CODES_LIMITED.title': 'Zu viele Codes angefordert',
  'notice.CODES_LIMITED.text':
    'Vorerst wird kein weiterer Code gesendet. Wenn Sie schon einen haben, gehen Sie zurück und geben Sie ihn ein.',
  'notice.CODES_UNAVAILABLE.title': 'Zurzeit kann kein Code gesendet werden',
  'notice.CODES_UNAVAILABLE.text':
    'Dieser Link öffnet sich mit einem Code, den Sie per E-Mail erhalten, und dieser Dienst kann zurzeit keine E-Mails senden. Dieser Versuch zählt nicht. Versuchen Sie es in einer Minute noch einmal.',
  'recipient.title': 'Bestätigen Sie Ihre E-Mail-Adresse',
  'recipient.text':
    'Der Absender hat diesen Link nur für bestimmte E-Mail-Adressen freigegeben. Geben Sie Ihre Adresse ein: Wenn sie dabei ist, erhalten Sie einen Code per E-Mail.',
  'recipient.field': 'E-Mail-Adresse',
  'recipient.invalid': 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel user@example.com.',
  'recipient.recorded':
    'Hat der Absender Ihre Adresse angegeben, kann er sehen, wann Sie einen Code anfordern und wann Sie den Link öffnen.',
  'recipient.send': 'Code senden',
  'recipient.have': 'Ich habe schon einen Code',
  'recipient.change': 'Adresse ändern',
  'recipient.code.title': 'Geben Sie den Code ein',
  'recipient.code.text': 'Wenn der Absender diese Adresse freigegeben hat, ist ein Code an sie unterwegs:',
  'recipient.code.only':
    'Codes gehen nur an Adressen, die der Absender freigegeben hat. Sie haben eingegeben:',
  'recipient.code.terms':
    'Ein Code öffnet den Link einmal, innerhalb von {minutes} Minuten und in dem Browser, in dem Sie ihn angefordert haben.',
  'recipient.code.field': 'Code aus der E-Mail (6 Ziffern)',
  'recipient.code.open': 'Link öffnen',
  'recipient.code.wrong':
    'Dieser Code ist falsch, abgelaufen oder schon verwendet, oder die Adresse stimmt nicht. Prüfen Sie Code und Adresse, oder fordern Sie einen neuen Code an. Nach {tries} falschen Codes gilt nur ein neuer.',
  'recipient.code.noCookie':
    'Ihr Browser hat mit dem Code kein Cookie gesendet. Entweder blockiert er Cookies, oder Sie haben den Code in einem anderen Browser oder vor mehr als {minutes} Minuten angefordert. Erlauben Sie Cookies für diese Website, und fordern Sie hier einen neuen Code an.',
  'recipient.resend': 'Neuen Code senden',

  'redirect.title': 'Sie sind dabei, einen Link zu öffnen',
  'redirect.text': 'Er führt zu dieser Website:',
  'redirect.open': 'Link öffnen',
  'download.title': 'Eine Datei steht zum Download bereit',
  'download.text': 'Der Download beginnt, wenn Sie auf die Schaltfläche klicken.',
  'download.open': 'Datei herunterladen',
  'download.started': 'Der Download hat begonnen.',
  'download.again': 'Erneut herunterladen',
  'text.title': 'Ein Text wurde mit Ihnen geteilt',
  'text.text': 'Er wird angezeigt, wenn Sie auf die Schaltfläche klicken.',
  'text.open': 'Text anzeigen',
  'text.shown': 'Geteilter Text',
  'text.last':
    'Der Text lässt sich nicht noch einmal öffnen. Kopieren Sie ihn, bevor Sie diese Seite schließen oder neu laden.',
  'text.copy': 'Kopieren',
  'text.copyFailed': 'Kopieren fehlgeschlagen. Markieren Sie den Text und kopieren Sie ihn von Hand.',
  'shown.title': 'Eine Datei wurde mit Ihnen geteilt',
  'shown.text': 'Sie wird in Ihrem Browser angezeigt, wenn Sie auf die Schaltfläche klicken.',
  'shown.open': 'Datei anzeigen',
  'shown.pdf': 'PDF öffnen',
  'shown.noPdf':
    'Dieser Browser zeigt die PDF-Datei nicht auf dieser Seite an. Öffnen Sie sie, oder laden Sie sie herunter.',
  'files.title': 'Dateien stehen zum Download bereit',
  'files.text': 'Nach dem Klick auf die Schaltfläche wählen Sie aus, was Sie herunterladen.',
  'files.open': 'Dateien anzeigen',
  'files.zip': 'Alle herunterladen (ZIP)',
  'files.count': { one: '{count} Datei', other: '{count} Dateien' },
  'files.named': SET_TITLES.de,
  'files.more': { one: 'Und {count} weitere Datei.', other: 'Und {count} weitere Dateien.' },
  'files.page': 'Seite {page} von {last}',
  'files.previous': 'Vorherige Dateien',
  'files.next': 'Weitere Dateien',
  'files.again':
    'Eine Zeit lang können Sie diese Seite neu laden und einen Download fortsetzen. Beides zählt nicht als erneutes Öffnen.',
  'encrypted.title': 'Eine verschlüsselte Datei oder ein verschlüsselter Text für Sie',
  'encrypted.text':
    'Es wurde vor dem Hochladen verschlüsselt. Ihr Browser entschlüsselt es hier: Der Dienst kann es nicht lesen.',
  'encrypted.again':
    'Sie haben es schon geöffnet. Es hier noch einmal zu entschlüsseln, zählt nicht als erneutes Öffnen.',
  'encrypted.size': 'Bis zu {size}',
  'encrypted.key': 'Passphrase oder Schlüssel',
  'encrypted.hint':
    'Wenn Sie keine Passphrase bekommen haben, bitten Sie um den ganzen Link: Der Teil nach # fehlt.',
  'encrypted.show': 'Anzeigen',
  'encrypted.open': 'Herunterladen und entschlüsseln',
  'encrypted.shown': 'Entschlüsselter Text',
  'encrypted.withoutScript':
    'Um es hier zu entschlüsseln, schalten Sie JavaScript ein. Die Schaltfläche unten lädt es verschlüsselt herunter. Dieser Befehl entschlüsselt es mit age und tar:',
  'encrypted.script.badLink':
    'Der Schlüssel am Ende der Adresse ist unvollständig oder wurde verändert. Kopieren Sie den ganzen Link noch einmal.',
  'encrypted.script.choose': 'Speicherort wählen',
  'encrypted.script.damaged':
    'Der Download ist beschädigt oder wurde verändert. Unvollständiges wurde nicht gespeichert. Ein neuer Versuch zählt nicht als erneutes Öffnen.',
  'encrypted.script.done': 'Entschlüsselt und geprüft.',
  'encrypted.script.failed':
    'Das hat nicht geklappt ({reason}). Unvollständiges wurde nicht gespeichert. Ein neuer Versuch zählt nicht als erneutes Öffnen.',
  'encrypted.script.insecure':
    'Browser entschlüsseln nur auf Seiten mit https://. Bitten Sie den Absender um einen solchen Link, oder öffnen Sie ihn mit der Befehlszeile.',
  'encrypted.script.progress': '{done} von {total}',
  'encrypted.script.ready': 'Bereit: {name}, {size}',
  'encrypted.script.save': '{name} speichern',
  'encrypted.script.saving': 'Ihr Browser speichert {name}. Seine Liste der Downloads zeigt den Fortschritt.',
  'encrypted.script.tooLarge':
    'Dieser Browser kann höchstens {size} entschlüsseln. Öffnen Sie den Link in Chrome, Edge oder Firefox oder mit der Befehlszeile.',
  'encrypted.script.wrongKey':
    'Diese Passphrase oder dieser Schlüssel ist falsch. Prüfen Sie die Eingabe und versuchen Sie es noch einmal. Das zählt nicht als erneutes Öffnen.',
  'command.title': 'Mit einem Befehl herunterladen',
  'command.counts':
    'Der Befehl ist für ein Terminal und kann einen unterbrochenen Download fortsetzen. Ihn anzuzeigen zählt als Öffnen des Links.',
  'command.show': 'Befehl anzeigen',
  'command.copy': 'Befehl kopieren',
  'command.copied': 'Kopiert',
  checksum: 'Prüfsumme (SHA-256)',
  'views.left': { one: 'Lässt sich noch {count}-mal öffnen', other: 'Lässt sich noch {count}-mal öffnen' },
  'views.counts': 'Wenn Sie ihn jetzt öffnen, zählt das.',
  expires: 'Läuft ab am {time}',
  opens: 'Gültig ab {time}',

  'request.title': 'Dateien senden',
  'request.from': 'Angefordert von {name}',
  'request.until': 'Bis {time}',
  'request.maxFiles': {
    one: 'Höchstens {count} Datei pro Einsendung',
    other: 'Höchstens {count} Dateien pro Einsendung',
  },
  'request.maxBytes': 'Zusammen höchstens {size} pro Einsendung',
  'request.files': 'Dateien',
  'request.choose': 'Dateien auswählen',
  'request.drop': 'Oder ziehen Sie Dateien auf diese Seite.',
  'request.remove': 'Datei entfernen',
  'request.unreadable': 'Eine Datei konnte nicht gelesen werden. Wählen Sie sie noch einmal.',
  'request.sender': 'Ihr Name (optional)',
  'request.note': 'Nachricht (optional)',
  'request.send': 'Dateien senden',
  'request.sending': 'Wird gesendet …',
  'request.proxyLimit':
    'Ein Proxy vor diesem Dienst lehnt Anfragen dieser Größe ab. Bitten Sie die Person, von der Sie diesen Link haben, um einen anderen Weg.',
  'request.failed': 'Das Senden ist fehlgeschlagen. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  'request.waiting': 'Verbindung unterbrochen. Neuer Versuch …',
  'request.occupied': 'Gerade senden andere Personen Dateien. Warten, bis Sie an der Reihe sind …',
  'request.chosen': 'Gewählt: {chosen}.',
  'request.sent': {
    one: 'Sie haben in diesem Tab am {time} bereits {count} Datei gesendet. Sie ist angekommen.',
    other: 'Sie haben in diesem Tab am {time} bereits {count} Dateien gesendet. Sie sind angekommen.',
  },
  'request.exceeded':
    'Sie haben mehr gesendet, deshalb wurde nichts gespeichert. Gehen Sie zurück und wählen Sie andere Dateien.',
  'request.encrypts':
    'Ihr Browser verschlüsselt die Dateien für diesen Schlüssel, bevor er sie sendet. Nur die Person, die darum bittet, kann sie entschlüsseln. Ihr Name und Ihre Nachricht werden nicht verschlüsselt.',
  'request.withoutScript': 'Zum Verschlüsseln und Senden: JavaScript einschalten oder postern submit nutzen.',
  'request.insecure': 'Browser verschlüsseln nur auf Seiten mit https://. Bitten Sie um einen solchen Link.',
  'receipt.title': 'Ihre Dateien sind angekommen',
  'receipt.close': 'Alle Dateien sind angekommen. Sie können diese Seite schließen.',
  'receipt.request': 'Anfrage',
  'receipt.note': 'Ihre Nachricht',
  'receipt.sender': 'Gesendet von {name}',
  'receipt.proof': 'Beweis',
  'receipt.text':
    'Die Prüfsummen zeigen später genau, welche Dateien Sie gesendet haben: Speichern Sie dafür diese Empfangsbestätigung.',
  'receipt.encrypted':
    'Die Prüfsumme zeigt später, welches verschlüsselte Archiv angekommen ist. Sie selbst haben dieses Archiv nicht: Nur die Person, die um die Dateien gebeten hat, kann es vergleichen und entschlüsseln.',
  'receipt.at': 'Eingegangen am {time}',
  'receipt.print': 'Drucken Sie dazu diese Seite, etwa als PDF.',
  'receipt.save': 'Empfangsbestätigung speichern',
  'receipt.fileName': 'Empfangsbestätigung',
  'receipt.heading': 'Empfangsbestätigung für gesendete Dateien',
  'receipt.address': 'Dateianforderung: {address}',
  'receipt.entry': 'Eintrag {number} im Verlauf dieser Dateien hat den Fingerabdruck {fingerprint}',
  'receipt.proves':
    'Was das beweist: Der Dienst hat diese Dateien zu dieser Zeit empfangen. Dieser Text allein lässt sich fälschen. Zusammen mit dem Verlauf, den die Person speichern kann, die um die Dateien gebeten hat, nicht.',
  'receipt.compute':
    'Die SHA-256 einer Datei berechnen Get-FileHash (Windows PowerShell), shasum -a 256 (macOS) oder sha256sum (Linux), jeweils mit ihrem Namen dahinter.',
  'receipt.check':
    'Um den Fingerabdruck zu prüfen, bitten Sie um den gespeicherten Verlauf und öffnen Sie die Seite „Verlauf überprüfen“ des Dienstes, unter dessen Adresse mit /verify.',

  'limited.hours': {
    one: 'Versuchen Sie es in {count} Stunde wieder.',
    other: 'Versuchen Sie es in {count} Stunden wieder.',
  },
  'limited.wait': {
    one: 'Versuchen Sie es in {count} Minute wieder.',
    other: 'Versuchen Sie es in {count} Minuten wieder.',
  },
  'download.counts': 'Der Download zählt.',

  'sender.link': '{name} schickt Ihnen einen Link',
  'sender.file': '{name} schickt Ihnen eine Datei',
  'sender.files': '{name} schickt Ihnen Dateien',
  'sender.text': '{name} schickt Ihnen einen Text',
  'sender.encrypted': '{name} schickt Ihnen eine verschlüsselte Datei oder einen verschlüsselten Text',
  'sender.receivedFile': 'An {name} gesendete Datei',
  'sender.received': 'An {name} gesendete Dateien',
  'sender.none': 'Der Absender hat keinen Namen angegeben.',
  'sender.service': 'Diese Seite gehört zu {host}.',
  'sender.account': 'Der Link gehört zum Konto „{name}“ dieses Dienstes.',
  'sender.unverified': 'Dieser Name wurde frei eingegeben und nicht geprüft.',
  'password.title': 'Dieser Link ist durch ein Passwort geschützt',
  'password.text': 'Geben Sie das Passwort ein, das Sie erhalten haben.',
  'password.field': 'Passwort',
  'password.show': 'Passwort anzeigen',
  'password.open': 'Link öffnen',
  'password.missing': 'Geben Sie das Passwort ein.',
  'password.wrong':
    'Falsches Passwort. Prüfen Sie die Groß- und Kleinschreibung und versuchen Sie es noch einmal.',

  'preview.title': 'Geteilter Link',
  'preview.text': 'Öffnen Sie den Link, um den Inhalt zu sehen.',
  open: 'Link öffnen',
  'unknownPath.title': 'Seite nicht gefunden',
  'unknownPath.text':
    'Unter dieser Adresse gibt es nichts. Prüfen Sie, ob sie vollständig ist, auch auf Groß- und Kleinschreibung.',
  home: 'Zur Startseite',
  'checkpoint.title': 'Prüfpunkt des Protokolls',
  'checkpoint.text': {
    one: 'Er umfasst {count} Eintrag aller Links, signiert am {time}.',
    other: 'Er umfasst die ersten {count} Einträge aller Links, signiert am {time}.',
  },
  'checkpoint.key': 'Schlüssel des Protokolls',
  'checkpoint.keep':
    'Bewahren Sie beides außerhalb dieses Dienstes auf. Damit zeigt /verify, ob seither Einträge des Protokolls geändert oder entfernt wurden. Ob später ein anderer Verlauf eines Links hinzugefügt wurde, zeigt es nicht: Bewahren Sie dafür den Zustellnachweis des Links auf.',
  'health.title.UP': 'Der Dienst läuft',
  'health.title.DOWN': 'Der Dienst hat ein Problem',
  'health.title.OUT_OF_SERVICE': 'Dienst nicht verfügbar',
  'health.text': 'Gerade geprüft. Programme erhalten unter dieser Adresse JSON.',
  'health.component.database': 'Datenbank',
  'health.component.storage': 'Dateispeicher',
  'health.component.scheduler': 'Ablaufprüfung',
  'health.UP': 'In Betrieb',
  'health.DOWN': 'Ausgefallen',
  'health.OUT_OF_SERVICE': 'Außer Betrieb',
  reference: 'Wenn es wieder passiert, nennen Sie dem Administrator diese Referenz:',
  abuse: 'Missbrauch melden',
  contact: 'Betreiber dieses Dienstes kontaktieren',
};
