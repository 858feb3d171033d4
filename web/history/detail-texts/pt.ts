import type { DetailMessages } from './en.ts';

export const pt = {
  number: 'Número',
  time: 'Hora',
  program: 'Programa, segundo ele mesmo',
  referrer: 'Veio de',
  download: 'Download {number}',
  resumedAfter: 'Retomado após {size}',
  type: 'Tipo de link',
  fileCount: 'Número de arquivos',
  scanNote: 'Mensagem da verificação de malware',
  importedFrom: 'Importado de',
  createdAt: 'Criado lá',
  viewCount: 'Acessos lá',
  raw: 'Dados brutos',
} satisfies DetailMessages;
