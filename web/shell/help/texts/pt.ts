import type { HelpMessages } from './en.ts';

export const pt = {
  'send.question': 'Como envio um arquivo com senha?',
  'send.answer':
    'Escolha “{create}” e depois “{files}”. Adicione o arquivo, digite uma senha ou gere uma, e crie o link. “{message}” copia um texto para o seu e-mail. Informe a senha por outro meio, por exemplo por telefone. “{copyPassword}” só fica disponível até você sair da página.',
  'only.question': 'Como faço para que só certas pessoas abram um link?',
  'only.answer':
    'Ao criar o link, escreva os endereços de e-mail delas em “{who}”. Para abri-lo, cada pessoa pede um código, que o serviço envia a esse endereço. O histórico e o comprovante mostram então o endereço. Se “{who}” não aparece, este serviço não envia esses códigos.',
  'seen.question': 'Como sei se ele foi aberto?',
  'seen.answer':
    '“{create}” mostra seus links mais recentes e se foram abertos; “{links}” mostra todos. A página de um link diz também se o arquivo foi enviado por completo. Cada abertura conta como acesso, a sua também.',
  'previews.question': 'Por que o histórico mostra prévias?',
  'previews.answer':
    'Uma prévia é um programa que só olhou o link, o que não conta como acesso. Mas muitos aplicativos de mensagens e filtros de e-mail buscam o conteúdo de um link antes que uma pessoa o abra, e isso conta como acesso. Ative “{confirm}” ou defina uma senha, e eles não consomem acessos.',
  'stop.question': 'Posso cancelar um link?',
  'stop.answer':
    'Sim. Na página dele, escolha “{revoke}”, e ele nunca mais abre. Ou escolha “{pause}” em “{more}” e, mais tarde, “{resume}”.',
  'password.question': 'Esqueci a senha de um link. E agora?',
  'password.answer':
    'O serviço não guarda nenhuma cópia legível. Na página do link, escolha “{edit}” e defina uma nova senha.',
  'receive.question': 'Como peço arquivos a alguém?',
  'receive.answer':
    'Escolha “{create}” e depois “{request}”, diga o que precisa, crie o link e envie-o. Quem o tem pode enviar arquivos a você sem conta e não vê o que outras pessoas enviaram. Os arquivos ficam na página desse link, em “{received}”.',
  'prove.question': 'Como provo mais tarde que um link foi aberto?',
  'prove.answer':
    'Na página dele, abra “{record}”, imprima-o ou salve-o como PDF, e escolha também “{export}”. Guarde os dois, ou entregue-os a outra pessoa. Com eles, qualquer pessoa pode verificar em “{verify}”, sem conta, que nada foi alterado.',
  'invite.question': 'Como convido um colega?',
  'invite.answer':
    'Se você vê “{people}” no topo, escolha essa opção e depois “{add}”. Você recebe um link para enviar ao colega, que define a senha com ele. Caso contrário, peça ao administrador.',
  'lists.question': 'Onde estão os links que criei?',
  'lists.answer':
    'Em “{links}”. Os que você criou com a sessão iniciada estão lá em todos os dispositivos; os outros, somente no navegador que os criou.',
  'secret.question': 'O administrador pode ler o que envio?',
  'secret.answer':
    'Sim, a menos que você ative “{encrypt}”. Nesse caso, só quem tem o endereço completo ou a frase secreta pode ler.',
  'further.question': 'Quem mais pode me ajudar?',
  'further.answer': 'O administrador deste serviço.',
} satisfies HelpMessages;
