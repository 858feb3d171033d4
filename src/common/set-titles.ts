// What a set of files is called, on all pages and in mails: each language apart, because a page loads only its own.

export const EN_SET_TITLE = {
  one: '{name} and {count} more file',
  other: '{name} and {count} more files',
} as const;

export const DE_SET_TITLE = {
  one: '{name} und {count} weitere Datei',
  other: '{name} und {count} weitere Dateien',
} as const;

export const FR_SET_TITLE = {
  one: '{name} et {count} autre fichier',
  many: '{name} et {count} d’autres fichiers',
  other: '{name} et {count} autres fichiers',
} as const;

export const ES_SET_TITLE = {
  one: '{name} y {count} archivo más',
  many: '{name} y {count} de archivos más',
  other: '{name} y {count} archivos más',
} as const;

export const PT_SET_TITLE = {
  one: '{name} e mais {count} arquivo',
  many: '{name} e mais {count} de arquivos',
  other: '{name} e mais {count} arquivos',
} as const;
