import type { Translated } from '../../../src/common/translate.ts';
import type { en } from './en.ts';

export const fr: Translated<typeof en> = {
  note: 'Simple note : elle ne limite pas qui peut ouvrir le lien.',
  restrict: 'Seules ces personnes peuvent l’ouvrir',
  tooFewViews: 'Il y a plus de destinataires que de vues : certains ne pourront pas ouvrir le lien.',
  onlyFor: 'Le lien ne s’ouvre que pour {addresses}, avec un code envoyé par e-mail à l’ouverture.',
  notSent: 'Ces personnes n’ont pas encore le lien.',
  mailSays: 'L’e-mail dit aussi ce que vous envoyez ou demandez, par exemple le nom du fichier.',
  mailHides:
    'L’e-mail ne contient pas le mot de passe et ne nomme pas ce qu’il protège. Envoyez le mot de passe séparément.',
  mailedCode: 'Le lien ne s’ouvre qu’avec un code, envoyé par e-mail à l’ouverture.',
  several: 'Séparez plusieurs adresses par des virgules. Chacune reçoit son propre e-mail.',
  cannotOpen: 'Le lien ne s’ouvre que pour {named}, pas pour {others}.',
};
