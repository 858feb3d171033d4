import type { DetailMessages } from './en.ts';

export const es = {
  number: 'Número',
  time: 'Hora',
  program: 'Programa, según él mismo',
  referrer: 'Procedía de',
  download: 'Descarga {number}',
  resumedAfter: 'Reanudada después de {size}',
  type: 'Tipo de enlace',
  fileCount: 'Número de archivos',
  scanNote: 'Mensaje del análisis de malware',
  importedFrom: 'Importado de',
  createdAt: 'Creado allí',
  viewCount: 'Visitas allí',
  raw: 'Datos sin procesar',
} satisfies DetailMessages;
