import type { Translated } from '../../../src/common/translate.ts';
import type { en } from './en.ts';

export const pt: Translated<typeof en> = {
  note: 'É só uma nota: não limita quem pode abrir o link.',
  restrict: 'Só estas pessoas podem abrir',
  tooFewViews: 'Há mais destinatários do que acessos: nem todos poderão abrir o link.',
  onlyFor: 'O link só abre para {addresses}, com um código que chega por e-mail ao abri-lo.',
  notSent: 'Agora envie o link a essas pessoas.',
  noPassword: 'O e-mail não contém a senha. Envie-a separadamente.',
  mailedCode: 'O link só abre com um código que chega por e-mail ao abri-lo.',
  several: 'Separe vários endereços com vírgulas. Cada um recebe seu próprio e-mail.',
  cannotOpen: 'O link só abre para {named}, não para {others}.',
};
