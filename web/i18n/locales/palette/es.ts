import type { PaletteDictionary } from '../../translate.ts';

export const es: PaletteDictionary = {
  'palette.title': 'Búsqueda y comandos',
  'palette.hint': 'Nombre o código de un enlace, o un comando',
  'palette.commands': 'Comandos',
  'palette.myLinks': 'Mis enlaces',
  'palette.account': 'Su cuenta',
  'palette.found': { one: '{count} resultado', many: '{count} resultados', other: '{count} resultados' },
};
