import type { ReceivedTexts } from './en.ts';

export const pt: ReceivedTexts = {
  typedName: 'O remetente digitou este nome. Ele não foi verificado.',
  request: 'Enviado para o seu pedido de arquivos:',
  note: 'Nota do remetente',
  access: 'Quem pode abrir estes arquivos',
  anyone: 'Só você precisa deste endereço. Qualquer pessoa que o tenha pode abrir os arquivos.',
  anyoneWithPassword:
    'Só você precisa deste endereço. Qualquer pessoa que o tenha e saiba a senha pode abrir os arquivos.',
  anyoneEncrypted:
    'Só você precisa deste endereço. Qualquer pessoa que o tenha pode baixar os arquivos criptografados, mas só a sua chave secreta os abre.',
  neverExpires: 'Ele nunca expira.',
  expires: 'Ele expira em {time}.',
  ending:
    'Depois que ele expirar ou for revogado, os arquivos também não poderão mais ser baixados aqui: baixe-os antes.',
  setExpiry: 'Definir validade',
  changeExpiry: 'Alterar validade',
};
