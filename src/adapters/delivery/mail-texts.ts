import type { Language } from '../../common/languages.ts';
import { PASSWORD_LINK_MESSAGES } from '../../common/password-link-messages.ts';
import { SET_TITLES } from '../../common/set-titles.ts';
import type { Messages, Translated } from '../../common/translate.ts';

export const ENGLISH = {
  link: 'Your link {code}',
  request: 'your request {code}',
  label: '“{label}”',
  subject: { one: '{link} was opened', other: '{link} was opened {count} times' },
  subjectFetched: {
    one: '{link} was fetched by a program',
    other: '{link} was fetched {count} times by programs',
  },
  arrived: { one: '{count} file arrived: {request}', other: '{count} files arrived: {request}' },
  files: { one: '{count} file', other: '{count} files' },
  unnamed: 'sender not named',
  opened: '{time}: opened from {address}',
  openedUnknown: '{time}: opened, IP address unknown',
  fetched: '{time}: fetched by a program (a chat or scanner) from {address}',
  fetchedUnknown: '{time}: fetched by a program (a chat or scanner), IP address unknown',
  openedBy: '{time}: opened by a person who controlled {recipient}, from {address}',
  openedByUnknown: '{time}: opened by a person who controlled {recipient}, IP address unknown',
  file: 'File: {file}',
  more: { one: '{count} more before', other: '{count} more before' },
  history: 'All attempts:',
  entries: { one: 'The history has {count} entry.', other: 'The history has {count} entries.' },
  fingerprint: 'Fingerprint of the newest entry: {fingerprint}',
  keep: 'Keep this mail: with the fingerprint you can show later that the history up to here is unchanged.',
  stop: 'To stop these mails, clear “Notify me” in Edit: {url}',
  ask: 'If you cannot change the link, ask the administrator: {sender}',
  linkSent: '{sender} sends you a link',
  fileSent: '{sender} sends you {file}',
  filesNamed: SET_TITLES.en,
  filesWanted: '{sender} asks you for files',
  filesWantedFor: '{sender} asks you for files: {request}',
  invitation: 'Your invitation to {service}',
  newPasswordLink: 'New password link for {service}',
  setPassword: PASSWORD_LINK_MESSAGES.en,
  invitedBy: 'The link comes from {sender}. If you did not expect it, ignore this mail.',
  openLink: 'Open it here:',
  starts: 'It can be opened from {time}.',
  ends: 'It can be opened until {time}.',
  views: { one: 'It can be opened once.', other: 'It can be opened {count} times.' },
  protected: 'It needs a password, which you get separately.',
  codeNeeded:
    'It needs a code, which you request when you open it. The code is sent by email to its recipients only.',
  encrypted: 'It is encrypted. You get the key separately.',
  stranger: 'If you do not know {sender}, do not open it.',
  dot: 'dot',
  code: '{code} is your code to open a link',
  codeFor:
    'It opens the link that ends in {link}, of the service at {host}. This mail has no link on purpose: that is why the word “dot” stands for each dot in that name. The code works once, within {minutes} minutes, in the browser in which it was asked for.',
  codeAsked: 'Someone opened that link and entered your email address. The service does not know who it was.',
  codeSecret:
    'If it was you, type the code on that page yourself, and give it to no one else. It proves that you read this mailbox: the sender of the link sees your address and the time.',
  codeUnasked:
    'If it was not you, ignore this mail: without the code, nothing is opened. If you get more of them, let the person who sent you the link know.',
  receipt: 'You opened the link {link}',
  receiptFor:
    'Someone with a code from this mailbox opened the link that ends in {link}, of the service at {host}, on {time}.',
  receiptHistory:
    'This mail is your receipt. The service records each attempt to open the link in a history, which the sender of the link has. That opening is entry {number} of it.',
  receiptFingerprint: 'Fingerprint of this entry: {fingerprint}',
  receiptKeep:
    'Keep this mail: the history of the sender has the same fingerprint, as long as this entry and all before it are unchanged.',
  receiptCheck:
    'To check this, ask the sender for the saved history, and open the page “Verify a history” of the service, at its address with /verify. There, choose the history, and enter the fingerprint.',
  receiptUnexpected: 'If it was not you, let the person who sent you the link know.',
} as const satisfies Messages;

