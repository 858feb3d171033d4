import type { Translated } from '../../../src/common/translate.ts';
import type { en } from './en.ts';

export const pt: Translated<typeof en> = {
  'unfinished.title': 'Envio inacabado',
  'unfinished.offer': 'O envio de “{name}” parou em {percent}.',
  'unfinished.choose': {
    one: 'Escolha o mesmo arquivo de novo para continuar.',
    many: 'Escolha os mesmos {count} arquivos de novo para continuar.',
    other: 'Escolha os mesmos {count} arquivos de novo para continuar.',
  },
  'unfinished.other': 'Os arquivos escolhidos não são os mesmos.',
  'unfinished.continues': 'O envio de “{name}” continua em {percent}.',
  'unfinished.discard': 'Descartar envio',
  'request.example': 'Por exemplo: o contrato assinado em PDF',
  'request.limits': 'Limites por envio',
  'request.unitFiles': 'arquivos',
  'request.unitMegabytes': 'MB',
  'request.encryptTo': 'Criptografar para sua chave pública',
  'request.encryptToHint':
    'Assim só você pode descriptografar os arquivos: o navegador do remetente os criptografa para esta chave, e este serviço não pode lê-los.',
  'request.keyHow': 'Como obter uma chave e descriptografar arquivos',
  'request.keyMake':
    'Este comando do programa age (age-encryption.org) cria uma chave. Cole acima a chave pública que ele mostra e guarde bem o arquivo key.txt: sem ele, os arquivos são perdidos.',
  'request.keyOpen': 'Cada um destes comandos descriptografa o que chegou. LINK é o endereço.',
  'request.keyInvalid': 'Insira uma chave pública do age, que começa com age1.',
  'request.keySecret': 'Esta é a sua chave secreta. Não a compartilhe; cole a chave pública.',
  'text.label': 'Seu texto',
  'text.oneLine': 'Ocultar ao digitar',
  'text.oneLineHint': 'Para uma senha ou outro segredo de uma linha.',
  'encrypt.hint':
    'Este serviço não pode ler o que você envia, nem mesmo os nomes dos arquivos. Dê um nome ao link para encontrá-lo depois.',
  'encrypt.needsHttps': 'Requer uma conexão por HTTPS.',
  'passphrase.hint': 'Envie-a ao destinatário separadamente. Se o campo ficar vazio, a chave fica no link.',
  'otherApps.bookmark': 'Link com {name}',
  'otherApps.drag':
    'Arraste este botão para a barra de favoritos. Em qualquer página, o favorito abre este formulário com o endereço e o título dela.',
  'otherApps.install':
    'No Android, instale esta página como aplicativo. Ela aparece então entre os aplicativos ao compartilhar.',
  atOnce:
    'Aplicativos de mensagens e filtros de e-mail que abrem este link recebem o arquivo, e cada um conta como acesso.',
  noAddress: 'Sua conta não tem endereço de e-mail.',
  addAddress: 'Adicionar em Pessoas',
  askAddress: 'O administrador pode adicioná-lo.',
};
