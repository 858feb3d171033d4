import type { VisitorTexts } from './en.ts';

export const pt: VisitorTexts = {
  'notice.NOT_FOUND.title': 'Link não encontrado',
  'notice.NOT_FOUND.text':
    'Verifique se o endereço está completo, incluindo maiúsculas e minúsculas, ou pergunte à pessoa que o enviou a você.',
  'notice.FILE_NOT_FOUND.title': 'Arquivo não encontrado',
  'notice.FILE_NOT_FOUND.text':
    'O link é válido, mas o arquivo não está disponível. Nenhum acesso foi contado. Avise a pessoa que enviou o link a você.',
  'notice.DOWNLOAD_ENDED.title': 'Não é possível retomar este download',
  'notice.DOWNLOAD_ENDED.text':
    'Abra o link novamente para iniciar um novo download, que conta como um acesso.',
  'notice.REVOKED.title': 'Este link foi revogado',
  'notice.REVOKED.text': 'Ele não pode mais ser aberto. Peça um novo link à pessoa que o enviou a você.',
  'notice.EXPIRED.title': 'Este link expirou',
  'notice.EXPIRED.text': 'Peça um novo link à pessoa que o enviou a você.',
  'notice.VIEW_LIMIT_REACHED.title': 'Este link não tem mais acessos disponíveis',
  'notice.VIEW_LIMIT_REACHED.text':
    'Ele só podia ser aberto um número limitado de vezes. Peça um novo link à pessoa que o enviou a você.',
  'notice.UNEXPECTED_STATE.title': 'Este link não está ativo',
  'notice.UNEXPECTED_STATE.text':
    'Ele não pode mais ser aberto. Peça um novo link à pessoa que o enviou a você.',
  'notice.PAUSED.title': 'Este link está pausado',
  'notice.PAUSED.text':
    'A pessoa que enviou o link o pausou. Nenhum acesso foi contado. Tente mais tarde ou fale com essa pessoa.',
  'notice.NOT_STARTED.title': 'Este link ainda não está disponível',
  'notice.NOT_STARTED.text':
    'Estará disponível mais tarde. Nenhum acesso foi contado. Tente mais tarde ou fale com quem o enviou.',
  'notice.RATE_LIMITED.title': 'Tentativas demais',
  'notice.RATE_LIMITED.text': 'Aguarde antes de tentar novamente.',
  'notice.OVERLOADED.title': 'O serviço está ocupado',
  'notice.OVERLOADED.text':
    'O link não foi aberto e nenhum acesso foi contado. Tente novamente em alguns segundos.',
  'notice.SERVER_ERROR.title': 'Ocorreu um erro do nosso lado',
  'notice.SERVER_ERROR.text': 'Não foi possível abrir o link. Tente novamente em instantes.',
  'notice.CROSS_SITE.title': 'Outro site tentou abrir este link',
  'notice.CROSS_SITE.text':
    'Para sua segurança, o link não foi aberto e nenhum acesso foi contado. Você mesmo pode abri-lo.',
  'notice.UNREADABLE_FORM.title': 'Não foi possível ler o formulário',
  'notice.UNREADABLE_FORM.text': 'Volte e envie-o novamente.',

  'redirect.title': 'Você está prestes a abrir um link',
  'redirect.text': 'Ele leva a este site:',
  'redirect.open': 'Abrir link',
  'download.title': 'Um arquivo está pronto para baixar',
  'download.text': 'O download começa quando você clica no botão.',
  'download.open': 'Baixar arquivo',
  'download.started': 'O download começou.',
  'download.again': 'Para baixar o arquivo de novo, recarregue esta página.',
  'download.counts': 'Isso conta como mais um download.',
  'download.left': {
    one: 'Resta {count} download',
    many: 'Restam {count} de downloads',
    other: 'Restam {count} downloads',
  },
  checksum: 'Soma de verificação (SHA-256)',
  'views.left': {
    one: 'Resta {count} acesso',
    many: 'Restam {count} de acessos',
    other: 'Restam {count} acessos',
  },
  'download.countsNow': 'Este download contará como um deles.',
  'views.counts': 'Abrir o link conta como um acesso.',
  expires: 'Expira em {time}',
  opens: 'Disponível a partir de {time}',

  'limited.wait': {
    one: 'Tente novamente em {count} minuto.',
    many: 'Tente novamente em {count} de minutos.',
    other: 'Tente novamente em {count} minutos.',
  },

  'password.title': 'Este link é protegido por senha',
  'password.text': 'Digite a senha que o remetente deu a você.',
  'password.field': 'Senha',
  'password.show': 'Mostrar senha',
  'password.open': 'Abrir link',
  'password.missing': 'Digite a senha.',
  'password.wrong': 'Senha incorreta. Verifique maiúsculas e minúsculas e tente novamente.',

  'preview.title': 'Link compartilhado',
  'preview.text': 'Abra o link para ver o conteúdo.',
  open: 'Abrir link',
  'unknownPath.title': 'Página não encontrada',
  'unknownPath.text':
    'Não há nada neste endereço. Verifique se ele está completo, inclusive maiúsculas e minúsculas.',
  home: 'Ir para a página inicial',
  'health.title.UP': 'O serviço está funcionando',
  'health.title.DOWN': 'O serviço tem um problema',
  'health.title.OUT_OF_SERVICE': 'Serviço indisponível',
  'health.text': 'Verificado agora. Programas recebem JSON neste endereço.',
  'health.component.database': 'Banco de dados',
  'health.component.storage': 'Armazenamento de arquivos',
  'health.component.scheduler': 'Verificação de expiração',
  'health.UP': 'Ativo',
  'health.DOWN': 'Fora do ar',
  'health.OUT_OF_SERVICE': 'Fora de serviço',
  reference: 'Se acontecer de novo, informe esta referência ao administrador:',
  abuse: 'Denunciar abuso',
  contact: 'Falar com o operador deste serviço',
};
