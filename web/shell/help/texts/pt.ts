import type { HelpMessages } from './en.ts';

export const pt = {
  'send.question': 'Como envio um arquivo a uma pessoa?',
  'send.answer':
    'Escolha “{create}”, adicione o arquivo e copie o link. Se for confidencial, defina uma senha e permita um único acesso. Informe a senha por outro meio, por exemplo por telefone.',
  'seen.question': 'Como sei se ele foi aberto?',
  'seen.answer':
    'Abra a página do link em “{links}”. A primeira frase diz quantas vezes e quando ele foi aberto, e se o arquivo foi enviado por completo.',
  'previews.question': 'Por que o histórico mostra prévias?',
  'previews.answer':
    'Filtros de e-mail e aplicativos de mensagens consultam um endereço antes de uma pessoa. Isso não conta como acesso. Se um link só pode ser aberto uma vez, ative “{confirm}”.',
  'stop.question': 'Posso cancelar um link?',
  'stop.answer': 'Sim. Na página dele, revogue-o, e ele nunca mais abre; ou pause-o e retome-o mais tarde.',
  'password.question': 'Esqueci a senha de um link. E agora?',
  'password.answer': 'O serviço não guarda nenhuma cópia legível. Edite o link e defina uma nova senha.',
  'receive.question': 'Como peço arquivos a alguém?',
  'receive.answer':
    'Escolha “{create}” e depois “{request}”. As pessoas que têm esse link podem enviar arquivos a você. Elas não veem o que outras enviaram.',
  'prove.question': 'Como provo mais tarde que um link foi aberto?',
  'prove.answer':
    'Na página dele, escolha “{record}” e entregue-o a outra pessoa, ou guarde-o em lugar seguro. Escolha também “{export}”. Com os dois, qualquer pessoa pode verificar em “{verify}” que nada foi alterado.',
  'lists.question': 'Onde estão os links que criei?',
  'lists.answer':
    'Os que você criou com a sessão iniciada estão em “{links}” em todos os dispositivos. Os outros estão somente no navegador que os criou.',
  'secret.question': 'O administrador pode ler o que envio?',
  'secret.answer':
    'Sim, a menos que você o criptografe. Nesse caso, só quem tem o endereço completo pode ler.',
  'further.question': 'Quem mais pode me ajudar?',
  'further.answer': 'O administrador deste serviço.',
} satisfies HelpMessages;
