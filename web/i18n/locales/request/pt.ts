import type { RequestDictionary } from '../../translate.ts';

export const pt: RequestDictionary = {
  'state.views': { one: '{count} envio', many: '{count} de envios', other: '{count} envios' },
  'state.viewsOf': {
    by: 'whole',
    one: '{count} de {whole} envio',
    many: '{count} de {whole} de envios',
    other: '{count} de {whole} envios',
  },
  'state.lastOpened': 'Último envio em {when}',
  'column.views': 'Envios',
  'column.lastOpened': 'Último envio',
  'access.success': 'Arquivos recebidos',
  'access.viewLimit': 'Limite de envios atingido',
  'board.noViewsInPeriod': 'Nenhum envio neste período.',
  views: 'Envios',
  'views.limit': {
    one: 'No máximo {count} envio',
    many: 'No máximo {count} de envios',
    other: 'No máximo {count} envios',
  },
  'views.once': 'Um envio',
  'views.field': { one: 'envio', many: 'de envios', other: 'envios' },
  'notifyEmail.hint': 'Um e-mail avisa quando chegam arquivos, no máximo uma vez por minuto.',
  'linkState.active': 'Qualquer pessoa com este link pode enviar arquivos.',
  'linkState.activePassword': 'Qualquer pessoa com este link e a senha pode enviar arquivos.',
  'linkState.usedUp':
    'Não aceita mais arquivos: todos os envios foram usados. Aumente o limite para receber mais.',
  'linkState.expired': 'Ele expirou e não aceita mais arquivos, a menos que a expiração seja alterada.',
  'linkState.revoked': 'Ele foi revogado e não aceita mais arquivos.',
  'linkState.paused': 'Está pausado e não aceita arquivos até ser retomado.',
  'linkState.scheduled': 'Só aceitará arquivos a partir da data de início.',
  'entry.opened': 'Arquivos recebidos',
  'entry.previewMeaning':
    'Prévia: uma solicitação que não enviou arquivos, como a prévia do link em um chat ou uma visita à página. Não conta como envio.',
  'certificate.limits':
    'O histórico mostra quando e de qual endereço arquivos foram enviados. Ele não prova quem usava esse endereço. Mais informações: {document} em uma cópia do Postern.',
  'edit.maxViews': 'Limite de envios',
  'edit.maxViewsHint': {
    one: '{count} envio até agora. Vazio: sem limite. Ao atingir o limite, o link não aceita mais arquivos.',
    many: '{count} de envios até agora. Vazio: sem limite. Ao atingir o limite, o link não aceita mais arquivos.',
    other:
      '{count} envios até agora. Vazio: sem limite. Ao atingir o limite, o link não aceita mais arquivos.',
  },
  'edit.maxViewsTooLow': {
    one: '{count} envio até agora: um limite menor é salvo como {count}, e o link não aceita mais arquivos.',
    many: '{count} de envios até agora: um limite menor é salvo como {count}, e o link não aceita mais arquivos.',
    other:
      '{count} envios até agora: um limite menor é salvo como {count}, e o link não aceita mais arquivos.',
  },
  'edit.pausedHint': 'Até você retomar o link, ele não aceita arquivos.',
  'code.hint':
    'O link continua em um novo endereço, com suas condições e os envios restantes. O histórico anterior e o que chegou permanecem no endereço antigo, que deixa de funcionar: informe o novo a quem precisar.',
};
