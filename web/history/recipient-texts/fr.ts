import type { Translated } from '../../../src/common/translate.ts';
import type { en } from './en.ts';

export const fr: Translated<typeof en> = {
  title: 'Destinataires',
  sent: 'Lien envoyé',
  asked: 'Code demandé',
  opened: 'Ouvert',
  none: 'Rien pour l’instant',
  noneLoaded: 'Rien dans les entrées chargées ci-dessous',
  removed: 'Retiré',
  more: '+ {count} de plus, dans l’historique enregistré',
  partial: 'D’après les entrées chargées ci-dessous.',
  what: 'Tout le monde peut demander un code pour une adresse. Seul « Ouvert » indique qu’une personne ayant accès à l’adresse e-mail a ouvert le lien, et rien de plus.',
};
