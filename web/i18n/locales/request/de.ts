import type { RequestDictionary } from '../../translate.ts';

export const de: RequestDictionary = {
  'state.views': { one: '{count} Einsendung', other: '{count} Einsendungen' },
  'state.viewsOf': {
    by: 'whole',
    one: '{count} von {whole} Einsendung',
    other: '{count} von {whole} Einsendungen',
  },
  'state.lastOpened': 'Letzte Einsendung am {when}',
  'column.views': 'Einsendungen',
  'column.lastOpened': 'Letzte Einsendung',
  'access.success': 'Dateien eingegangen',
  'access.viewLimit': 'Limit der Einsendungen erreicht',
  'board.noViewsInPeriod': 'Keine Einsendungen in diesem Zeitraum.',
  views: 'Einsendungen',
  'views.limit': { one: 'Höchstens {count} Einsendung', other: 'Höchstens {count} Einsendungen' },
  'views.once': 'Eine Einsendung',
  'views.field': { one: 'Einsendung', other: 'Einsendungen' },
  'notifyEmail.hint': 'Eine E-Mail meldet, wenn Dateien eingehen, höchstens einmal pro Minute.',
  'linkState.active': 'Wer diesen Link hat, kann Dateien senden.',
  'linkState.activePassword': 'Wer diesen Link und sein Passwort hat, kann Dateien senden.',
  'linkState.usedUp':
    'Er nimmt keine Dateien mehr an: Alle Einsendungen sind verbraucht. Erhöhen Sie das Limit, um weitere zu erhalten.',
  'linkState.expired':
    'Er ist abgelaufen und nimmt keine Dateien mehr an, solange sein Ablauf nicht geändert wird.',
  'linkState.revoked': 'Er wurde widerrufen und nimmt keine Dateien mehr an.',
  'linkState.paused': 'Er ist pausiert und nimmt erst nach dem Fortsetzen wieder Dateien an.',
  'linkState.scheduled': 'Er nimmt erst ab dem Startzeitpunkt Dateien an.',
  'entry.opened': 'Dateien eingegangen',
  'entry.previewMeaning':
    'Vorschau: eine Anfrage, die keine Dateien gesendet hat, etwa die Linkvorschau eines Chats oder ein Blick auf die Seite. Sie zählt nicht als Einsendung.',
  'certificate.limits':
    'Der Verlauf zeigt, wann und von welcher Adresse Dateien gesendet wurden. Er beweist nicht, wer diese Adresse benutzt hat. Mehr dazu: {document} in einer Kopie von Postern.',
  'edit.maxViews': 'Limit der Einsendungen',
  'edit.maxViewsHint': {
    one: 'Bisher {count} Einsendung. Leer: kein Limit. Ist das Limit erreicht, nimmt der Link keine Dateien mehr an.',
    other:
      'Bisher {count} Einsendungen. Leer: kein Limit. Ist das Limit erreicht, nimmt der Link keine Dateien mehr an.',
  },
  'edit.maxViewsTooLow': {
    one: 'Bisher {count} Einsendung: Ein niedrigeres Limit wird als {count} gespeichert, und der Link nimmt keine Dateien mehr an.',
    other:
      'Bisher {count} Einsendungen: Ein niedrigeres Limit wird als {count} gespeichert, und der Link nimmt keine Dateien mehr an.',
  },
  'edit.pausedHint': 'Bis Sie den Link fortsetzen, nimmt er keine Dateien an.',
  'code.hint':
    'Der Link geht unter einer neuen Adresse weiter, mit seinen Bedingungen und den verbleibenden Einsendungen. Der bisherige Verlauf und was eingegangen ist, bleiben bei der alten Adresse, die nicht mehr funktioniert: Geben Sie die neue allen, die sie brauchen.',
};
