import type { Texts } from './texts.ts';

export const de: Texts = {
  notices: {
    NOT_FOUND: {
      title: 'Diesen Link gibt es nicht',
      text: 'Bitte prüfen Sie, ob die Adresse vollständig ist, auch Groß- und Kleinschreibung, oder fragen Sie die Person, von der Sie sie haben.',
    },
    FILE_NOT_FOUND: {
      title: 'Die Datei fehlt',
      text: 'Der Link stimmt, aber seine Datei ist nicht da. Es wurde kein Aufruf gezählt. Bitte sagen Sie es der Person, von der Sie ihn haben.',
    },
    REVOKED: {
      title: 'Dieser Link wurde zurückgezogen',
      text: 'Wer ihn erstellt hat, hat ihn zurückgenommen und kann Ihnen einen neuen geben.',
    },
    EXPIRED: {
      title: 'Dieser Link ist abgelaufen',
      text: 'Seine Zeit ist vorbei. Wer ihn Ihnen gegeben hat, kann einen neuen erstellen.',
    },
    VIEW_LIMIT_REACHED: {
      title: 'Dieser Link ist aufgebraucht',
      text: 'Er wurde so oft geöffnet wie erlaubt. Wer ihn Ihnen gegeben hat, kann einen neuen erstellen.',
    },
    UNEXPECTED_STATE: {
      title: 'Dieser Link ist nicht aktiv',
      text: 'Er lässt sich nicht mehr öffnen. Wer ihn Ihnen gegeben hat, kann einen neuen erstellen.',
    },
    FAULT: {
      title: 'Bei uns ist etwas schiefgegangen',
      text: 'Der Link ließ sich nicht öffnen. Bitte versuchen Sie es gleich noch einmal.',
    },
    CROSS_SITE: {
      title: 'Eine andere Website wollte diesen Link öffnen',
      text: 'Zur Sicherheit wurde er nicht geöffnet und kein Aufruf gezählt. Sie können ihn selbst öffnen.',
    },
    FORM: {
      title: 'Das ließ sich nicht lesen',
      text: 'Was gesendet wurde, ist nicht das, was die Seite sendet. Bitte gehen Sie zurück und versuchen Sie es noch einmal.',
    },
  },
  redirect: {
    title: 'Sie öffnen gleich einen Link',
    text: 'Er führt auf eine andere Seite.',
    open: 'Link öffnen',
  },
  download: {
    title: 'Eine Datei wartet auf Sie',
    text: 'Sie wird heruntergeladen, sobald Sie auf die Schaltfläche drücken.',
    open: 'Datei herunterladen',
    started: 'Der Download hat begonnen.',
  },
  viewsLeft: { one: 'Noch {count} Aufruf', other: 'Noch {count} Aufrufe' },
  expires: 'Läuft ab am {time}',
  countsAsView: 'Das Öffnen zählt als ein Aufruf.',
  password: {
    title: 'Dieser Link hat ein Passwort',
    text: 'Geben Sie das ein, das Sie dazu bekommen haben.',
    field: 'Passwort',
    show: 'Passwort anzeigen',
    open: 'Öffnen',
    missing: 'Geben Sie das Passwort ein.',
    wrong:
      'Das ist nicht das Passwort. Prüfen Sie Groß- und Kleinschreibung und versuchen Sie es noch einmal.',
  },
  preview: { title: 'Ein Link für Sie', text: 'Öffnen Sie ihn, um zu sehen, was es ist.' },
  openHere: 'Link öffnen',
  reference: 'Wenn es wieder geschieht, nennen Sie der Person, die den Dienst betreibt, dieses Zeichen:',
};
