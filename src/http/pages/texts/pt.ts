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
  'text.title': 'Um texto foi compartilhado com você',
  'text.text': 'Ele é exibido quando você clica no botão.',
  'text.open': 'Mostrar texto',
  'text.shown': 'Texto compartilhado',
  'text.last':
    'Este foi o último acesso. Copie o texto antes de fechar esta página: ele não poderá ser aberto de novo.',
  'text.copy': 'Copiar',
  'text.copyFailed': 'Não foi possível copiar. Selecione o texto e copie-o manualmente.',
  'picture.title': 'Uma imagem foi compartilhada com você',
  'picture.text': 'Ela é exibida quando você clica no botão.',
  'picture.open': 'Mostrar imagem',
  'files.title': 'Há arquivos prontos para baixar',
  'files.text': 'Ao clicar no botão, você escolhe o que baixar.',
  'files.open': 'Mostrar arquivos',
  'files.zip': 'Baixar tudo (ZIP)',
  'files.count': { one: '{count} arquivo', many: '{count} de arquivos', other: '{count} arquivos' },
  'files.more': {
    one: 'E mais {count} arquivo.',
    many: 'E mais {count} de arquivos.',
    other: 'E mais {count} arquivos.',
  },
  'files.again': 'Você pode recarregar esta página e continuar um download sem gastar outro acesso.',
  'encrypted.title': 'Algo criptografado foi compartilhado com você',
  'encrypted.text':
    'Foi criptografado antes do envio. Seu navegador o descriptografa aqui: o serviço não pode lê-lo.',
  'encrypted.again': 'Você já o abriu. Descriptografá-lo de novo nesta página não gasta outro acesso.',
  'encrypted.size': 'Até {size}',
  'encrypted.key': 'Frase secreta ou chave',
  'encrypted.open': 'Baixar e descriptografar',
  'encrypted.shown': 'Texto descriptografado',
  'encrypted.withoutScript':
    'Para descriptografá-lo aqui, ative o JavaScript. O botão abaixo o baixa criptografado. Este comando o descriptografa com age e tar:',
  'encrypted.script.badLink': 'A chave no fim do endereço está incompleta. Copie o link inteiro novamente.',
  'encrypted.script.choose': 'Escolher onde salvar',
  'encrypted.script.damaged':
    'O download está danificado ou foi alterado. Nada incompleto foi salvo. Você pode tentar novamente sem gastar outro acesso.',
  'encrypted.script.done': 'Descriptografado e verificado.',
  'encrypted.script.failed':
    'Não funcionou ({reason}). Nada incompleto foi salvo. Você pode tentar novamente sem gastar outro acesso.',
  'encrypted.script.insecure':
    'Os navegadores só descriptografam em páginas com https://. Peça um link assim ao remetente ou abra-o pela linha de comando.',
  'encrypted.script.progress': '{done} de {total}',
  'encrypted.script.ready': 'Pronto: {name}, {size}',
  'encrypted.script.save': 'Salvar {name}',
  'encrypted.script.saving':
    'Seu navegador está salvando {name}. A lista de downloads dele mostra o progresso.',
  'encrypted.script.tooLarge':
    'Este navegador pode descriptografar no máximo {size}. Abra o link no Chrome, Edge ou Firefox, ou pela linha de comando.',
  'encrypted.script.wrongKey':
    'Esta frase secreta ou chave não serve. Confira e tente novamente. Nenhum outro acesso é gasto.',
  'command.title': 'Baixar com um comando',
  'command.copy': 'Copiar comando',
  'command.copied': 'Copiado',
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

  'request.title': 'Enviar arquivos',
  'request.until': 'Até {time}',
  'request.maxFiles': 'Número máximo de arquivos: {count}',
  'request.maxBytes': 'No máximo {size} no total',
  'request.files': 'Arquivos',
  'request.sender': 'Seu nome (opcional)',
  'request.note': 'Mensagem (opcional)',
  'request.send': 'Enviar arquivos',
  'request.sending': 'Enviando…',
  'request.failed': 'Não foi possível enviar os arquivos. Verifique a conexão e tente de novo.',
  'request.tooMany': 'São arquivos demais ou grandes demais.',
  'request.encrypts':
    'Seu navegador criptografa os arquivos para esta chave antes de enviá-los. Só o destinatário pode descriptografá-los. Seu nome e sua mensagem não são criptografados.',
  'request.withoutScript': 'Para criptografar e enviar os arquivos, ative o JavaScript.',
  'request.insecure':
    'Os navegadores só criptografam em páginas com https://. Peça um link assim ao destinatário.',
  'receipt.title': 'Seus arquivos foram recebidos',
  'receipt.text': 'Guarde este recibo: as somas de verificação mostram depois o que você enviou.',
  'receipt.encrypted':
    'Os arquivos foram criptografados antes do envio. A soma de verificação é a do arquivo criptografado.',
  'receipt.save': 'Salvar recibo',

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
