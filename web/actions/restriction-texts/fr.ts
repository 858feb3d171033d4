import type { Translated } from '../../../src/common/translate.ts';
import type { en } from './en.ts';

export const fr: Translated<typeof en> = {
  note: 'Simple note : elle ne limite pas qui peut ouvrir le lien.',
  restrict: 'Seules ces personnes peuvent l’ouvrir',
  tooFewViews: 'Il y a plus de destinataires que de vues : certains ne pourront pas ouvrir le lien.',
  onlyFor: 'Le lien ne s’ouvre que pour {addresses}, avec un code envoyé par e-mail à l’ouverture.',
  notSent: 'Envoyez-leur maintenant le lien.',
  noPassword: 'L’e-mail ne contient pas le mot de passe. Envoyez-le séparément.',
  mailedCode: 'Le lien ne s’ouvre qu’avec un code, envoyé par e-mail à l’ouverture.',
  several: 'Séparez plusieurs adresses par des virgules. Chacune reçoit son propre e-mail.',
  cannotOpen: 'Le lien ne s’ouvre que pour {named}, pas pour {others}.',
};
