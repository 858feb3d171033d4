import type { BulkMessages } from './en.ts';

export const pt = {
  'bulk.intro':
    'Cada linha do arquivo vira um link, por exemplo um por destinatário. Você vê todas as linhas antes de criar algo.',
  'bulk.columns': 'A primeira linha contém os nomes das colunas; só targetUrl é obrigatória:',
  'bulk.dates':
    'As datas são escritas assim: 2026-12-31 18:00, 2026-12-31T18:00+01:00 ou 7d para daqui a 7 dias.',
  'bulk.confirm': 'confirm é true ou false. Sem valor, os links com maxViews perguntam antes de abrir.',
  'bulk.meaning': 'O que cada coluna significa:',
  'bulk.pick': 'Escolher arquivo CSV',
  'bulk.template': 'Baixar modelo',
  'bulk.empty':
    'Este arquivo não tem linhas. Ele precisa de uma linha com os nomes das colunas e uma linha por link.',
  'bulk.noTarget':
    'A primeira linha deste arquivo não contém uma coluna targetUrl. Adicione-a ou comece pelo modelo.',
  'bulk.quotes': 'Falta uma aspa neste arquivo. Exporte-o novamente ou corrija-o.',
  'bulk.duplicateColumn': 'Uma coluna aparece duas vezes neste arquivo. Remova uma delas.',
  'bulk.unknownColumn':
    'Um link não tem estas colunas: {columns}. Corrija os nomes na primeira linha ou remova-as.',
  'bulk.tooMany': 'Este arquivo tem mais de 10.000 linhas. Divida-o.',
  'bulk.preview': 'Prévia de {file}',
  'bulk.ready': {
    one: '{count} linha está pronta.',
    many: '{count} de linhas estão prontas.',
    other: '{count} linhas estão prontas.',
  },
  'bulk.skipped': {
    one: '{count} linha tem um erro e é ignorada. Ela aparece primeiro.',
    many: '{count} de linhas têm erros e são ignoradas. Elas aparecem primeiro.',
    other: '{count} linhas têm erros e são ignoradas. Elas aparecem primeiro.',
  },
  'bulk.rows': 'Linhas do arquivo',
  'bulk.row': 'Linha',
  'bulk.check': 'Verificação',
  'bulk.valid': 'Pronta',
  'bulk.moreRows': {
    one: 'e mais {count} linha',
    many: 'e mais {count} de linhas',
    other: 'e mais {count} linhas',
  },
  'bulk.create': { one: 'Criar {count} link', many: 'Criar {count} de links', other: 'Criar {count} links' },
  'bulk.progress': {
    by: 'whole',
    one: '{count} de {whole} linha enviada',
    many: '{count} de {whole} de linhas enviadas',
    other: '{count} de {whole} linhas enviadas',
  },
  'bulk.done': {
    one: '{count} link criado',
    many: '{count} de links criados',
    other: '{count} links criados',
  },
  'bulk.failed': {
    one: '{count} linha foi recusada. O arquivo abaixo tem o motivo. Corrija apenas as linhas recusadas, em um arquivo à parte: os outros links já existem.',
    many: '{count} de linhas foram recusadas. O arquivo abaixo tem os motivos. Corrija apenas as linhas recusadas, em um arquivo à parte: os outros links já existem.',
    other:
      '{count} linhas foram recusadas. O arquivo abaixo tem os motivos. Corrija apenas as linhas recusadas, em um arquivo à parte: os outros links já existem.',
  },
  'bulk.saveHint':
    'Baixe o resultado agora: ele tem os links e seus tokens, que não são mostrados de novo. Ele não tem senhas.',
  'bulk.save': 'Baixar resultado',
  'bulk.replaceTitle': 'Descartar o resultado?',
  'bulk.replaceWarning': 'Ele não foi baixado. Os tokens dos novos links não são mostrados de novo.',
  'bulk.replace': 'Descartar resultado',
} satisfies BulkMessages;
