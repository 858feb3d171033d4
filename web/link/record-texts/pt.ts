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
  have: 'Você precisa do histórico salvo, o arquivo {file}. Se não o recebeu com este comprovante, peça-o à pessoa que lhe deu o comprovante: “{button}” em {url} o salva.',
  open: 'Abra esta página, ou a página /verify de qualquer outro Postern. Nenhuma precisa de uma conta:',
  verify: 'Escolha ali o arquivo e informe a impressão digital acima, se a página ainda não a mostrar.',
  offline: 'Sem rede, o comando “{command}” verifica o mesmo, onde H é o arquivo e F a impressão digital.',
  give: 'Para provar a alguém, entregue os dois: este comprovante, em papel ou em PDF, e o histórico salvo.',
  file: 'Para verificar se um arquivo é o que foi enviado, escolha-o ali também.',
  limits:
    'O histórico mostra quando e de qual endereço o link foi aberto. Ele não prova quem usava esse endereço. Mais informações: {document} em uma cópia do Postern.',
  compare: {
    one: 'Se a página não encontrar diferenças, o primeiro registro não foi alterado nem removido desde a impressão desta página.',
    many: 'Se a página não encontrar diferenças, nenhum dos registros 1 a {count} foi alterado, removido, adicionado ou movido desde a impressão desta página.',
    other:
      'Se a página não encontrar diferenças, nenhum dos registros 1 a {count} foi alterado, removido, adicionado ou movido desde a impressão desta página.',
  },
  titleOfRequest: 'Comprovante de arquivos recebidos: {title}',
  limitsOfRequest:
    'O histórico mostra quando e de qual endereço arquivos foram enviados. Ele não prova quem usava esse endereço. Mais informações: {document} em uma cópia do Postern.',
} satisfies RecordMessages;
