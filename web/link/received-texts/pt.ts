import type { ReceivedTexts } from './en.ts';

export const pt: ReceivedTexts = {
  typedName: 'O remetente digitou este nome. Ele não foi verificado.',
  request: 'Enviado para o seu pedido de arquivos:',
  note: 'Nota do remetente',
  access: 'Quem pode abrir estes arquivos',
  anyone:
    'Têm este endereço quem pode ver esta página e quem recebeu um comprovante ou um histórico salvo dela; o remetente não o tem. Qualquer pessoa que o receba pode abrir os arquivos.',
  anyoneWithPassword:
    'Têm este endereço quem pode ver esta página e quem recebeu um comprovante ou um histórico salvo dela; o remetente não o tem. Qualquer pessoa que receba o endereço e a senha pode abrir os arquivos.',
  anyoneEncrypted:
    'Têm este endereço quem pode ver esta página e quem recebeu um comprovante ou um histórico salvo dela; o remetente não o tem. Qualquer pessoa que o receba pode baixar os arquivos criptografados, mas só a sua chave secreta os abre.',
  neverExpires: 'Nenhuma validade foi definida.',
  expires: 'Ele expira em {time}.',
  ending:
    'Depois que ele expirar ou for revogado, os arquivos também não poderão mais ser baixados aqui: baixe-os antes.',
  setExpiry: 'Definir validade',
  changeExpiry: 'Alterar validade',
  downloadRecorded:
    'Os seus próprios downloads também contam. O histórico não mostra quem baixou: sem senha, para isso basta o endereço de um envio.',
};
