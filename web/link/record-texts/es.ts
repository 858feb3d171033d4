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
  have: 'Necesita el historial guardado, el archivo {file}. Si no lo recibió con este documento, pídalo a la persona que se lo dio: «{button}» en {url} lo guarda.',
  open: 'Abra esta página, o la página /verify de cualquier otro Postern. Ninguna necesita una cuenta:',
  verify: 'Elija allí el archivo e introduzca la huella digital de arriba si la página no la muestra ya.',
  offline: 'Sin red, el comando «{command}» comprueba lo mismo, donde H es el archivo y F la huella digital.',
  give: 'Para demostrárselo a alguien, entréguele ambos: este documento, en papel o en PDF, y el historial guardado.',
  file: 'Para comprobar que un archivo es el que se subió, elíjalo también allí.',
  limits:
    'El historial muestra cuándo y desde qué dirección se abrió el enlace. No demuestra quién usaba esa dirección. Más información: {document} en una copia de Postern.',
  compare: {
    one: 'Si la página no encuentra diferencias, la primera entrada no se modificó ni se eliminó desde que se imprimió esta página.',
    many: 'Si la página no encuentra diferencias, ninguna de las entradas 1 a {count} se modificó, eliminó, añadió ni movió desde que se imprimió esta página.',
    other:
      'Si la página no encuentra diferencias, ninguna de las entradas 1 a {count} se modificó, eliminó, añadió ni movió desde que se imprimió esta página.',
  },
  titleOfRequest: 'Comprobante de archivos recibidos: {title}',
  limitsOfRequest:
    'El historial muestra cuándo y desde qué dirección se enviaron archivos. No demuestra quién usaba esa dirección. Más información: {document} en una copia de Postern.',
} satisfies RecordMessages;
