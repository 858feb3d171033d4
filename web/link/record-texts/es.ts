import type { RecordMessages } from './en.ts';

export const es = {
  print: 'Imprimir',
  close: 'Volver al enlace',
  title: 'Comprobante de entrega de {title}',
  state: 'Estado a fecha de {time}: {status}',
  covers: {
    one: 'Esta huella digital cubre la primera entrada.',
    many: 'Esta huella digital cubre las entradas 1 a {count}.',
    other: 'Esta huella digital cubre las entradas 1 a {count}.',
  },
  check: 'Cómo comprobar este documento',
  have: 'En «{label}», elija el archivo {file}. Si no lo tiene, pida a la persona que le dio este documento que lo guarde con «{button}» en {url}.',
  open: 'Abra esta dirección en un navegador, sin cuenta:',
  gone: 'Si ya no existe, abra la página /verify de otro servicio Postern.',
  verify: 'Abra «{group}» e introduzca la huella digital de arriba en «{label}», si aún no está allí.',
  expert:
    'Para especialistas: sin red, «{command}» comprueba lo mismo, donde H es el archivo y F la huella digital; véase {document} en el programa Postern.',
  give: 'Para demostrárselo a alguien, entréguele ambos: este documento, en papel o en PDF, y el historial guardado.',
  file: 'Para comprobar también si un archivo es el que se subió, elíjalo en «{label}».',
  start: 'Después, elija «{start}».',
  limits:
    'El historial muestra cuándo y desde qué dirección IP se abrió el enlace. No demuestra quién usaba esa dirección.',
  compare: {
    one: 'Si la página no encuentra diferencias, la primera entrada no se modificó ni se eliminó desde que se creó este documento.',
    many: 'Si la página no encuentra diferencias, ninguna de las entradas 1 a {count} se modificó, eliminó, añadió ni movió desde que se creó este documento.',
    other:
      'Si la página no encuentra diferencias, ninguna de las entradas 1 a {count} se modificó, eliminó, añadió ni movió desde que se creó este documento.',
  },
  titleOfReceived: 'Comprobante de archivos recibidos: {title}',
  limitsOfReceived:
    'El historial muestra cuándo y desde qué dirección IP se enviaron archivos. No demuestra quién usaba esa dirección.',
  typedNames: 'Los remitentes escribieron sus nombres. No se han verificado.',
  coversReceived:
    'La huella digital al final de este comprobante cubre cuándo se enviaron archivos. Cuáles fueron lo cubre el historial de cada envío, cuya huella digital figura arriba.',
  checkpoint: 'Para especialistas: punto de control firmado del registro',
  checkpointText:
    'El texto de abajo, firmado por el servicio, muestra si alguna entrada hasta la número {number} se modificó, eliminó o añadió después de que recibiera este comprobante: péguelo entero en la página /verify, en «{label}». No muestra cambios anteriores ni si las entradas son ciertas.',
  checkpointLater:
    'El punto de control firmado al final aún no cubre las entradas más recientes: antes de imprimir, abra de nuevo este comprobante en un minuto.',
  witnesses:
    'Estos testigos, servicios que gestionan otras personas, también lo han firmado, según su propio reloj:',
  witnessProves:
    'Un testigo solo firma si no se modificó ni eliminó ninguna entrada desde su firma anterior: todas las entradas hasta la número {number} estaban, por tanto, en el registro en ese momento. Para comprobar una firma, pida la clave del testigo a quienes lo gestionan y péguela también.',
  checkSubmissions:
    'Para comprobar qué archivos llegaron, haga lo mismo con cada envío de arriba: «{button}» guarda su historial, y su huella digital figura al lado.',
  giveOfRequest:
    'Para demostrárselo a alguien, entréguele este documento, en papel o en PDF, y los historiales guardados: el de la solicitud y el de cada envío, que se guarda abajo junto a él.',
  notNamed: 'No indicado',
  openable:
    'Este documento muestra la dirección del enlace. Las personas que reciban este documento o el historial guardado pueden abrir el enlace mientras no caduque ni se revoque, y el historial lo registra como apertura.',
  openableFiles:
    'Este documento muestra la dirección de los archivos. Las personas que reciban este documento o el historial guardado pueden descargar los archivos mientras la dirección no caduque ni se revoque.',
  openableSubmissions: {
    one: 'Las personas que reciban este documento o los historiales guardados reciben también las direcciones de los envíos y pueden descargar los archivos de {count} envío. Para evitarlo, elija «{edit}» en ese envío, abajo, y defina una contraseña o una caducidad.',
    many: 'Las personas que reciban este documento o los historiales guardados reciben también las direcciones de los envíos y pueden descargar los archivos de {count} de envíos. Para evitarlo, elija «{edit}» en cada uno de ellos, abajo, y defina una contraseña o una caducidad.',
    other:
      'Las personas que reciban este documento o los historiales guardados reciben también las direcciones de los envíos y pueden descargar los archivos de {count} envíos. Para evitarlo, elija «{edit}» en cada uno de ellos, abajo, y defina una contraseña o una caducidad.',
  },
  saveRequest: 'Guardar el historial de la solicitud',
  saveSubmission: 'Guardar el historial de este envío',
  restrict: 'Definir una contraseña o una caducidad',
} satisfies RecordMessages;
