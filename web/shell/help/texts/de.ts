import type { HelpMessages } from './en.ts';

export const de = {
  'send.question': 'Wie sende ich eine Datei mit Passwort?',
  'send.answer':
    'Wählen Sie „{create}“, dann „{files}“. Fügen Sie die Datei hinzu, geben Sie ein Passwort ein oder lassen Sie eines generieren, und erstellen Sie den Link. „{message}“ kopiert einen Text für Ihre E-Mail. Teilen Sie das Passwort auf anderem Weg mit, etwa am Telefon. „{copyPassword}“ gibt es nur, bis Sie die Seite verlassen.',
  'only.question': 'Wie erreiche ich, dass nur bestimmte Personen einen Link öffnen?',
  'only.answer':
    'Geben Sie beim Erstellen ihre E-Mail-Adressen unter „{who}“ ein. Zum Öffnen fordert jede Person einen Code an, den der Dienst an diese Adresse sendet. Verlauf und Nachweis nennen dann die Adresse. Wenn „{who}“ fehlt, sendet dieser Dienst keine solchen Codes.',
  'seen.question': 'Woran sehe ich, ob der Link geöffnet wurde?',
  'seen.answer':
    '„{create}“ zeigt Ihre neuesten Links und ob sie geöffnet wurden; „{links}“ zeigt alle. Die Seite eines Links sagt auch, ob die Datei vollständig gesendet wurde. Jedes Öffnen zählt als Aufruf, auch Ihr eigenes.',
  'previews.question': 'Warum stehen Vorschauen im Verlauf?',
  'previews.answer':
    'Eine Vorschau ist ein Programm, das sich den Link nur angesehen hat; das zählt nicht als Aufruf. Viele Chats und E-Mail-Scanner rufen aber den Inhalt ab, bevor ein Mensch den Link öffnet, und das zählt als Aufruf. Schalten Sie „{confirm}“ ein oder setzen Sie ein Passwort, dann verbrauchen sie keine Aufrufe.',
  'stop.question': 'Kann ich einen Link zurückziehen?',
  'stop.answer':
    'Ja. Wählen Sie auf seiner Seite „{revoke}“, dann lässt er sich nie mehr öffnen. Oder wählen Sie unter „{more}“ die Aktion „{pause}“ und später „{resume}“.',
  'password.question': 'Ich habe das Passwort eines Links vergessen. Was nun?',
  'password.answer':
    'Der Dienst speichert es nicht lesbar. Wählen Sie auf der Seite des Links „{edit}“ und setzen Sie ein neues Passwort.',
  'receive.question': 'Wie bitte ich jemanden um Dateien?',
  'receive.answer':
    'Wählen Sie „{create}“, dann „{request}“, schreiben Sie, was Sie brauchen, erstellen Sie den Link und senden Sie ihn. Wer ihn hat, kann Ihnen ohne Konto Dateien senden und sieht nicht, was andere gesendet haben. Die Dateien stehen auf der Seite dieses Links unter „{received}“.',
  'prove.question': 'Wie beweise ich später, dass ein Link geöffnet wurde?',
  'prove.answer':
    'Öffnen Sie auf seiner Seite „{record}“, drucken Sie ihn oder speichern Sie ihn als PDF, und wählen Sie außerdem „{export}“. Bewahren Sie beides auf, oder geben Sie beides weiter. Damit kann jeder unter „{verify}“ ohne Konto prüfen, dass nichts verändert wurde.',
  'invite.question': 'Wie lade ich eine Kollegin oder einen Kollegen ein?',
  'invite.answer':
    'Wenn Sie oben „{people}“ sehen, wählen Sie es und dann „{add}“. Sie erhalten einen Link, den Sie der Person senden und mit dem sie ein Passwort festlegt. Fragen Sie sonst den Administrator.',
  'lists.question': 'Wo finde ich die Links, die ich erstellt habe?',
  'lists.answer':
    'Unter „{links}“. Links, die Sie angemeldet erstellt haben, stehen dort auf jedem Gerät, andere nur in dem Browser, in dem sie erstellt wurden.',
  'secret.question': 'Kann der Administrator lesen, was ich sende?',
  'secret.answer':
    'Ja, außer Sie schalten „{encrypt}“ ein. Dann kann es nur lesen, wer die ganze Adresse oder die Passphrase hat.',
  'further.question': 'Wer hilft mir weiter?',
  'further.answer': 'Der Administrator dieses Dienstes.',
} satisfies HelpMessages;
