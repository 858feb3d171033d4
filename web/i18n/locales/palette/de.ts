import type { PaletteDictionary } from '../../translate.ts';

export const de: PaletteDictionary = {
  'palette.title': 'Suche und Befehle',
  'palette.hint': 'Name oder Code eines Links, oder ein Befehl',
  'palette.commands': 'Befehle',
  'palette.myLinks': 'Meine Links',
  'palette.account': 'Ihr Konto',
  'palette.found': { one: '{count} Ergebnis', other: '{count} Ergebnisse' },
};
