import type { DetailMessages } from './en.ts';

export const fr = {
  number: 'Numéro',
  time: 'Heure',
  program: 'Programme, selon lui-même',
  referrer: 'Venu de',
  download: 'Téléchargement {number}',
  resumedAfter: 'Repris après {size}',
  type: 'Type de lien',
  fileCount: 'Nombre de fichiers',
  scanNote: 'Message de l’analyse antivirus',
  importedFrom: 'Importé depuis',
  createdAt: 'Créé là-bas',
  viewCount: 'Vues là-bas',
  raw: 'Données brutes',
} satisfies DetailMessages;
