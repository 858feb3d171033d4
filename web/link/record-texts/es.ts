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
    one: 'Si la página no encuentra diferencias, la primera entrada no se modificó ni se eliminó desde que se imprimió esta página.',
    many: 'Si la página no encuentra diferencias, ninguna de las entradas 1 a {count} se modificó, eliminó, añadió ni movió desde que se imprimió esta página.',
    other:
      'Si la página no encuentra diferencias, ninguna de las entradas 1 a {count} se modificó, eliminó, añadió ni movió desde que se imprimió esta página.',
  },
  titleOfReceived: 'Comprobante de archivos recibidos: {title}',
  limitsOfReceived:
    'El historial muestra cuándo y desde qué dirección IP se enviaron archivos. No demuestra quién usaba esa dirección.',
  typedNames: 'Los remitentes escribieron sus nombres. No se han verificado.',
  coversReceived:
    'La huella digital al final de este comprobante cubre cuándo se enviaron archivos. Cuáles fueron lo cubre el historial de cada envío, cuya huella digital figura arriba.',
  checkpoint: 'Punto de control del registro',
  checkpointText:
    'El texto del final es un punto de control: con él, el servicio firmó el estado de su registro, que contiene las entradas de todos los enlaces. Muestra si alguna de las entradas 1 a {number} de este enlace se modificó, eliminó o añadió después de que recibiera este comprobante. Para comprobarlo, péguelo entero en la página /verify, en «{label}».',
  checkpointLater:
    'Aún no cubre las entradas posteriores a la {number}. El próximo punto de control, en menos de un minuto, las cubrirá: abra entonces de nuevo este comprobante.',
  checkpointLimits:
    'No muestra si se modificaron entradas antes de que recibiera este comprobante, ni si lo que dicen es cierto.',
  witnesses:
    'Los testigos son servicios que gestionan otras personas. Estos también han firmado el punto de control, según la hora de su propio reloj:',
  witnessProves:
    'Un testigo solo firma si no se modificó ni eliminó ninguna entrada desde el punto de control que firmó antes. Su firma muestra, por tanto, que las entradas 1 a {number} estaban en el registro en ese momento. No muestra si se modificaron antes. Para comprobar la firma, pida la clave del testigo a quienes lo gestionan y péguela también.',
  noWitness:
    'Ningún testigo ha firmado este punto de control. Los testigos son servicios que gestionan otras personas; solo firman si no se modificó ni eliminó ninguna entrada desde su última firma. Sin ellos, un cambio posterior del registro solo se descubre con un comprobante o un punto de control que alguien haya guardado.',
  checkSubmissions:
    'Para comprobar qué archivos llegaron, haga lo mismo con cada envío de arriba: «{button}», junto al envío, guarda su historial, y su huella digital figura con él.',
  giveOfRequest:
    'Para demostrárselo a alguien, entréguele este documento, en papel o en PDF, y los historiales guardados: el de la solicitud y el de cada envío, que se guarda abajo junto a él.',
  notNamed: 'No indicado',
  openable:
    'Este documento muestra la dirección del enlace. Las personas que reciban este documento o el historial guardado pueden abrir el enlace hasta que caduque o se revoque, y el historial lo registra como apertura.',
  openableFiles:
    'Este documento muestra la dirección de los archivos. Las personas que reciban este documento o el historial guardado pueden descargar los archivos hasta que la dirección caduque o se revoque.',
  openableSubmissions: {
    one: 'Las personas que reciban este documento o los historiales guardados reciben también las direcciones de los envíos. Pueden descargar los archivos de {count} envío hasta que caduque o se revoque. «{edit}», a su lado, lleva a donde se cambia.',
    many: 'Las personas que reciban este documento o los historiales guardados reciben también las direcciones de los envíos. Pueden descargar los archivos de {count} envíos hasta que caduquen o se revoquen. «{edit}», al lado de cada uno, lleva a donde se cambia.',
    other:
      'Las personas que reciban este documento o los historiales guardados reciben también las direcciones de los envíos. Pueden descargar los archivos de {count} envíos hasta que caduquen o se revoquen. «{edit}», al lado de cada uno, lleva a donde se cambia.',
  },
  restrict: 'Definir una contraseña o una caducidad',
} satisfies RecordMessages;
