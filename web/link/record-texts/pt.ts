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
  export: 'Abra {url}, escolha “{button}” e guarde o arquivo com esta página.',
  verify:
    'Abra {url}, ou a página /verify de qualquer outro Postern. Escolha ali o arquivo e informe a impressão digital acima. O comando “{command}” faz o mesmo.',
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
