/** What a set of files is called by its first file or folder, as the pages of senders do: on the pages of visitors, and in mails. */
export const SET_TITLES = {
  en: {
    one: '{name} and {count} more file',
    other: '{name} and {count} more files',
  },
  de: {
    one: '{name} und {count} weitere Datei',
    other: '{name} und {count} weitere Dateien',
  },
  fr: {
    one: '{name} et {count} autre fichier',
    many: '{name} et {count} d’autres fichiers',
    other: '{name} et {count} autres fichiers',
  },
  es: {
    one: '{name} y {count} archivo más',
    many: '{name} y {count} de archivos más',
    other: '{name} y {count} archivos más',
  },
  pt: {
    one: '{name} e mais {count} arquivo',
    many: '{name} e mais {count} de arquivos',
    other: '{name} e mais {count} arquivos',
  },
} as const;
