import type { RecordMessages } from './en.ts';

export const pt = {
  print: 'Imprimir',
  close: 'Voltar ao link',
  title: 'Comprovante de entrega de {title}',
  state: 'Status em {time}: {status}',
  covers: {
    one: 'Esta impressão digital cobre o primeiro registro.',
    many: 'Esta impressão digital cobre os registros 1 a {count}.',
    other: 'Esta impressão digital cobre os registros 1 a {count}.',
  },
  check: 'Como verificar este comprovante',
  have: 'Em “{label}”, escolha o arquivo {file}. Se você não o tem, peça à pessoa que lhe deu este comprovante que o salve com “{button}” em {url}.',
  open: 'Abra este endereço em um navegador, sem conta:',
  gone: 'Se ele não existir mais, abra a página /verify de outro serviço Postern.',
  verify: 'Abra “{group}” e informe a impressão digital acima em “{label}”, se ela ainda não estiver lá.',
  expert:
    'Para especialistas: sem rede, “{command}” verifica o mesmo, onde H é o arquivo e F a impressão digital; veja {document} no programa Postern.',
  give: 'Para provar a alguém, entregue os dois: este comprovante, em papel ou em PDF, e o histórico salvo.',
  file: 'Para verificar também se um arquivo é o que foi enviado, escolha-o em “{label}”.',
  start: 'Depois, escolha “{start}”.',
  limits:
    'O histórico mostra quando e de qual endereço IP o link foi aberto. Ele não prova quem usava esse endereço.',
  compare: {
    one: 'Se a página não encontrar diferenças, o primeiro registro não foi alterado nem removido desde a criação deste comprovante.',
    many: 'Se a página não encontrar diferenças, nenhum dos registros 1 a {count} foi alterado, removido, adicionado ou movido desde a criação deste comprovante.',
    other:
      'Se a página não encontrar diferenças, nenhum dos registros 1 a {count} foi alterado, removido, adicionado ou movido desde a criação deste comprovante.',
  },
  titleOfReceived: 'Comprovante de arquivos recebidos: {title}',
  limitsOfReceived:
    'O histórico mostra quando e de qual endereço IP arquivos foram enviados. Ele não prova quem usava esse endereço.',
  typedNames: 'Os remetentes digitaram seus nomes. Eles não foram verificados.',
  coversReceived:
    'A impressão digital no fim deste comprovante cobre quando os arquivos foram enviados. Quais foram é coberto pelo histórico de cada envio, cuja impressão digital está acima.',
  checkpoint: 'Para especialistas: ponto de verificação assinado do log',
  checkpointText:
    'O texto abaixo, assinado pelo serviço, mostra se algum registro até o número {number} foi alterado, removido ou adicionado depois que você recebeu este comprovante: cole-o inteiro na página /verify, em “{label}”. Ele não mostra alterações anteriores, nem se os registros são verdadeiros.',
  checkpointLater:
    'O ponto de verificação assinado no fim ainda não cobre os registros mais recentes: antes de imprimir, abra este comprovante de novo em um minuto.',
  witnesses:
    'Estas testemunhas, serviços mantidos por outras pessoas, também o assinaram, pelo próprio relógio:',
  witnessProves:
    'Uma testemunha só assina se nenhum registro foi alterado ou removido desde a assinatura anterior dela: portanto, todos os registros até o número {number} estavam no log naquele momento. Para conferir uma assinatura, peça a chave da testemunha a quem a mantém e cole-a também.',
  checkSubmissions:
    'Para verificar quais arquivos chegaram, faça o mesmo para cada envio acima: “{button}” salva o histórico dele, e a impressão digital dele está ao lado.',
  giveOfRequest:
    'Para provar a alguém, entregue este comprovante, em papel ou em PDF, e os históricos salvos: o do pedido de arquivos e o de cada envio, que você salva abaixo, ao lado dele.',
  notNamed: 'Não informado',
  openable:
    'Este comprovante mostra o endereço do link. As pessoas que receberem este comprovante ou o histórico salvo podem abrir o link enquanto ele não expirar nem for revogado, e o histórico registra isso como abertura.',
  openableFiles:
    'Este comprovante mostra o endereço dos arquivos. As pessoas que receberem este comprovante ou o histórico salvo podem baixar os arquivos enquanto o endereço não expirar nem for revogado.',
  openableSubmissions: {
    one: 'As pessoas que receberem este comprovante ou os históricos salvos recebem também os endereços dos envios e podem baixar os arquivos de {count} envio. Para evitar isso, escolha “{edit}” nesse envio, abaixo, e defina uma senha ou uma validade.',
    many: 'As pessoas que receberem este comprovante ou os históricos salvos recebem também os endereços dos envios e podem baixar os arquivos de {count} de envios. Para evitar isso, escolha “{edit}” em cada um deles, abaixo, e defina uma senha ou uma validade.',
    other:
      'As pessoas que receberem este comprovante ou os históricos salvos recebem também os endereços dos envios e podem baixar os arquivos de {count} envios. Para evitar isso, escolha “{edit}” em cada um deles, abaixo, e defina uma senha ou uma validade.',
  },
  saveRequest: 'Salvar o histórico do pedido',
  saveSubmission: 'Salvar o histórico deste envio',
  restrict: 'Definir uma senha ou uma validade',
} satisfies RecordMessages;
