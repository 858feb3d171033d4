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
    one: 'Findet die Seite keine Änderung, wurde der erste Eintrag seit der Erstellung dieses Nachweises weder geändert noch entfernt.',
    other:
      'Findet die Seite keine Änderung, wurde von den Einträgen 1 bis {count} seit der Erstellung dieses Nachweises keiner geändert, entfernt, hinzugefügt oder verschoben.',
  },
  titleOfReceived: 'Nachweis über empfangene Dateien: {title}',
  limitsOfReceived:
    'Der Verlauf zeigt, wann und von welcher IP-Adresse Dateien gesendet wurden. Er beweist nicht, wer sie benutzt hat.',
  typedNames: 'Die Namen haben die Absender selbst eingegeben. Sie wurden nicht geprüft.',
  coversReceived:
    'Der Fingerabdruck am Ende dieses Nachweises deckt ab, wann Dateien gesendet wurden. Welche es waren, deckt der Verlauf jeder Einsendung ab, deren Fingerabdruck oben steht.',
  checkpoint: 'Für Fachleute: signierter Prüfpunkt des Protokolls',
  checkpointText:
    'Der Text unten, den der Dienst signiert hat, zeigt, ob ein Eintrag bis Nummer {number} geändert, entfernt oder hinzugefügt wurde, nachdem Sie diesen Nachweis erhalten haben: Fügen Sie ihn ganz auf der Seite /verify unter „{label}“ ein. Er zeigt keine früheren Änderungen und nicht, ob die Einträge stimmen.',
  checkpointLater:
    'Der signierte Prüfpunkt am Ende deckt die neuesten Einträge noch nicht ab: Öffnen Sie diesen Nachweis vor dem Drucken in einer Minute erneut.',
  witnesses: 'Diese Zeugen, Dienste anderer Betreiber, haben ihn ebenfalls signiert, nach ihrer eigenen Uhr:',
  witnessProves:
    'Ein Zeuge signiert nur, wenn seit seiner vorigen Signatur kein Eintrag geändert oder entfernt wurde: Alle Einträge bis Nummer {number} standen also zu dieser Zeit im Protokoll. Um eine Signatur zu prüfen, lassen Sie sich vom Betreiber des Zeugen dessen Schlüssel geben, und fügen Sie auch diesen ein.',
  checkSubmissions:
    'Welche Dateien ankamen, prüfen Sie ebenso für jede Einsendung oben: „{button}“ speichert ihren Verlauf, und ihr Fingerabdruck steht daneben.',
  giveOfRequest:
    'Um es jemandem zu beweisen, geben Sie diesen Nachweis weiter, auf Papier oder als PDF, und die gespeicherten Verläufe: den der Dateianforderung und den jeder Einsendung, den Sie unten bei ihr speichern.',
  notNamed: 'Nicht angegeben',
  openable:
    'Dieser Nachweis zeigt die Adresse des Links. Personen, die diesen Nachweis oder den gespeicherten Verlauf bekommen, können den Link öffnen, solange er nicht abgelaufen oder zurückgezogen ist, und der Verlauf führt das als Öffnung auf.',
  openableFiles:
    'Dieser Nachweis zeigt die Adresse der Dateien. Personen, die diesen Nachweis oder den gespeicherten Verlauf bekommen, können die Dateien herunterladen, solange die Adresse nicht abgelaufen oder zurückgezogen ist.',
  openableSubmissions: {
    one: 'Personen, die diesen Nachweis oder die gespeicherten Verläufe bekommen, bekommen auch die Adressen der Einsendungen und können die Dateien von {count} Einsendung herunterladen. Um das zu verhindern, wählen Sie unten bei dieser Einsendung „{edit}“ und legen ein Passwort oder einen Ablauf fest.',
    other:
      'Personen, die diesen Nachweis oder die gespeicherten Verläufe bekommen, bekommen auch die Adressen der Einsendungen und können die Dateien von {count} Einsendungen herunterladen. Um das zu verhindern, wählen Sie unten bei jeder davon „{edit}“ und legen ein Passwort oder einen Ablauf fest.',
  },
  saveRequest: 'Verlauf der Anforderung speichern',
  saveSubmission: 'Verlauf dieser Einsendung speichern',
  restrict: 'Passwort oder Ablauf festlegen',
} satisfies RecordMessages;
