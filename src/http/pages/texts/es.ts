import type { VisitorTexts } from './en.ts';

export const es: VisitorTexts = {
  'notice.NOT_FOUND.title': 'Enlace no encontrado',
  'notice.NOT_FOUND.text':
    'Compruebe que la dirección esté completa, incluidas las mayúsculas y minúsculas, o pregunte a la persona que se la envió.',
  'notice.FILE_NOT_FOUND.title': 'Archivo no encontrado',
  'notice.FILE_NOT_FOUND.text':
    'El enlace es válido, pero falta su archivo. No se ha contado ninguna descarga. Avise a la persona que le envió el enlace.',
  'notice.DOWNLOAD_ENDED.title': 'Esta descarga no se puede reanudar',
  'notice.DOWNLOAD_ENDED.text':
    'Abra el enlace otra vez para iniciar una descarga nueva, que cuenta como descarga.',
  'notice.REVOKED.title': 'Este enlace ha sido revocado',
  'notice.REVOKED.text': 'Ya no se puede abrir. Pida un enlace nuevo a la persona que se lo envió.',
  'notice.EXPIRED.title': 'Este enlace ha caducado',
  'notice.EXPIRED.text': 'Pida un enlace nuevo a la persona que se lo envió.',
  'notice.VIEW_LIMIT_REACHED.title': 'Este enlace ya no admite más aperturas',
  'notice.VIEW_LIMIT_REACHED.text':
    'Solo se podía abrir un número limitado de veces. Pida un enlace nuevo a la persona que se lo envió.',
  'notice.UNEXPECTED_STATE.title': 'Este enlace no está activo',
  'notice.UNEXPECTED_STATE.text': 'Ya no se puede abrir. Pida un enlace nuevo a la persona que se lo envió.',
  'notice.PAUSED.title': 'Este enlace está en pausa',
  'notice.PAUSED.text':
    'La persona que se lo envió lo ha puesto en pausa. No se contó ninguna visita. Inténtelo más tarde o pregunte a esa persona.',
  'notice.NOT_STARTED.title': 'Este enlace aún no está disponible',
  'notice.NOT_STARTED.text':
    'Estará disponible más adelante. No se contó ninguna visita. Inténtelo más tarde o pregunte a la persona que se lo envió.',
  'notice.RATE_LIMITED.title': 'Demasiados intentos',
  'notice.RATE_LIMITED.text': 'Espere antes de volver a intentarlo.',
  'notice.OVERLOADED.title': 'El servicio está ocupado',
  'notice.OVERLOADED.text':
    'El enlace no se abrió y no se contó ninguna visita. Inténtelo de nuevo en unos segundos.',
  'notice.SERVER_ERROR.title': 'Se ha producido un error por nuestra parte',
  'notice.SERVER_ERROR.text': 'No se ha podido abrir el enlace. Inténtelo de nuevo en un momento.',
  'notice.CROSS_SITE.title': 'Otro sitio web ha intentado abrir este enlace',
  'notice.CROSS_SITE.text':
    'Por su seguridad, el enlace no se ha abierto y no se ha contado ninguna visita. Puede abrirlo usted.',
  'notice.UNREADABLE_FORM.title': 'No se ha podido leer el formulario',
  'notice.UNREADABLE_FORM.text': 'Vuelva atrás y envíelo de nuevo.',

  'redirect.title': 'Está a punto de abrir un enlace',
  'redirect.text': 'Lleva a este sitio:',
  'redirect.open': 'Abrir enlace',
  'download.title': 'Hay un archivo listo para descargar',
  'download.text': 'La descarga comienza al hacer clic en el botón.',
  'download.open': 'Descargar archivo',
  'download.started': 'La descarga ha comenzado.',
  'download.again': 'Para volver a descargar el archivo, recargue esta página.',
  'download.counts': 'Eso cuenta como otra descarga.',
  'download.left': {
    one: 'Queda {count} descarga',
    many: 'Quedan {count} de descargas',
    other: 'Quedan {count} descargas',
  },
  'text.title': 'Se ha compartido un texto con usted',
  'text.text': 'Se muestra al hacer clic en el botón.',
  'text.open': 'Mostrar texto',
  'text.shown': 'Texto compartido',
  'text.last':
    'Esta fue la última visita. Copie el texto antes de cerrar esta página: no se puede volver a abrir.',
  'text.copy': 'Copiar',
  'text.copyFailed': 'No se pudo copiar. Seleccione el texto y cópielo manualmente.',
  'picture.title': 'Se ha compartido una imagen con usted',
  'picture.text': 'Se muestra al hacer clic en el botón.',
  'picture.open': 'Mostrar imagen',
  'files.title': 'Hay archivos listos para descargar',
  'files.text': 'Al hacer clic en el botón podrá elegir qué descargar.',
  'files.open': 'Mostrar archivos',
  'files.zip': 'Descargar todo (ZIP)',
  'files.count': { one: '{count} archivo', many: '{count} de archivos', other: '{count} archivos' },
  'files.more': {
    one: 'Y {count} archivo más.',
    many: 'Y {count} de archivos más.',
    other: 'Y {count} archivos más.',
  },
  'files.again': 'Puede recargar esta página y continuar una descarga sin gastar otra visita.',
  'encrypted.title': 'Archivos cifrados',
  'encrypted.text':
    'Se cifraron antes de subirse. Su navegador los descifra aquí: el servicio no puede leerlos.',
  'encrypted.size': 'Hasta {size}',
  'encrypted.key': 'Frase de contraseña o clave',
  'encrypted.open': 'Descargar y descifrar',
  'encrypted.shown': 'Texto descifrado',
  'encrypted.withoutScript':
    'Para descifrar los archivos aquí, active JavaScript. El botón de abajo los descarga cifrados. Este comando los descifra con age y tar:',
  'encrypted.script.badLink':
    'La clave al final de la dirección está incompleta. Copie de nuevo el enlace entero.',
  'encrypted.script.choose': 'Elegir dónde guardar',
  'encrypted.script.damaged':
    'La descarga está dañada o fue modificada. No se guardó nada incompleto. Puede intentarlo de nuevo sin gastar otra visita.',
  'encrypted.script.done': 'Descifrado y comprobado.',
  'encrypted.script.failed':
    'No ha funcionado ({reason}). No se guardó nada incompleto. Puede intentarlo de nuevo sin gastar otra visita.',
  'encrypted.script.insecure':
    'Los navegadores solo descifran en páginas con https://. Pida un enlace así al remitente, o ábralo con la línea de comandos.',
  'encrypted.script.progress': '{done} de {total}',
  'encrypted.script.ready': 'Listo: {name}, {size}',
  'encrypted.script.save': 'Guardar {name}',
  'encrypted.script.tooLarge':
    'Este navegador puede descifrar como máximo {size}. Abra el enlace en Chrome, Edge o Firefox, o con la línea de comandos.',
  'encrypted.script.wrongKey':
    'Esta frase de contraseña o clave no es correcta. Compruébela e inténtelo de nuevo. No se gasta otra visita.',
  'command.title': 'Descargar con un comando',
  'command.copy': 'Copiar comando',
  'command.copied': 'Copiado',
  checksum: 'Suma de comprobación (SHA-256)',
  'views.left': {
    one: 'Queda {count} visita',
    many: 'Quedan {count} de visitas',
    other: 'Quedan {count} visitas',
  },
  'download.countsNow': 'Esta descarga contará como una de ellas.',
  'views.counts': 'Abrir el enlace cuenta como una visita.',
  expires: 'Caduca el {time}',
  opens: 'Disponible desde el {time}',

  'request.title': 'Enviar archivos',
  'request.until': 'Hasta el {time}',
  'request.maxFiles': 'Número máximo de archivos: {count}',
  'request.maxBytes': '{size} en total como máximo',
  'request.files': 'Archivos',
  'request.sender': 'Su nombre (opcional)',
  'request.note': 'Mensaje (opcional)',
  'request.send': 'Enviar archivos',
  'request.sending': 'Enviando…',
  'request.failed': 'No se han podido enviar los archivos. Compruebe la conexión e inténtelo de nuevo.',
  'request.tooMany': 'Son demasiados archivos o demasiado grandes.',
  'request.encrypts':
    'Su navegador cifra los archivos con esta clave antes de enviarlos. Solo el destinatario puede descifrarlos. Su nombre y su mensaje no se cifran.',
  'request.withoutScript': 'Para cifrar y enviar los archivos, active JavaScript.',
  'request.insecure':
    'Los navegadores solo cifran en páginas con https://. Pida un enlace así al destinatario.',
  'receipt.title': 'Se han recibido sus archivos',
  'receipt.text': 'Guarde este recibo: las sumas de comprobación muestran más tarde qué envió.',
  'receipt.encrypted':
    'Los archivos se cifraron antes de enviarlos. La suma de comprobación es la del archivo cifrado.',
  'receipt.save': 'Guardar recibo',

  'limited.wait': {
    one: 'Vuelva a intentarlo dentro de {count} minuto.',
    many: 'Vuelva a intentarlo dentro de {count} de minutos.',
    other: 'Vuelva a intentarlo dentro de {count} minutos.',
  },

  'password.title': 'Este enlace está protegido con contraseña',
  'password.text': 'Introduzca la contraseña que le dio el remitente.',
  'password.field': 'Contraseña',
  'password.show': 'Mostrar contraseña',
  'password.open': 'Abrir enlace',
  'password.missing': 'Introduzca la contraseña.',
  'password.wrong': 'Contraseña incorrecta. Compruebe las mayúsculas y minúsculas e inténtelo de nuevo.',

  'preview.title': 'Enlace compartido',
  'preview.text': 'Abra el enlace para ver su contenido.',
  open: 'Abrir enlace',
  'unknownPath.title': 'Página no encontrada',
  'unknownPath.text':
    'No hay nada en esta dirección. Compruebe que está completa, también las mayúsculas y minúsculas.',
  home: 'Ir a la página de inicio',
  'health.title.UP': 'El servicio funciona',
  'health.title.DOWN': 'El servicio tiene un problema',
  'health.title.OUT_OF_SERVICE': 'Servicio no disponible',
  'health.text': 'Comprobado ahora mismo. Los programas reciben JSON en esta dirección.',
  'health.component.database': 'Base de datos',
  'health.component.storage': 'Almacenamiento de archivos',
  'health.component.scheduler': 'Comprobación de caducidad',
  'health.UP': 'Activo',
  'health.DOWN': 'Caído',
  'health.OUT_OF_SERVICE': 'Fuera de servicio',
  reference: 'Si vuelve a ocurrir, indique esta referencia al administrador:',
  abuse: 'Denunciar abuso',
  contact: 'Contactar con el operador de este servicio',
};
