import type { Translated } from '../../../src/common/translate.ts';
import type { en } from './en.ts';

export const pt: Translated<typeof en> = {
  title: 'Destinatários',
  sent: 'Link enviado',
  asked: 'Código solicitado',
  opened: 'Aberto',
  none: 'Nada ainda',
  partial: 'De acordo com os registros carregados abaixo.',
  what: '“Aberto” indica que uma pessoa com acesso ao endereço de e-mail abriu o link, e nada mais.',
};
