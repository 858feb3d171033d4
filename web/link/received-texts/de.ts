import type { ReceivedTexts } from './en.ts';

export const de: ReceivedTexts = {
  typedName: 'Diesen Namen hat der Absender eingegeben. Er ist nicht geprüft.',
  request: 'Gesendet auf Ihre Dateianforderung:',
  note: 'Notiz des Absenders',
  access: 'Wer diese Dateien öffnen kann',
  anyone: 'Nur Sie brauchen diese Adresse. Wer sie hat, kann die Dateien öffnen.',
  anyoneWithPassword:
    'Nur Sie brauchen diese Adresse. Wer sie und das Passwort hat, kann die Dateien öffnen.',
  anyoneEncrypted:
    'Nur Sie brauchen diese Adresse. Wer sie hat, kann die verschlüsselten Dateien herunterladen, aber nur Ihr geheimer Schlüssel öffnet sie.',
  neverExpires: 'Sie läuft nie ab.',
  expires: 'Sie läuft am {time} ab.',
  ending:
    'Ist sie abgelaufen oder zurückgezogen, lassen sich die Dateien auch hier nicht mehr herunterladen: Laden Sie sie vorher herunter.',
  setExpiry: 'Ablauf festlegen',
  changeExpiry: 'Ablauf ändern',
};
