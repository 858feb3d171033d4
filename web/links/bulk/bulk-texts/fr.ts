import type { BulkMessages } from './en.ts';

export const fr = {
  'bulk.intro':
    'Chaque ligne du fichier devient un lien, par exemple un par destinataire. Vous voyez toutes les lignes avant la création.',
  'bulk.columns': 'La première ligne contient les noms des colonnes ; seule targetUrl est obligatoire :',
  'bulk.dates':
    'Les dates s’écrivent ainsi : 2026-12-31 18:00, 2026-12-31T18:00+01:00 ou 7d pour dans 7 jours.',
  'bulk.confirm':
    'confirm vaut true ou false. Sans valeur, les liens avec maxViews demandent confirmation avant de s’ouvrir.',
  'bulk.meaning': 'Signification de chaque colonne :',
  'bulk.pick': 'Choisir un fichier CSV',
  'bulk.template': 'Télécharger le modèle',
  'bulk.empty':
    'Ce fichier n’a pas de lignes. Il lui faut une ligne avec les noms des colonnes et une ligne par lien.',
  'bulk.noTarget':
    'La première ligne de ce fichier ne contient pas de colonne targetUrl. Ajoutez-la ou partez du modèle.',
  'bulk.quotes': 'Il manque un guillemet dans ce fichier. Exportez-le à nouveau ou corrigez-le.',
  'bulk.duplicateColumn': 'Une colonne apparaît deux fois dans ce fichier. Supprimez-en une.',
  'bulk.unknownColumn':
    'Ces colonnes n’existent pas pour un lien : {columns}. Corrigez leurs noms dans la première ligne ou supprimez-les.',
  'bulk.tooMany': 'Ce fichier a plus de 10 000 lignes. Divisez-le.',
  'bulk.preview': 'Aperçu de {file}',
  'bulk.ready': {
    one: '{count} ligne est prête.',
    many: '{count} de lignes sont prêtes.',
    other: '{count} lignes sont prêtes.',
  },
  'bulk.skipped': {
    one: '{count} ligne a une erreur et est ignorée. Elle est affichée en premier.',
    many: '{count} de lignes ont des erreurs et sont ignorées. Elles sont affichées en premier.',
    other: '{count} lignes ont des erreurs et sont ignorées. Elles sont affichées en premier.',
  },
  'bulk.rows': 'Lignes du fichier',
  'bulk.row': 'Ligne',
  'bulk.check': 'Contrôle',
  'bulk.valid': 'Prête',
  'bulk.moreRows': {
    one: 'et {count} autre ligne',
    many: 'et {count} d’autres lignes',
    other: 'et {count} autres lignes',
  },
  'bulk.create': { one: 'Créer {count} lien', many: 'Créer {count} de liens', other: 'Créer {count} liens' },
  'bulk.progress': {
    one: '{count} ligne sur {whole} envoyée',
    many: '{count} de lignes sur {whole} envoyées',
    other: '{count} lignes sur {whole} envoyées',
  },
  'bulk.done': { one: '{count} lien créé', many: '{count} de liens créés', other: '{count} liens créés' },
  'bulk.failed': {
    one: '{count} ligne a été refusée. Le fichier ci-dessous indique la raison. Corrigez seulement les lignes refusées, dans un fichier à part : les autres liens existent déjà.',
    many: '{count} de lignes ont été refusées. Le fichier ci-dessous indique les raisons. Corrigez seulement les lignes refusées, dans un fichier à part : les autres liens existent déjà.',
    other:
      '{count} lignes ont été refusées. Le fichier ci-dessous indique les raisons. Corrigez seulement les lignes refusées, dans un fichier à part : les autres liens existent déjà.',
  },
  'bulk.saveHint':
    'Téléchargez le résultat maintenant : il contient les liens et leurs jetons, qui ne seront plus affichés. Il ne contient pas de mots de passe.',
  'bulk.save': 'Télécharger le résultat',
  'bulk.replaceTitle': 'Abandonner le résultat ?',
  'bulk.replaceWarning': 'Il n’a pas été téléchargé. Les jetons des nouveaux liens ne seront plus affichés.',
  'bulk.replace': 'Abandonner le résultat',
} satisfies BulkMessages;
