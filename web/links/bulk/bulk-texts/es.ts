import type { BulkMessages } from './en.ts';

export const es = {
  'bulk.intro':
    'Cada fila del archivo se convierte en un enlace, por ejemplo uno por destinatario. Verá todas las filas antes de crear nada.',
  'bulk.columns': 'La primera línea contiene los nombres de las columnas; solo targetUrl es obligatoria:',
  'bulk.dates':
    'Las fechas se escriben así: 2026-12-31 18:00, 2026-12-31T18:00+01:00 o 7d para dentro de 7 días.',
  'bulk.confirm': 'confirm es true o false. Sin valor, los enlaces con maxViews preguntan antes de abrirse.',
  'bulk.meaning': 'Qué significa cada columna:',
  'bulk.pick': 'Elegir archivo CSV',
  'bulk.template': 'Descargar plantilla',
  'bulk.empty':
    'Este archivo no tiene filas. Necesita una línea con los nombres de las columnas y una línea por enlace.',
  'bulk.noTarget':
    'La primera línea de este archivo no contiene ninguna columna targetUrl. Añádala o empiece con la plantilla.',
  'bulk.quotes': 'Faltan unas comillas en este archivo. Expórtelo de nuevo o corríjalo.',
  'bulk.duplicateColumn': 'Una columna aparece dos veces en este archivo. Quite una de ellas.',
  'bulk.unknownColumn':
    'Un enlace no tiene estas columnas: {columns}. Corrija sus nombres en la primera línea o quítelas.',
  'bulk.tooMany': 'Este archivo tiene más de 10 000 filas. Divídalo.',
  'bulk.preview': 'Vista previa de {file}',
  'bulk.ready': {
    one: '{count} fila está lista.',
    many: '{count} de filas están listas.',
    other: '{count} filas están listas.',
  },
  'bulk.skipped': {
    one: '{count} fila tiene un error y se ignora. Se muestra primero.',
    many: '{count} de filas tienen errores y se ignoran. Se muestran primero.',
    other: '{count} filas tienen errores y se ignoran. Se muestran primero.',
  },
  'bulk.rows': 'Filas del archivo',
  'bulk.row': 'Fila',
  'bulk.check': 'Comprobación',
  'bulk.valid': 'Lista',
  'bulk.moreRows': {
    one: 'y {count} fila más',
    many: 'y {count} de filas más',
    other: 'y {count} filas más',
  },
  'bulk.create': {
    one: 'Crear {count} enlace',
    many: 'Crear {count} de enlaces',
    other: 'Crear {count} enlaces',
  },
  'bulk.progress': {
    by: 'whole',
    one: '{count} de {whole} fila enviada',
    many: '{count} de {whole} de filas enviadas',
    other: '{count} de {whole} filas enviadas',
  },
  'bulk.done': {
    one: '{count} enlace creado',
    many: '{count} de enlaces creados',
    other: '{count} enlaces creados',
  },
  'bulk.failed': {
    one: '{count} fila fue rechazada. El archivo de abajo indica el motivo. Corrija solo las filas rechazadas, en un archivo aparte: los demás enlaces ya existen.',
    many: '{count} de filas fueron rechazadas. El archivo de abajo indica los motivos. Corrija solo las filas rechazadas, en un archivo aparte: los demás enlaces ya existen.',
    other:
      '{count} filas fueron rechazadas. El archivo de abajo indica los motivos. Corrija solo las filas rechazadas, en un archivo aparte: los demás enlaces ya existen.',
  },
  'bulk.saveHint':
    'Descargue el resultado ahora: contiene los enlaces y sus tokens, que no se vuelven a mostrar. No contiene contraseñas.',
  'bulk.save': 'Descargar resultado',
  'bulk.replaceTitle': '¿Descartar el resultado?',
  'bulk.replaceWarning': 'No se ha descargado. Los tokens de los nuevos enlaces no se vuelven a mostrar.',
  'bulk.replace': 'Descartar resultado',
} satisfies BulkMessages;
