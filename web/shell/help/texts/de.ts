import type { HelpMessages } from './en.ts';

export const de = {
  'send.question': 'Wie sende ich jemandem eine Datei?',
  'send.answer':
    'Wählen Sie „{create}“, fügen Sie die Datei hinzu und kopieren Sie den Link. Ist der Inhalt vertraulich, setzen Sie ein Passwort und erlauben Sie nur einen Aufruf. Teilen Sie das Passwort auf anderem Weg mit, etwa am Telefon.',
  'seen.question': 'Woran sehe ich, ob der Link geöffnet wurde?',
  'seen.answer':
    'Öffnen Sie die Seite des Links unter „{links}“. Der erste Satz sagt, wie oft und wann er geöffnet wurde und ob die Datei vollständig gesendet wurde.',
  'previews.question': 'Warum stehen Vorschauen im Verlauf?',
  'previews.answer':
    'E-Mail-Scanner und Chats rufen eine Adresse ab, bevor ein Mensch es tut. Das zählt nicht als Aufruf. Darf ein Link nur einmal geöffnet werden, schalten Sie „{confirm}“ ein.',
  'stop.question': 'Kann ich einen Link zurücknehmen?',
  'stop.answer':
    'Ja. Widerrufen Sie ihn auf seiner Seite, dann lässt er sich nie mehr öffnen. Oder pausieren Sie ihn und setzen Sie ihn später fort.',
  'password.question': 'Ich habe das Passwort eines Links vergessen. Was nun?',
  'password.answer':
    'Der Dienst speichert es nicht lesbar. Bearbeiten Sie den Link und setzen Sie ein neues Passwort.',
  'receive.question': 'Wie bitte ich jemanden um Dateien?',
  'receive.answer':
    'Wählen Sie „{create}“, dann „{request}“. Wer diesen Link hat, kann Ihnen Dateien senden, sieht aber nicht, was andere gesendet haben.',
  'prove.question': 'Wie beweise ich später, dass ein Link geöffnet wurde?',
  'prove.answer':
    'Wählen Sie auf seiner Seite „{record}“ und geben Sie das Blatt jemand anderem, oder bewahren Sie es sicher auf. Wählen Sie außerdem „{export}“. Mit beidem kann jeder unter „{verify}“ prüfen, dass nichts verändert wurde.',
  'lists.question': 'Wo finde ich die Links, die ich erstellt habe?',
  'lists.answer':
    'Links, die Sie angemeldet erstellt haben, stehen auf jedem Gerät unter „{links}“. Andere kennt nur der Browser, in dem sie erstellt wurden.',
  'secret.question': 'Kann der Administrator lesen, was ich sende?',
  'secret.answer': 'Ja, außer Sie verschlüsseln es. Dann kann es nur lesen, wer die ganze Adresse hat.',
  'further.question': 'Wer hilft mir weiter?',
  'further.answer': 'Der Administrator dieses Dienstes.',
} satisfies HelpMessages;
