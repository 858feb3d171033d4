import type { PaletteDictionary } from '../../translate.ts';

export const pt: PaletteDictionary = {
  'palette.title': 'Busca e comandos',
  'palette.hint': 'Nome ou código de um link, ou um comando',
  'palette.commands': 'Comandos',
  'palette.myLinks': 'Meus links',
  'palette.account': 'Sua conta',
  'palette.found': { one: '{count} resultado', many: '{count} resultados', other: '{count} resultados' },
};
