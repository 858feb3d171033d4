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
    one: 'Se a página não encontrar diferenças, o primeiro registro não foi alterado nem removido desde a impressão desta página.',
    many: 'Se a página não encontrar diferenças, nenhum dos registros 1 a {count} foi alterado, removido, adicionado ou movido desde a impressão desta página.',
    other:
      'Se a página não encontrar diferenças, nenhum dos registros 1 a {count} foi alterado, removido, adicionado ou movido desde a impressão desta página.',
  },
  titleOfReceived: 'Comprovante de arquivos recebidos: {title}',
  limitsOfReceived:
    'O histórico mostra quando e de qual endereço IP arquivos foram enviados. Ele não prova quem usava esse endereço.',
  typedNames: 'Os remetentes digitaram seus nomes. Eles não foram verificados.',
  coversReceived:
    'A impressão digital no fim deste comprovante cobre quando os arquivos foram enviados. Quais foram é coberto pelo histórico de cada envio, cuja impressão digital está acima.',
  checkpoint: 'Ponto de verificação do log',
  checkpointText:
    'O texto no fim é um ponto de verificação: com ele, o serviço assinou o estado do seu log, que contém os registros de todos os links. Ele mostra se algum dos registros 1 a {number} deste link foi alterado, removido ou adicionado depois que você recebeu este comprovante. Para conferir, cole-o inteiro na página /verify, em “{label}”.',
  checkpointLater:
    'Ele ainda não cobre os registros após o {number}. O próximo ponto de verificação, em até um minuto, os cobrirá: abra então este comprovante de novo.',
  checkpointLimits:
    'Ele não mostra se registros foram alterados antes de você receber este comprovante, nem se o que dizem é verdade.',
  witnesses:
    'Testemunhas são serviços mantidos por outras pessoas. Estas também assinaram o ponto de verificação, na hora do próprio relógio:',
  witnessProves:
    'Uma testemunha só assina se nenhum registro foi alterado ou removido desde o ponto de verificação que ela assinou antes. Portanto, a assinatura mostra que os registros 1 a {number} estavam no log naquele momento. Ela não mostra se foram alterados antes. Para conferir a assinatura, peça a chave da testemunha a quem a mantém e cole-a também.',
  noWitness:
    'Nenhuma testemunha assinou este ponto de verificação. Testemunhas são serviços mantidos por outras pessoas; elas só assinam se nenhum registro foi alterado ou removido desde a última assinatura. Sem elas, uma alteração posterior do log só é descoberta com um comprovante ou um ponto de verificação que alguém guardou.',
  checkSubmissions:
    'Para verificar quais arquivos chegaram, faça o mesmo para cada envio acima: “{button}”, ao lado do envio, salva o histórico dele, e a impressão digital está junto.',
  giveOfRequest:
    'Para provar a alguém, entregue este comprovante, em papel ou em PDF, e os históricos salvos: o do pedido de arquivos e o de cada envio, que você salva abaixo, ao lado dele.',
  notNamed: 'Não informado',
  openable:
    'Este comprovante mostra o endereço do link. As pessoas que receberem este comprovante ou o histórico salvo podem abrir o link até ele expirar ou ser revogado, e o histórico registra isso como abertura.',
  openableFiles:
    'Este comprovante mostra o endereço dos arquivos. As pessoas que receberem este comprovante ou o histórico salvo podem baixar os arquivos até o endereço expirar ou ser revogado.',
  openableSubmissions: {
    one: 'As pessoas que receberem este comprovante ou os históricos salvos recebem também os endereços dos envios. Elas podem baixar os arquivos de {count} envio até ele expirar ou ser revogado. “{edit}”, ao lado, leva até onde isso se altera.',
    many: 'As pessoas que receberem este comprovante ou os históricos salvos recebem também os endereços dos envios. Elas podem baixar os arquivos de {count} envios até eles expirarem ou serem revogados. “{edit}”, ao lado de cada um, leva até onde isso se altera.',
    other:
      'As pessoas que receberem este comprovante ou os históricos salvos recebem também os endereços dos envios. Elas podem baixar os arquivos de {count} envios até eles expirarem ou serem revogados. “{edit}”, ao lado de cada um, leva até onde isso se altera.',
  },
  restrict: 'Definir uma senha ou uma validade',
} satisfies RecordMessages;
