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
    'O ponto de verificação mais novo abrange este link até o registro {number}. Cole-o em /verify ou guarde-o: ele mostra depois se, até esse registro, algo foi alterado ou removido.',
} satisfies RecordMessages;
