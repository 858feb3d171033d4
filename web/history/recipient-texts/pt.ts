import type { Translated } from '../../../src/common/translate.ts';
import type { en } from './en.ts';

export const pt: Translated<typeof en> = {
  title: 'Destinatários',
  sent: 'Link enviado',
  asked: 'Código solicitado',
  opened: 'Aberto',
  none: 'Nada ainda',
  noneLoaded: 'Nada nos registros carregados abaixo',
  removed: 'Removido',
  more: '+ {count} a mais, no histórico salvo',
  partial: 'De acordo com os registros carregados abaixo.',
  what: 'Qualquer pessoa pode pedir um código para um endereço. Somente “Aberto” indica que uma pessoa com acesso ao endereço de e-mail abriu o link, e nada mais.',
};
