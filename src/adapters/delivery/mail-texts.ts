import type { Language } from '../../common/languages.ts';
import type { Messages, Translated } from '../../common/translate.ts';

export const ENGLISH = {
  link: 'Your link {code}',
  request: 'your request {code}',
  label: '“{label}”',
  subject: { one: '{link} was opened', other: '{link} was opened {count} times' },
  arrived: 'Files arrived for {request}',
  opened: '{time}: opened from {address}',
  openedUnknown: '{time}: opened, address unknown',
  more: { one: '{count} more before', other: '{count} more before' },
  history: 'All attempts:',
  entries: { one: 'The history has {count} entry.', other: 'The history has {count} entries.' },
  fingerprint: 'Fingerprint of the newest entry: {fingerprint}',
  keep: 'Keep this mail: with the fingerprint you can show later that the history up to here is unchanged.',
  stop: 'To stop these mails, clear “Notify me” in Edit: {url}',
  ask: 'If you cannot change the link, ask the administrator: {sender}',
} as const satisfies Messages;

const GERMAN: Translated<typeof ENGLISH> = {
  link: 'Ihr Link {code}',
  request: 'Ihre Anfrage {code}',
  label: '„{label}“',
  subject: { one: '{link} wurde geöffnet', other: '{link} wurde {count}-mal geöffnet' },
  arrived: 'Für {request} sind Dateien eingegangen',
  opened: '{time}: geöffnet von {address}',
  openedUnknown: '{time}: geöffnet, Adresse unbekannt',
  more: { one: '{count} weiteres Mal davor', other: '{count} weitere Male davor' },
  history: 'Alle Versuche:',
  entries: { one: 'Der Verlauf hat {count} Eintrag.', other: 'Der Verlauf hat {count} Einträge.' },
  fingerprint: 'Fingerabdruck des neuesten Eintrags: {fingerprint}',
  keep: 'Bewahren Sie diese E-Mail auf: Mit dem Fingerabdruck können Sie später zeigen, dass der Verlauf bis hierher unverändert ist.',
  stop: 'Um diese E-Mails zu beenden, leeren Sie „Benachrichtigung an“ unter „Bearbeiten“: {url}',
  ask: 'Wenn Sie den Link nicht ändern dürfen, wenden Sie sich an den Administrator: {sender}',
};

const FRENCH: Translated<typeof ENGLISH> = {
  link: 'Votre lien {code}',
  request: 'votre demande {code}',
  label: '« {label} »',
  subject: {
    one: '{link} a été ouvert',
    many: '{link} a été ouvert {count} de fois',
    other: '{link} a été ouvert {count} fois',
  },
  arrived: 'Des fichiers sont arrivés pour {request}',
  opened: '{time} : ouvert depuis {address}',
  openedUnknown: '{time} : ouvert, adresse inconnue',
  more: {
    one: '{count} autre fois auparavant',
    many: '{count} d’autres fois auparavant',
    other: '{count} autres fois auparavant',
  },
  history: 'Toutes les tentatives :',
  entries: {
    one: 'L’historique compte {count} entrée.',
    many: 'L’historique compte {count} d’entrées.',
    other: 'L’historique compte {count} entrées.',
  },
  fingerprint: 'Empreinte de l’entrée la plus récente : {fingerprint}',
  keep: 'Conservez ce message : l’empreinte permet de montrer plus tard que l’historique n’a pas été modifié jusqu’ici.',
  stop: 'Pour ne plus recevoir ces messages, videz « M’avertir » sous « Modifier » : {url}',
  ask: 'Si vous ne pouvez pas modifier le lien, adressez-vous à l’administrateur : {sender}',
};

const SPANISH: Translated<typeof ENGLISH> = {
  link: 'Su enlace {code}',
  request: 'su solicitud {code}',
  label: '«{label}»',
  subject: {
    one: '{link} se abrió',
    many: '{link} se abrió {count} de veces',
    other: '{link} se abrió {count} veces',
  },
  arrived: 'Han llegado archivos para {request}',
  opened: '{time}: abierto desde {address}',
  openedUnknown: '{time}: abierto, dirección desconocida',
  more: {
    one: '{count} vez más antes',
    many: '{count} de veces más antes',
    other: '{count} veces más antes',
  },
  history: 'Todos los intentos:',
  entries: {
    one: 'El historial tiene {count} entrada.',
    many: 'El historial tiene {count} de entradas.',
    other: 'El historial tiene {count} entradas.',
  },
  fingerprint: 'Huella digital de la entrada más reciente: {fingerprint}',
  keep: 'Conserve este mensaje: con la huella digital podrá mostrar más tarde que el historial no ha cambiado hasta aquí.',
  stop: 'Para dejar de recibir estos mensajes, vacíe «Avisarme» en «Editar»: {url}',
  ask: 'Si no puede cambiar el enlace, diríjase al administrador: {sender}',
};

const PORTUGUESE: Translated<typeof ENGLISH> = {
  link: 'Seu link {code}',
  request: 'seu pedido {code}',
  label: '“{label}”',
  subject: {
    one: '{link} foi aberto',
    many: '{link} foi aberto {count} de vezes',
    other: '{link} foi aberto {count} vezes',
  },
  arrived: 'Chegaram arquivos para {request}',
  opened: '{time}: aberto de {address}',
  openedUnknown: '{time}: aberto, endereço desconhecido',
  more: {
    one: 'mais {count} vez antes',
    many: 'mais {count} de vezes antes',
    other: 'mais {count} vezes antes',
  },
  history: 'Todas as tentativas:',
  entries: {
    one: 'O histórico tem {count} registro.',
    many: 'O histórico tem {count} de registros.',
    other: 'O histórico tem {count} registros.',
  },
  fingerprint: 'Impressão digital do registro mais recente: {fingerprint}',
  keep: 'Guarde este e-mail: com a impressão digital você pode mostrar depois que o histórico não mudou até aqui.',
  stop: 'Para não receber mais estes e-mails, limpe “Receber aviso” em “Editar”: {url}',
  ask: 'Se você não puder alterar o link, fale com o administrador: {sender}',
};

/** The texts of mails in every language. */
export const MAIL_TEXTS: Record<Language, Translated<typeof ENGLISH>> = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
  pt: PORTUGUESE,
};