const GERMAN: Translated<typeof ENGLISH> = {
  link: 'Ihr Link {code}',
  request: 'Ihre Anfrage {code}',
  label: '„{label}“',
  subject: { one: '{link} wurde geöffnet', other: '{link} wurde {count}-mal geöffnet' },
  subjectFetched: {
    one: '{link} wurde von einem Programm abgerufen',
    other: '{link} wurde {count}-mal von Programmen abgerufen',
  },
  arrived: {
    one: '{count} Datei eingegangen: {request}',
    other: '{count} Dateien eingegangen: {request}',
  },
  files: { one: '{count} Datei', other: '{count} Dateien' },
  unnamed: 'Absender nicht genannt',
  opened: '{time}: geöffnet von {address}',
  openedUnknown: '{time}: geöffnet, IP-Adresse unbekannt',
  fetched: '{time}: von einem Programm (Chat oder Scanner) abgerufen, von {address}',
  fetchedUnknown: '{time}: von einem Programm (Chat oder Scanner) abgerufen, IP-Adresse unbekannt',
  openedBy: '{time}: geöffnet von einer Person mit Zugriff auf {recipient}, von {address}',
  openedByUnknown: '{time}: geöffnet von einer Person mit Zugriff auf {recipient}, IP-Adresse unbekannt',
  file: 'Datei: {file}',
  more: { one: '{count} weiteres Mal davor', other: '{count} weitere Male davor' },
  history: 'Alle Versuche:',
  entries: { one: 'Der Verlauf hat {count} Eintrag.', other: 'Der Verlauf hat {count} Einträge.' },
  fingerprint: 'Fingerabdruck des neuesten Eintrags: {fingerprint}',
  keep: 'Bewahren Sie diese E-Mail auf: Mit dem Fingerabdruck können Sie später zeigen, dass der Verlauf bis hierher unverändert ist.',
  stop: 'Um diese E-Mails zu beenden, leeren Sie „Hinweise an“ unter „Bearbeiten“: {url}',
  ask: 'Wenn Sie den Link nicht ändern dürfen, wenden Sie sich an den Administrator: {sender}',
  linkSent: '{sender} sendet Ihnen einen Link',
  fileSent: '{sender} sendet Ihnen {file}',
  filesNamed: SET_TITLES.de,
  filesWanted: '{sender} bittet Sie um Dateien',
  filesWantedFor: '{sender} bittet Sie um Dateien: {request}',
  invitation: 'Ihre Einladung zu {service}',
  newPasswordLink: 'Neuer Passwort-Link für {service}',
  setPassword: PASSWORD_LINK_MESSAGES.de,
  invitedBy: 'Der Link kommt von {sender}. Wenn Sie ihn nicht erwartet haben, ignorieren Sie diese E-Mail.',
  openLink: 'Hier öffnen:',
  starts: 'Der Link lässt sich ab {time} öffnen.',
  ends: 'Der Link lässt sich bis {time} öffnen.',
  views: { one: 'Der Link lässt sich einmal öffnen.', other: 'Der Link lässt sich {count}-mal öffnen.' },
  protected: 'Der Link braucht ein Passwort, das Sie getrennt erhalten.',
  codeNeeded:
    'Der Link braucht einen Code, den Sie beim Öffnen anfordern. Der Code wird per E-Mail und nur an die Empfänger des Links gesendet.',
  encrypted: 'Der Inhalt ist verschlüsselt. Den Schlüssel erhalten Sie getrennt.',
  stranger: 'Wenn Sie {sender} nicht kennen, öffnen Sie den Link nicht.',
  dot: 'Punkt',
  code: '{code} ist Ihr Code zum Öffnen eines Links',
  codeFor:
    'Er öffnet den Link, der auf {link} endet, bei dem Dienst {host}. Diese E-Mail enthält absichtlich keinen Link: Deshalb steht das Wort „Punkt“ für jeden Punkt in diesem Namen. Der Code gilt einmal, {minutes} Minuten lang, in dem Browser, in dem er angefordert wurde.',
  codeAsked:
    'Jemand hat diesen Link geöffnet und Ihre E-Mail-Adresse eingegeben. Der Dienst weiß nicht, wer es war.',
  codeSecret:
    'Wenn Sie es waren, geben Sie den Code selbst auf dieser Seite ein, und geben Sie ihn nicht weiter. Er beweist, dass Sie dieses Postfach lesen: Der Absender des Links sieht Ihre Adresse und die Zeit.',
  codeUnasked:
    'Wenn Sie es nicht waren, ignorieren Sie diese E-Mail: Ohne den Code wird nichts geöffnet. Wenn Sie weitere erhalten, sagen Sie es der Person, die Ihnen den Link gesendet hat.',
  receipt: 'Sie haben den Link {link} geöffnet',
  receiptFor:
    'Jemand mit einem Code aus diesem Postfach hat den Link geöffnet, der auf {link} endet, bei dem Dienst {host}: {time}.',
  receiptHistory:
    'Diese E-Mail ist Ihr Beleg. Der Dienst zeichnet jeden Versuch, den Link zu öffnen, in einem Verlauf auf, den der Absender des Links hat. Diese Öffnung ist darin Eintrag {number}.',
  receiptFingerprint: 'Fingerabdruck dieses Eintrags: {fingerprint}',
  receiptKeep:
    'Bewahren Sie diese E-Mail auf: Der Verlauf des Absenders hat denselben Fingerabdruck, solange dieser Eintrag und alle davor unverändert sind.',
  receiptCheck:
    'Um das zu prüfen, bitten Sie den Absender um den gespeicherten Verlauf, und öffnen Sie die Seite „Verlauf überprüfen“ des Dienstes, unter seiner Adresse mit /verify. Wählen Sie dort den Verlauf, und geben Sie den Fingerabdruck ein.',
  receiptUnexpected: 'Wenn Sie es nicht waren, sagen Sie es der Person, die Ihnen den Link gesendet hat.',
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
  subjectFetched: {
    one: '{link} a été récupéré par un programme',
    many: '{link} a été récupéré {count} de fois par des programmes',
    other: '{link} a été récupéré {count} fois par des programmes',
  },
  arrived: {
    one: '{count} fichier reçu : {request}',
    many: '{count} de fichiers reçus : {request}',
    other: '{count} fichiers reçus : {request}',
  },
  files: { one: '{count} fichier', many: '{count} de fichiers', other: '{count} fichiers' },
  unnamed: 'expéditeur non indiqué',
  opened: '{time} : ouvert depuis {address}',
  openedUnknown: '{time} : ouvert, adresse IP inconnue',
  fetched: '{time} : récupéré par un programme (messagerie ou analyseur) depuis {address}',
  fetchedUnknown: '{time} : récupéré par un programme (messagerie ou analyseur), adresse IP inconnue',
  openedBy: '{time} : ouvert par une personne ayant accès à {recipient}, depuis {address}',
  openedByUnknown: '{time} : ouvert par une personne ayant accès à {recipient}, adresse IP inconnue',
  file: 'Fichier : {file}',
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
  linkSent: '{sender} vous envoie un lien',
  fileSent: '{sender} vous envoie {file}',
  filesNamed: SET_TITLES.fr,
  filesWanted: '{sender} vous demande des fichiers',
  filesWantedFor: '{sender} vous demande des fichiers : {request}',
  invitation: 'Votre invitation à {service}',
  newPasswordLink: 'Nouveau lien de mot de passe pour {service}',
  setPassword: PASSWORD_LINK_MESSAGES.fr,
  invitedBy: 'Le lien vient de {sender}. Si vous ne l’attendiez pas, ignorez cet e-mail.',
  openLink: 'Ouvrez-le ici :',
  starts: 'Il peut être ouvert à partir du {time}.',
  ends: 'Il peut être ouvert jusqu’au {time}.',
  views: {
    one: 'Il peut être ouvert {count} fois.',
    many: 'Il peut être ouvert {count} de fois.',
    other: 'Il peut être ouvert {count} fois.',
  },
  protected: 'Il demande un mot de passe, que vous recevez séparément.',
  codeNeeded:
    'Pour l’ouvrir, il faut un code, que vous demandez sur sa page. Le code est envoyé par e-mail, uniquement à ses destinataires.',
  encrypted: 'Son contenu est chiffré. Vous recevez la clé séparément.',
  stranger: 'Si vous ne connaissez pas {sender}, ne l’ouvrez pas.',
  dot: 'point',
  code: '{code} est votre code pour ouvrir un lien',
  codeFor:
    'Il ouvre le lien qui se termine par {link}, du service {host}. Cet e-mail ne contient volontairement aucun lien : c’est pourquoi le mot « point » remplace chaque point de ce nom. Le code fonctionne une seule fois, pendant {minutes} minutes, dans le navigateur où il a été demandé.',
  codeAsked:
    'Quelqu’un a ouvert ce lien et a saisi votre adresse e-mail. Le service ne sait pas qui c’était.',
  codeSecret:
    'Si c’était vous, saisissez vous-même le code sur cette page et ne le transmettez à personne. Il prouve que vous lisez cette boîte : l’expéditeur du lien voit votre adresse et l’heure.',
  codeUnasked:
    'Si ce n’était pas vous, ignorez cet e-mail : sans le code, rien n’est ouvert. Si vous en recevez d’autres, dites-le à la personne qui vous a envoyé le lien.',
  receipt: 'Vous avez ouvert le lien {link}',
  receiptFor:
    'Une personne ayant un code de cette boîte a ouvert le lien qui se termine par {link}, du service {host} : {time}.',
  receiptHistory:
    'Cet e-mail est votre reçu. Le service enregistre chaque tentative d’ouvrir le lien dans un historique, dont dispose l’expéditeur du lien. Cette ouverture en est l’entrée {number}.',
  receiptFingerprint: 'Empreinte de cette entrée : {fingerprint}',
  receiptKeep:
    'Conservez cet e-mail : l’historique de l’expéditeur a la même empreinte, tant que cette entrée et toutes les précédentes sont inchangées.',
  receiptCheck:
    'Pour le vérifier, demandez à l’expéditeur l’historique enregistré et ouvrez la page « Vérifier un historique » du service, à son adresse suivie de /verify. Choisissez-y l’historique et saisissez l’empreinte.',
  receiptUnexpected: 'Si ce n’était pas vous, dites-le à la personne qui vous a envoyé le lien.',
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
  subjectFetched: {
    one: '{link} fue consultado por un programa',
    many: '{link} fue consultado {count} de veces por programas',
    other: '{link} fue consultado {count} veces por programas',
  },
  arrived: {
    one: '{count} archivo recibido: {request}',
    many: '{count} de archivos recibidos: {request}',
    other: '{count} archivos recibidos: {request}',
  },
  files: { one: '{count} archivo', many: '{count} de archivos', other: '{count} archivos' },
  unnamed: 'remitente sin indicar',
  opened: '{time}: abierto desde {address}',
  openedUnknown: '{time}: abierto, dirección IP desconocida',
  fetched: '{time}: consultado por un programa (chat o escáner) desde {address}',
  fetchedUnknown: '{time}: consultado por un programa (chat o escáner), dirección IP desconocida',
  openedBy: '{time}: abierto por una persona con acceso a {recipient}, desde {address}',
  openedByUnknown: '{time}: abierto por una persona con acceso a {recipient}, dirección IP desconocida',
  file: 'Archivo: {file}',
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
  linkSent: '{sender} le envía un enlace',
  fileSent: '{sender} le envía {file}',
  filesNamed: SET_TITLES.es,
  filesWanted: '{sender} le pide archivos',
  filesWantedFor: '{sender} le pide archivos: {request}',
  invitation: 'Su invitación a {service}',
  newPasswordLink: 'Nuevo enlace de contraseña para {service}',
  setPassword: PASSWORD_LINK_MESSAGES.es,
  invitedBy: 'El enlace viene de {sender}. Si no lo esperaba, ignore este correo.',
  openLink: 'Ábralo aquí:',
  starts: 'Se puede abrir a partir del {time}.',
  ends: 'Se puede abrir hasta el {time}.',
  views: {
    one: 'Se puede abrir {count} vez.',
    many: 'Se puede abrir {count} de veces.',
    other: 'Se puede abrir {count} veces.',
  },
  protected: 'Necesita una contraseña, que recibirá por separado.',
  codeNeeded:
    'Necesita un código, que usted pide al abrirlo. El código se envía por correo y solo a sus destinatarios.',
  encrypted: 'El contenido está cifrado. Recibirá la clave por separado.',
  stranger: 'Si no conoce a {sender}, no lo abra.',
  dot: 'punto',
  code: '{code} es su código para abrir un enlace',
  codeFor:
    'Abre el enlace que termina en {link}, del servicio {host}. Este correo no contiene enlaces a propósito: por eso la palabra «punto» sustituye a cada punto de ese nombre. El código sirve una vez, durante {minutes} minutos, en el navegador en el que se pidió.',
  codeAsked: 'Alguien abrió ese enlace y escribió su dirección de correo. El servicio no sabe quién fue.',
  codeSecret:
    'Si fue usted, escriba usted mismo el código en esa página y no se lo dé a nadie. Demuestra que usted lee este buzón: el remitente del enlace ve su dirección y la hora.',
  codeUnasked:
    'Si no fue usted, ignore este correo: sin el código no se abre nada. Si recibe más, avise a la persona que le envió el enlace.',
  receipt: 'Ha abierto el enlace {link}',
  receiptFor:
    'Alguien con un código de este buzón abrió el enlace que termina en {link}, del servicio {host}: {time}.',
  receiptHistory:
    'Este correo es su comprobante. El servicio registra cada intento de abrir el enlace en un historial, que tiene el remitente del enlace. Esta apertura es la entrada {number}.',
  receiptFingerprint: 'Huella digital de esta entrada: {fingerprint}',
  receiptKeep:
    'Guarde este correo: el historial del remitente tiene la misma huella digital mientras esta entrada y todas las anteriores no cambien.',
  receiptCheck:
    'Para comprobarlo, pida al remitente el historial guardado y abra la página «Verificar un historial» del servicio, en su dirección seguida de /verify. Elija allí el historial y escriba la huella digital.',
  receiptUnexpected: 'Si no fue usted, avise a la persona que le envió el enlace.',
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
  subjectFetched: {
    one: '{link} foi consultado por um programa',
    many: '{link} foi consultado {count} de vezes por programas',
    other: '{link} foi consultado {count} vezes por programas',
  },
  arrived: {
    one: '{count} arquivo recebido: {request}',
    many: '{count} de arquivos recebidos: {request}',
    other: '{count} arquivos recebidos: {request}',
  },
  files: { one: '{count} arquivo', many: '{count} de arquivos', other: '{count} arquivos' },
  unnamed: 'remetente não informado',
  opened: '{time}: aberto de {address}',
  openedUnknown: '{time}: aberto, endereço IP desconhecido',
  fetched: '{time}: consultado por um programa (chat ou verificador) de {address}',
  fetchedUnknown: '{time}: consultado por um programa (chat ou verificador), endereço IP desconhecido',
  openedBy: '{time}: aberto por uma pessoa com acesso a {recipient}, de {address}',
  openedByUnknown: '{time}: aberto por uma pessoa com acesso a {recipient}, endereço IP desconhecido',
  file: 'Arquivo: {file}',
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
  linkSent: '{sender} envia um link para você',
  fileSent: '{sender} envia {file} para você',
  filesNamed: SET_TITLES.pt,
  filesWanted: '{sender} pede arquivos a você',
  filesWantedFor: '{sender} pede arquivos a você: {request}',
  invitation: 'Seu convite para {service}',
  newPasswordLink: 'Novo link de senha para {service}',
  setPassword: PASSWORD_LINK_MESSAGES.pt,
  invitedBy: 'O link vem de {sender}. Se você não o esperava, ignore este e-mail.',
  openLink: 'Abra aqui:',
  starts: 'Ele pode ser aberto a partir de {time}.',
  ends: 'Ele pode ser aberto até {time}.',
  views: {
    one: 'Ele pode ser aberto {count} vez.',
    many: 'Ele pode ser aberto {count} de vezes.',
    other: 'Ele pode ser aberto {count} vezes.',
  },
  protected: 'Ele precisa de uma senha, que você recebe separadamente.',
  codeNeeded:
    'Ele precisa de um código, que você pede ao abri-lo. O código é enviado por e-mail, somente aos destinatários.',
  encrypted: 'O conteúdo é criptografado. Você recebe a chave separadamente.',
  stranger: 'Se você não conhece {sender}, não o abra.',
  dot: 'ponto',
  code: '{code} é o seu código para abrir um link',
  codeFor:
    'Ele abre o link que termina em {link}, do serviço {host}. Este e-mail não contém links de propósito: por isso a palavra “ponto” substitui cada ponto desse nome. O código funciona uma vez, por {minutes} minutos, no navegador em que foi pedido.',
  codeAsked: 'Alguém abriu esse link e digitou o seu endereço de e-mail. O serviço não sabe quem foi.',
  codeSecret:
    'Se foi você, digite o código nessa página você mesmo e não o passe a ninguém. Ele prova que você lê esta caixa de entrada: o remetente do link vê o seu endereço e o horário.',
  codeUnasked:
    'Se não foi você, ignore este e-mail: sem o código, nada é aberto. Se receber outros, avise a pessoa que lhe enviou o link.',
  receipt: 'Você abriu o link {link}',
  receiptFor:
    'Alguém com um código desta caixa de entrada abriu o link que termina em {link}, do serviço {host}: {time}.',
  receiptHistory:
    'Este e-mail é o seu comprovante. O serviço registra cada tentativa de abrir o link em um histórico, que o remetente do link tem. Essa abertura é o registro {number}.',
  receiptFingerprint: 'Impressão digital deste registro: {fingerprint}',
  receiptKeep:
    'Guarde este e-mail: o histórico do remetente tem a mesma impressão digital, enquanto este registro e todos os anteriores não mudarem.',
  receiptCheck:
    'Para conferir, peça ao remetente o histórico salvo e abra a página “Verificar um histórico” do serviço, no endereço dele seguido de /verify. Escolha ali o histórico e digite a impressão digital.',
  receiptUnexpected: 'Se não foi você, avise a pessoa que lhe enviou o link.',
};

/** The texts of mails in every language. */
export const MAIL_TEXTS: Record<Language, Translated<typeof ENGLISH>> = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
  pt: PORTUGUESE,
};
