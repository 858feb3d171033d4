import type { Language } from '../../common/languages.ts';
import type { Messages, Translated } from '../../common/translate.ts';

export const ENGLISH = {
  subject: { one: 'Your link {code} was opened', other: 'Your link {code} was opened {count} times' },
  arrived: 'Files arrived for your request {code}',
  opened: '{time}: opened from {address}',
  openedUnknown: '{time}: opened, address unknown',
  more: { one: '{count} more before', other: '{count} more before' },
  history: 'All attempts:',
  entries: { one: 'The history has {count} entry.', other: 'The history has {count} entries.' },
  fingerprint: 'Fingerprint of the newest entry: {fingerprint}',
  keep: 'Keep this mail: with the fingerprint you can show later that the history up to here is unchanged.',
  stop: 'You get this mail because the link was created with your address. To stop these mails, revoke the link, or ask the administrator: {sender}.',
} as const satisfies Messages;

const GERMAN: Translated<typeof ENGLISH> = {
  subject: { one: 'Ihr Link {code} wurde geöffnet', other: 'Ihr Link {code} wurde {count}-mal geöffnet' },
  arrived: 'Für Ihre Anfrage {code} sind Dateien eingegangen',
  opened: '{time}: geöffnet von {address}',
  openedUnknown: '{time}: geöffnet, Adresse unbekannt',
  more: { one: '{count} weiteres Mal davor', other: '{count} weitere Male davor' },
  history: 'Alle Versuche:',
  entries: { one: 'Der Verlauf hat {count} Eintrag.', other: 'Der Verlauf hat {count} Einträge.' },
  fingerprint: 'Fingerabdruck des neuesten Eintrags: {fingerprint}',
  keep: 'Bewahren Sie diese E-Mail auf: Mit dem Fingerabdruck können Sie später zeigen, dass der Verlauf bis hierher unverändert ist.',
  stop: 'Sie erhalten diese E-Mail, weil der Link mit Ihrer Adresse erstellt wurde. Um diese E-Mails zu beenden, widerrufen Sie den Link oder wenden Sie sich an den Administrator: {sender}.',
};

const FRENCH: Translated<typeof ENGLISH> = {
  subject: {
    one: 'Votre lien {code} a été ouvert',
    many: 'Votre lien {code} a été ouvert {count} de fois',
    other: 'Votre lien {code} a été ouvert {count} fois',
  },
  arrived: 'Des fichiers sont arrivés pour votre demande {code}',
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
  stop: 'Vous recevez ce message parce que le lien a été créé avec votre adresse. Pour ne plus en recevoir, révoquez le lien ou adressez-vous à l’administrateur : {sender}.',
};

const SPANISH: Translated<typeof ENGLISH> = {
  subject: {
    one: 'Se abrió su enlace {code}',
    many: 'Su enlace {code} se abrió {count} de veces',
    other: 'Su enlace {code} se abrió {count} veces',
  },
  arrived: 'Han llegado archivos para su solicitud {code}',
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
  stop: 'Recibe este mensaje porque el enlace se creó con su dirección. Para dejar de recibirlos, revoque el enlace o diríjase al administrador: {sender}.',
};

const PORTUGUESE: Translated<typeof ENGLISH> = {
  subject: {
    one: 'Seu link {code} foi aberto',
    many: 'Seu link {code} foi aberto {count} de vezes',
    other: 'Seu link {code} foi aberto {count} vezes',
  },
  arrived: 'Chegaram arquivos para o seu pedido {code}',
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
  stop: 'Você recebe este e-mail porque o link foi criado com o seu endereço. Para não receber mais, revogue o link ou fale com o administrador: {sender}.',
};

/** The texts of mails in every language. */
export const MAIL_TEXTS: Record<Language, Translated<typeof ENGLISH>> = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
  pt: PORTUGUESE,
};
