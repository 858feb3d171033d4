import type { ReceivedTexts } from './en.ts';

export const de: ReceivedTexts = {
  typedName: 'Diesen Namen hat der Absender eingegeben. Er ist nicht geprüft.',
  request: 'Gesendet auf Ihre Dateianforderung:',
  note: 'Notiz des Absenders',
  access: 'Wer diese Dateien öffnen kann',
  anyone:
    'Diese Adresse haben Personen, die diese Seite sehen dürfen, und Personen, die einen Nachweis oder einen gespeicherten Verlauf davon bekommen haben; der Absender hat sie nicht. Wer sie bekommt, kann die Dateien öffnen.',
  anyoneWithPassword:
    'Diese Adresse haben Personen, die diese Seite sehen dürfen, und Personen, die einen Nachweis oder einen gespeicherten Verlauf davon bekommen haben; der Absender hat sie nicht. Wer sie und das Passwort bekommt, kann die Dateien öffnen.',
  anyoneEncrypted:
    'Diese Adresse haben Personen, die diese Seite sehen dürfen, und Personen, die einen Nachweis oder einen gespeicherten Verlauf davon bekommen haben; der Absender hat sie nicht. Wer sie bekommt, kann die verschlüsselten Dateien herunterladen, aber nur Ihr geheimer Schlüssel öffnet sie.',
  neverExpires: 'Ein Ablauf ist nicht festgelegt.',
  expires: 'Sie läuft am {time} ab.',
  ending:
    'Ist sie abgelaufen oder zurückgezogen, lassen sich die Dateien auch hier nicht mehr herunterladen: Laden Sie sie vorher herunter.',
  setExpiry: 'Ablauf festlegen',
  changeExpiry: 'Ablauf ändern',
  downloadRecorded:
    'Auch Ihre eigenen Downloads zählen mit. Der Verlauf zeigt nicht, wer heruntergeladen hat: Ohne Passwort genügt dafür die Adresse einer Einsendung.',
};
