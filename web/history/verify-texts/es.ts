import type { VerifyMessages } from './en.ts';

export const es = {
  intro:
    'Vea si un enlace se abrió y si su historial guardado se modificó después. Su navegador hace el trabajo: ningún archivo sale de este dispositivo y la página funciona sin conexión.',
  export: 'Historial guardado',
  exportHint:
    'Un archivo que termina en .ndjson. El propietario del enlace lo guarda desde el comprobante. También puede soltarlo en esta página.',
  choose: 'Elija el historial guardado.',
  chooseFile: 'Elegir archivo',
  compare: 'Comparar una huella digital, un archivo o un punto de control (opcional)',
  fingerprint: 'Huella digital',
  fingerprintHint:
    '64 cifras y letras, del comprobante del enlace, un correo o un webhook. Con ella también se ve si se reescribió todo el historial.',
  fingerprintWrong:
    'Una huella digital tiene 64 caracteres: los dígitos 0 a 9 y las letras a a f. Cópielos todos.',
  file: 'Archivo que comparar',
  fileHint: 'Si el enlace lleva a un archivo: ¿es el suyo el que se subió?',
  start: 'Verificar',
  running: 'Comprobando…',
  unreadable: 'No se pudo leer un archivo. Elíjalo de nuevo.',
  passed: 'El historial está completo y sin cambios',
  passedUpTo: 'Sin cambios hasta la entrada {number}',
  consistent: 'Completo, sin cambios encontrados',
  unconfirmed: 'Completo, sin cambios encontrados; lo que usted introdujo no lo confirma',
  failed: 'La comprobación falló: no se fíe de este historial',
  otherFingerprint: 'Este historial no contiene su huella digital',
  savedAt: 'Según este archivo, se guardó el {at}. Lo que ocurrió después no figura en él.',
  notExported: 'Esto no es un historial guardado',
  unchecked: 'No se puede comprobar el historial',
  timeline: 'Qué ocurrió',
  entries: 'Todas las entradas, de la más antigua a la más reciente',
  savedName: '{sender}; en el historial guardado: {saved}',
  checked: 'Qué se comprobó',
  fileTitle: 'El archivo',
  noCompared: 'No se ha comparado ningún archivo. Elija el suyo para comprobar si se subió:',
  setOfFiles:
    'El enlace lleva a varios archivos, pero este historial guardado no los enumera: no se puede comparar ninguno.',
  fileDiffers: 'El historial no ha cambiado, pero el archivo es otro',
  notProved: 'Qué no demuestra',
  notWho: 'Quién abrió el enlace: varias personas pueden compartir una dirección IP o un buzón.',
  notRead:
    'Que alguien lo recibiera o lo leyera: «enviado por completo» significa que el servicio envió todos los bytes.',
  notSender:
    'Quién envió los archivos: varias personas pueden compartir una dirección IP, y los propios remitentes escriben su nombre.',
  notWhich:
    'Qué archivos llegaron: eso figura en el historial de cada envío, que se comprueba de la misma manera.',
  notDownloader: 'Quién descargó los archivos y si alguien los leyó.',
  notClock: 'Que el reloj del servicio estuviera en hora.',
  notLater: 'Lo que usted introdujo no cubre las entradas posteriores, que podrían haberse reescrito.',
  more: {
    one: 'y {count} hallazgo más',
    many: 'y {count} hallazgos más',
    other: 'y {count} hallazgos más',
  },
  notAnExport:
    'Elija el archivo que termina en .ndjson. El propietario del enlace lo guarda desde el comprobante: pídaselo.',
  lineChanged: 'La línea {line} del archivo se cambió después de guardarlo.',
  entry: 'Pertenece a la entrada {number}.',
  lineTooLong: 'La línea {line} es demasiado larga para comprobarla aquí.',
  cutOff: 'El archivo termina en mitad de la línea {line}. Guarde de nuevo el historial.',
  otherLink: 'La línea {line} pertenece al enlace {code}, no a {expected}.',
  newerFormat:
    'La línea {line} tiene un formato más nuevo que esta página no conoce. Use la página de una versión más nueva del servicio.',
  missing: 'Falta la entrada {number}.',
  missingRange: 'Faltan las entradas {first} a {last}.',
  repeated: 'La entrada {number} aparece dos veces: una de las dos se añadió o se renumeró.',
  appended: 'La entrada {number} se añadió al archivo después de guardarlo.',
  appendedRange: 'Las entradas {first} a {last} se añadieron al archivo después de guardarlo.',
  filtered: 'Se exportó con un filtro. Expórtelo sin filtro.',
  otherContent: {
    one: 'La entrada {count} no coincide con la huella digital del archivo: se cambió.',
    many: 'Las entradas 1 a {count} no coinciden con la huella digital del archivo: al menos una se cambió.',
    other: 'Las entradas 1 a {count} no coinciden con la huella digital del archivo: al menos una se cambió.',
  },
  unknownFingerprint:
    'Ninguna entrada tiene su huella digital. Si es más reciente que este archivo, pida un historial guardado más tarde. Si no, el historial se reescribió desde entonces o es de otro enlace.',
  otherFile: {
    one: '«{path}» no es el archivo del enlace: su SHA-256 es distinto.',
    many: '«{path}» no es ninguno de los {count} archivos del enlace: ningún SHA-256 es el mismo.',
    other: '«{path}» no es ninguno de los {count} archivos del enlace: ningún SHA-256 es el mismo.',
  },
  noFile: '«{path}» no se puede comparar: el historial no nombra ningún archivo.',
  complete: {
    one: 'Enlace {code}: está {count} entrada y no ha cambiado. Es del {at}.',
    many: 'Enlace {code}: están las {count} entradas y ninguna ha cambiado. La más reciente es del {at}.',
    other: 'Enlace {code}: están las {count} entradas y ninguna ha cambiado. La más reciente es del {at}.',
  },
  isFingerprint: 'La huella digital de la entrada {number} es {fingerprint}.',
  erased: {
    one: '{count} entrada no tiene datos personales: se borraron, o quien guardó el historial no puede verlos. Otro archivo que los tenga los sigue demostrando.',
    many: '{count} entradas no tienen datos personales: se borraron, o quien guardó el historial no puede verlos. Otro archivo que los tenga los sigue demostrando.',
    other:
      '{count} entradas no tienen datos personales: se borraron, o quien guardó el historial no puede verlos. Otro archivo que los tenga los sigue demostrando.',
  },
  notCompared:
    'Que nadie rehiciera todo el historial antes de que usted recibiera este archivo. Para descartarlo, introduzca arriba una huella digital obtenida antes: está en el comprobante del enlace, en los correos y en los webhooks.',
  known:
    'Su huella digital es la de la entrada {number}, del {at}: hasta ahí nada ha cambiado desde que la tiene.',
  severalFiles:
    '«{path}» no se ha comparado: el enlace tenía varios archivos que este historial guardado no enumera.',
  formerFile: '«{path}» era el archivo del enlace hasta la entrada {number}, que lo reemplazó.',
  sameFile: '«{path}» es el archivo del enlace: su SHA-256 es el mismo.',
  oneOfFiles: '«{path}» es «{name}», uno de los archivos del enlace: su SHA-256 es el mismo.',
  zip: '«{path}» no se ha comparado: solo se pueden comparar archivos sueltos. Descomprima el ZIP y compare cada archivo.',
  files:
    'Los nombres, tamaños y SHA-256 de los {count} archivos están en la lista cuyo SHA-256 figura en el historial.',
  otherList: 'La lista de archivos de la línea 1 se modificó después de guardar el historial.',
  kept: 'Puntos de control y claves que guardó',
  keptHint:
    'Péguelos uno tras otro: el punto de control de un comprobante o de /checkpoint, la clave del registro, la clave de un testigo.',
  checkpointWrong:
    'El punto de control del archivo no corresponde a este historial: uno de los dos se modificó.',
  noCheckpoint:
    'El archivo no tiene ningún punto de control que comparar con el suyo. Guarde el historial de nuevo.',
  keptUnreadable:
    'Una parte no se puede leer. Cópiela de nuevo, de la primera línea a la última. Esto no dice nada del historial.',
  keptWrong:
    'Una parte de lo que guardó tiene una firma incorrecta. Cópiela de nuevo, de la primera línea a la última.',
  keptTooLong: 'Lo que guardó tiene más de {count} caracteres. Deje fuera lo que no sea de este registro.',
  otherKey: 'El historial está firmado con una clave distinta de la que guardó: puede ser de otro registro.',
  notCosigned:
    'El testigo {witness} no ha firmado este punto de control. Si en ese momento no estaba disponible, guarde el historial de nuevo más tarde.',
  notConnected:
    'Su punto de control de {size} entradas no se comparó. Abra {path} en el servicio del enlace con un navegador y pegue también el texto que muestra.',
  nothingCompared: 'No se comparó con este historial ningún punto de control ni ninguna prueba que guardó.',
  fork: 'Su punto de control de {size} entradas contradice este historial: se modificaron o quitaron entradas, o hay dos registros.',
  dropped: 'Guardó una prueba de la entrada {number}, que falta aquí: se quitaron entradas.',
  rewritten: 'La entrada {number} no es la de su prueba: el historial se reescribió.',
  covered:
    'Hasta la entrada {number}, el historial está en el punto de control firmado de {size} entradas del registro {origin}.',
  later: 'Las entradas {first} a {last} son posteriores al punto de control, que no las abarca.',
  keyNotCompared: 'La clave del registro es {key}. Compárela con una que haya obtenido por otra vía.',
  cosigned:
    'El testigo {witness} firmó este punto de control el {at}. Eso no muestra si el historial se reescribió antes.',
  keptProof: 'Hasta la entrada {number}, el historial es el de la prueba que guardó.',
  vouched:
    'Hasta la entrada {number}, el historial estaba en el registro cuando se firmó su punto de control de {size} entradas.',
  enteredLater:
    'La entrada {number} llegó al registro después de su punto de control de {size} entradas, que no muestra si el historial anterior a ella se reescribió.',
} satisfies VerifyMessages;
