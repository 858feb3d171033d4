/** The further texts of the search box with commands. */
export const en = {
  'palette.title': 'Search and commands',
  'palette.hint': 'Label or code of a link, or a command',
  'palette.commands': 'Commands',
  'palette.myLinks': 'My links',
  'palette.account': 'Your account',
  'palette.found': { one: '{count} result', other: '{count} results' },
} as const;
