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
    'Der Text am Ende ist ein Prüfpunkt: Mit ihm hat der Dienst den Stand seines Protokolls signiert, in dem die Einträge aller Links stehen. Er zeigt, ob einer der Einträge 1 bis {number} dieses Links geändert, entfernt oder hinzugefügt wurde, nachdem Sie diesen Nachweis erhalten haben. Fügen Sie ihn dazu ganz auf der Seite /verify unter „{label}“ ein.',
  checkpointLater:
    'Die Einträge nach {number} deckt er noch nicht ab. Der nächste Prüfpunkt deckt sie ab, innerhalb einer Minute: Öffnen Sie diesen Nachweis dann erneut.',
  checkpointLimits:
    'Er zeigt nicht, ob Einträge geändert wurden, bevor Sie diesen Nachweis erhalten haben, und nicht, ob stimmt, was darin steht.',
  witnesses:
    'Zeugen sind Dienste, die andere betreiben. Diese haben den Prüfpunkt ebenfalls signiert, zur Zeit ihrer eigenen Uhr:',
  witnessProves:
    'Ein Zeuge signiert nur, wenn seit dem Prüfpunkt, den er vorher signiert hat, kein Eintrag geändert oder entfernt wurde. Seine Signatur zeigt also, dass die Einträge 1 bis {number} zu dieser Zeit im Protokoll standen. Sie zeigt nicht, ob sie vorher geändert wurden. Um die Signatur zu prüfen, lassen Sie sich vom Betreiber des Zeugen dessen Schlüssel geben, und fügen Sie auch diesen ein.',
  noWitness:
    'Kein Zeuge hat diesen Prüfpunkt signiert. Zeugen sind Dienste, die andere betreiben; sie signieren nur, wenn seit ihrer letzten Signatur kein Eintrag geändert oder entfernt wurde. Ohne sie findet eine spätere Änderung des Protokolls nur, wer einen Nachweis oder Prüfpunkt aufbewahrt hat.',
  checkSubmissions:
    'Welche Dateien ankamen, prüfen Sie ebenso für jede Einsendung oben: „{button}“ bei der Einsendung speichert deren Verlauf, ihr Fingerabdruck steht dabei.',
  giveOfRequest:
    'Um es jemandem zu beweisen, geben Sie diesen Nachweis weiter, auf Papier oder als PDF, und die gespeicherten Verläufe: den der Dateianforderung und den jeder Einsendung, den Sie unten bei ihr speichern.',
  notNamed: 'Nicht angegeben',
  openable:
    'Dieser Nachweis zeigt die Adresse des Links. Personen, die diesen Nachweis oder den gespeicherten Verlauf bekommen, können den Link öffnen, bis er abläuft oder zurückgezogen wird, und der Verlauf führt das als Öffnung auf.',
  openableFiles:
    'Dieser Nachweis zeigt die Adresse der Dateien. Personen, die diesen Nachweis oder den gespeicherten Verlauf bekommen, können die Dateien herunterladen, bis die Adresse abläuft oder zurückgezogen wird.',
  openableSubmissions: {
    one: 'Personen, die diesen Nachweis oder die gespeicherten Verläufe bekommen, bekommen auch die Adressen der Einsendungen. Sie können die Dateien von {count} Einsendung herunterladen, bis diese abläuft oder zurückgezogen wird. „{edit}“ daneben führt dorthin, wo Sie das ändern.',
    other:
      'Personen, die diesen Nachweis oder die gespeicherten Verläufe bekommen, bekommen auch die Adressen der Einsendungen. Sie können die Dateien von {count} Einsendungen herunterladen, bis diese ablaufen oder zurückgezogen werden. „{edit}“ daneben führt jeweils dorthin, wo Sie das ändern.',
  },
  restrict: 'Passwort oder Ablauf festlegen',
} satisfies RecordMessages;
