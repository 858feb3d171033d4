import type { VerifyDictionary } from '../../translate.ts';

export const es: VerifyDictionary = {
  'verify.title': 'Verificar un historial',
  'verify.intro':
    'Esta página comprueba si el historial exportado de un enlace está completo y sin cambios. Lo hace su navegador: los archivos no salen de este dispositivo y la página funciona sin conexión.',
  'verify.export': 'Historial exportado',
  'verify.exportHint': 'El archivo NDJSON de «Exportar historial». También puede arrastrarlo a esta página.',
  'verify.choose': 'Elija el historial exportado.',
  'verify.fingerprint': 'Huella digital',
  'verify.fingerprintHint': 'La que guardó: del certificado, de un correo o de un webhook.',
  'verify.fingerprintWrong':
    'Una huella digital tiene 64 caracteres: los dígitos 0 a 9 y las letras a a f. Cópielos todos.',
  'verify.file': 'Archivo que comparar (opcional)',
  'verify.fileHint': 'Si el enlace lleva a un archivo: ¿es el suyo el que se subió?',
  'verify.start': 'Verificar',
  'verify.running': 'Comprobando…',
  'verify.unreadable': 'No se pudo leer un archivo. Elíjalo de nuevo.',
  'verify.passed': 'El historial está completo y sin cambios',
  'verify.consistent': 'Sin cambios, pero no se comparó con ninguna huella digital',
  'verify.failed': 'El historial no coincide',
  'verify.notExported': 'Esto no es un historial exportado',
  'verify.unchecked': 'No se puede comprobar el historial',
  'verify.limits':
    'Demuestra cuándo y desde qué dirección se abrió el enlace. No demuestra quién usaba esa dirección.',
  'verify.more': {
    one: 'y {count} hallazgo más',
    many: 'y {count} hallazgos más',
    other: 'y {count} hallazgos más',
  },
  'verify.notAnExport': 'En la página del enlace, elija «Exportar historial (NDJSON)».',
  'verify.lineChanged': 'La línea {line} del archivo se cambió después de la exportación.',
  'verify.entry': 'Pertenece a la entrada {number}.',
  'verify.cutOff': 'El archivo termina en mitad de la línea {line}. Exporte de nuevo el historial.',
  'verify.otherLink': 'La línea {line} pertenece al enlace {code}, no a {expected}.',
  'verify.newerFormat':
    'La línea {line} tiene un formato más nuevo que esta página no conoce. Use la página de una versión más nueva del servicio.',
  'verify.missing': 'Falta la entrada {number}.',
  'verify.missingRange': 'Faltan las entradas {first} a {last}.',
  'verify.repeated': 'La entrada {number} aparece dos veces: una de las dos se añadió o se renumeró.',
  'verify.appended': 'La entrada {number} se añadió al archivo después de la exportación.',
  'verify.appendedRange': 'Las entradas {first} a {last} se añadieron al archivo después de la exportación.',
  'verify.filtered': 'Se exportó con un filtro. Expórtelo sin filtro.',
  'verify.otherContent': {
    one: 'La entrada {count} no coincide con la huella digital del archivo: se cambió.',
    many: 'Las entradas 1 a {count} no coinciden con la huella digital del archivo: al menos una se cambió.',
    other: 'Las entradas 1 a {count} no coinciden con la huella digital del archivo: al menos una se cambió.',
  },
  'verify.unknownFingerprint':
    'Ninguna entrada tiene su huella digital: el historial se reescribió desde entonces o es de otro enlace.',
  'verify.otherFile': '«{path}» no es el archivo del enlace: su SHA-256 es distinto.',
  'verify.noFile': '«{path}» no se puede comparar: el historial no nombra ningún archivo.',
  'verify.complete': {
    one: 'Enlace {code}: está {count} entrada y no ha cambiado. Es del {at}.',
    many: 'Enlace {code}: están las {count} entradas y ninguna ha cambiado. La más reciente es del {at}.',
    other: 'Enlace {code}: están las {count} entradas y ninguna ha cambiado. La más reciente es del {at}.',
  },
  'verify.isFingerprint': 'La huella digital de la entrada {number} es {fingerprint}.',
  'verify.erased': {
    one: '{count} entrada no tiene datos personales: se borraron, o quien exportó el historial no puede verlos. Otra exportación que los tenga los sigue demostrando.',
    many: '{count} entradas no tienen datos personales: se borraron, o quien exportó el historial no puede verlos. Otra exportación que los tenga los sigue demostrando.',
    other:
      '{count} entradas no tienen datos personales: se borraron, o quien exportó el historial no puede verlos. Otra exportación que los tenga los sigue demostrando.',
  },
  'verify.notCompared':
    'Sin una huella digital obtenida antes, esto demuestra poco: quien tuvo este archivo antes que usted podría haber reescrito todo el historial.',
  'verify.known':
    'Su huella digital es la de la entrada {number}, del {at}: hasta ahí nada ha cambiado desde que la tiene.',
  'verify.severalFiles':
    '«{path}» no se ha comparado: este enlace tenía varios archivos; no se puede comparar un ZIP ni uno solo de ellos.',
  'verify.formerFile': '«{path}» era el archivo del enlace hasta la entrada {number}, que lo reemplazó.',
  'verify.sameFile': '«{path}» es el archivo del enlace: su SHA-256 es el mismo.',
};
