import type { PaletteDictionary } from '../../translate.ts';

export const fr: PaletteDictionary = {
  'palette.title': 'Recherche et commandes',
  'palette.hint': 'Nom ou code d’un lien, ou une commande',
  'palette.commands': 'Commandes',
  'palette.myLinks': 'Mes liens',
  'palette.account': 'Votre compte',
  'palette.found': { one: '{count} résultat', many: '{count} résultats', other: '{count} résultats' },
};
