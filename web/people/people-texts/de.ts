import type { PeopleMessages } from './en.ts';

export const de = {
  'account.may': 'Ihre Berechtigungen',
  'account.mayNothing': 'Sie haben noch keine Berechtigungen. Fragen Sie den Administrator dieses Dienstes.',
  'account.renamed':
    'Der Name aus Ihrer Anmeldung ist hier möglicherweise vergeben, daher heißen Sie „{name}“. Falls Sie schon ein Konto hatten, bitten Sie den Administrator, Ihnen dessen Links zu übertragen.',
  'account.fromGroup': 'Das haben Sie aus Ihrer Gruppe „{group}“.',
  'account.teams':
    'Ihre Teams: {teams}. Sie können alle Links ansehen und ändern, die mit ihnen geteilt sind.',
  'account.askAdministrator': 'Fragen Sie einen Administrator, wenn Sie etwas anderes brauchen.',
  'may.title': 'Berechtigungen',
  'may.createHint':
    'Auch eigene Links ändern und zurückziehen, ebenso solche, die mit eigenen Teams geteilt sind.',
  'may.readHint': 'Einschließlich Verlauf und Statistik.',
  'may.manageHint': 'Links anderer Personen ändern, zurückziehen und übergeben.',
  'may.adminHint':
    'Personen hinzufügen und festlegen, was sie dürfen; Teams und alle API-Schlüssel verwalten.',
  'may.metricsHint': 'Nur für Überwachungsprogramme.',
  'may.nothing': 'Keine',
  'may.fromGroup': 'Aus der Gruppe „{group}“ des Single Sign-on. Ändern Sie es dort.',
  'may.fromAll': 'Das haben alle, die Single Sign-on verwenden.',
  'account.sessions': 'Wo Sie angemeldet sind',
  'account.here': 'Dieser Browser',
  'account.used': 'Zuletzt verwendet: {time}',
  'account.endOthers': 'Überall sonst abmelden',
  'account.changed': 'Ihr Passwort wurde geändert, und Sie wurden überall sonst abgemeldet.',
  'people.sections': 'Bereiche',
  'people.actions': 'Aktionen',
  'people.addText':
    'Es wird keine Einladung verschickt. Sie erhalten einen Link für die Person, mit dem sie ihr Passwort festlegt.',
  'people.nameHint':
    'Zum Anmelden und in Verläufen. Wird kleingeschrieben und lässt sich später nicht ändern.',
  'people.emailHint': 'Optional. Für Benachrichtigungen über die Links der Person und für Single Sign-on.',
  'people.emergency': 'Notfallkonto',
  'people.emergencyHint':
    'Kann sich mit einem Passwort anmelden, auch wenn alle anderen Single Sign-on verwenden müssen.',
  'people.change': 'Ändern',
  'people.changeTitle': '{name} ändern',
  'people.save': 'Änderungen speichern',
  'people.changed': '{name} wurde geändert.',
  'people.lastSignIn': 'Letzte Anmeldung: {time}',
  'people.noSignIn': 'Noch nicht angemeldet',
  'people.never': 'Nie',
  'people.newLink': 'Neuer Passwort-Link',
  'people.newLinkText':
    'Ein früherer, unbenutzter Link funktioniert nicht mehr. Das jetzige Passwort gilt, bis ein neues festgelegt ist.',
  'people.linkFor': 'Passwort-Link für {name}',
  'people.linkNote':
    'Senden Sie diesen Link an {name}. Mit ihm lässt sich bis {time} einmal ein Passwort festlegen. Er wird nicht noch einmal angezeigt.',
  'people.message':
    'Legen Sie hier Ihr Passwort für {service} fest: {url}\nDer Link funktioniert einmal, bis {time}. Ihr Name zum Anmelden: {name}',
  'people.copyLink': 'Passwort-Link kopieren',
  'people.done': 'Fertig',
  'people.deactivate': 'Deaktivieren',
  'people.deactivateTitle': '{name} deaktivieren?',
  'people.deactivateText':
    '{name} wird überall abgemeldet, und die API-Schlüssel von {name} funktionieren nicht mehr. Nichts wird gelöscht, und Sie können {name} später wieder aktivieren.',
  'people.linksTo': {
    one: 'Den Link von {name} übergeben an',
    other: '{count} Links von {name} übergeben an',
  },
  'people.choose': 'Person auswählen',
  'people.chooseOwner': 'Wählen Sie aus, wer die Links bekommt.',
  'people.wasDeactivated': '{name} wurde deaktiviert.',
  'people.reactivate': 'Wieder aktivieren',
  'people.reactivated': '{name} kann sich wieder anmelden.',
  'teams.hint': 'Die Mitglieder eines Teams können alle Links ansehen und ändern, die mit ihm geteilt sind.',
  'teams.empty': 'Es gibt noch keine Teams.',
  'teams.add': 'Team erstellen',
  'teams.members': 'Mitglieder',
  'teams.delete': 'Team löschen',
  'teams.deleteTitle': 'Team {name} löschen?',
  'teams.deleteText': 'Die Konten der Mitglieder bleiben. Es sind keine Links mit dem Team geteilt.',
  'teams.hasLinks': {
    one: '{count} Link ist mit diesem Team geteilt. Beenden Sie zuerst die Freigabe.',
    other: '{count} Links sind mit diesem Team geteilt. Beenden Sie zuerst die Freigabe.',
  },
  'teams.showLinks': 'Links anzeigen',
  'apiKeys.hint':
    'Für Programme. Ein Schlüssel darf höchstens, was Sie dürfen, und die Links, die er erstellt, gehören Ihnen.',
  'apiKeys.hintAll': 'Für Programme. Der Schlüssel einer Person darf höchstens, was die Person darf.',
  'apiKeys.empty': 'Es gibt noch keine Schlüssel.',
  'apiKeys.add': 'Schlüssel erstellen',
  'apiKeys.nameHint': 'Zum Beispiel der Name des Programms. Er erscheint in Verläufen.',
  'apiKeys.owner': 'Gehört zu',
  'apiKeys.service': 'Keiner Person',
  'apiKeys.serviceHint': 'Seine Links gehören dem Schlüssel. Er bleibt, wenn Personen ausscheiden.',
  'apiKeys.personHint':
    'Seine Links gehören dieser Person. Er funktioniert nicht mehr, wenn sie deaktiviert wird.',
  'apiKeys.limited': 'Die übrigen Berechtigungen hat ihr Besitzer nicht mehr.',
  'apiKeys.expires': 'Läuft ab',
  'apiKeys.until': 'Läuft ab: {time}',
  'apiKeys.noEnd': 'Läuft nie ab',
  'apiKeys.lastUsed': 'Zuletzt verwendet',
  'apiKeys.addedTitle': 'Schlüssel {name}',
  'apiKeys.copy': 'Schlüssel kopieren',
  'apiKeys.once': 'Kopieren Sie ihn jetzt: Er wird nicht noch einmal angezeigt.',
  'apiKeys.revoke': 'Schlüssel widerrufen',
  'apiKeys.revokeTitle': 'Schlüssel {name} widerrufen?',
  'apiKeys.revokeText':
    'Programme, die ihn verwenden, funktionieren nach wenigen Sekunden nicht mehr. Das lässt sich nicht rückgängig machen.',
} satisfies PeopleMessages;
