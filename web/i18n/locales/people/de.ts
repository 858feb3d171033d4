import type { PeopleDictionary } from '../../translate.ts';

export const de = {
  'signIn.name': 'Name',
  'signIn.password': 'Passwort',
  'signIn.stay': 'Angemeldet bleiben',
  'signIn.withKey': 'Stattdessen einen API-Schlüssel verwenden',
  'signIn.forgotten': 'Passwort vergessen? Bitten Sie den Administrator um einen neuen Link.',
  'signIn.missingPassword': 'Geben Sie Ihren Namen und Ihr Passwort ein.',
  'signIn.wrongPassword': 'Der Name oder das Passwort ist falsch.',
  'signIn.tooMany': 'Zu viele Versuche. Warten Sie, bevor Sie es erneut versuchen.',
  'signIn.needsTls':
    'Die Anmeldung ist nur über https möglich. Öffnen Sie die https-Adresse dieser Seite, oder fragen Sie den Administrator.',
  'signIn.provider': 'Weiter mit Single Sign-on',
  'signIn.failed':
    'Die Anmeldung ist fehlgeschlagen. Versuchen Sie es erneut, oder fragen Sie den Administrator.',
  'signIn.groups':
    'Sie gehören zu mehr Gruppen, als Ihre Organisation mitteilt. Bitten Sie den Administrator, nur die mitzuteilen, die hier zählen.',
  'account.title': 'Ihr Konto',
  'account.may': 'Was Sie dürfen',
  'account.mayNothing': 'Sie dürfen noch nichts. Fragen Sie den Administrator dieses Dienstes.',
  'account.create': 'Links erstellen',
  'account.read': 'Alle Links, ihren Verlauf und die Statistik ansehen',
  'account.manage': 'Links anderer ändern und widerrufen',
  'account.metrics': 'Metriken lesen',
  'account.admin': 'Personen, Teams und API-Schlüssel verwalten',
  'account.sessions': 'Wo Sie angemeldet sind',
  'account.here': 'Dieser Browser',
  'account.used': 'Zuletzt verwendet: {time}',
  'account.endOthers': 'Überall sonst abmelden',
  'account.setPassword': 'Passwort festlegen',
  'account.present': 'Aktuelles Passwort',
  'account.newPassword': 'Neues Passwort',
  'account.hint': 'Mindestens 12 Zeichen. Ein paar Wörter lassen sich leicht merken.',
  'account.save': 'Passwort speichern',
  'account.changed': 'Ihr Passwort wurde geändert, und Sie wurden überall sonst abgemeldet.',
  'account.tooShort': 'Verwenden Sie mindestens 12 Zeichen.',
  'account.wrong': 'Das aktuelle Passwort ist falsch.',
  'account.linkEnded':
    'Dieser Link wurde bereits verwendet oder ist abgelaufen. Bitten Sie den Administrator um einen neuen.',
  'open.title': 'Konten einrichten',
  'open.why': 'Bis dahin kann jeder, der diesen Dienst erreicht, Links erstellen und die anderer widerrufen.',
  'open.set': 'Setzen Sie auf dem Server {setting} und starten Sie den Dienst neu.',
  'open.address':
    'Öffnen Sie die Adresse, die beim Start ausgegeben wird. Dort legen Sie das Passwort des ersten Administrators fest.',
  'open.then': 'Fügen Sie die anderen danach unter „Personen“ hinzu. Vorhandene Links bleiben.',
} as const satisfies PeopleDictionary;
