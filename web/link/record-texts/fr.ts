import type { RecordMessages } from './en.ts';

export const fr = {
  print: 'Imprimer',
  close: 'Retour au lien',
  title: 'Attestation de remise : {title}',
  state: 'État au {time} : {status}',
  covers: {
    one: 'Cette empreinte couvre la première entrée.',
    many: 'Cette empreinte couvre les entrées 1 à {count}.',
    other: 'Cette empreinte couvre les entrées 1 à {count}.',
  },
  check: 'Comment vérifier cette attestation',
  export: 'Ouvrez {url}, choisissez « {button} » et conservez le fichier avec cette page.',
  verify:
    'Ouvrez {url}, ou la page /verify de tout autre Postern. Choisissez-y le fichier et saisissez l’empreinte ci-dessus. La commande « {command} » fait de même.',
  file: 'Pour vérifier qu’un fichier est bien celui qui a été envoyé, choisissez-le aussi sur cette page.',
  limits:
    'L’historique montre quand et depuis quelle adresse le lien a été ouvert. Il ne prouve pas qui utilisait cette adresse. Détails : {document} dans une copie de Postern.',
  compare: {
    one: 'Si la page ne trouve aucune différence, la première entrée n’a été ni modifiée ni supprimée depuis l’impression de cette page.',
    many: 'Si la page ne trouve aucune différence, aucune des entrées 1 à {count} n’a été modifiée, supprimée, ajoutée ou déplacée depuis l’impression de cette page.',
    other:
      'Si la page ne trouve aucune différence, aucune des entrées 1 à {count} n’a été modifiée, supprimée, ajoutée ou déplacée depuis l’impression de cette page.',
  },
  titleOfRequest: 'Attestation des fichiers reçus : {title}',
  limitsOfRequest:
    'L’historique montre quand et depuis quelle adresse des fichiers ont été envoyés. Il ne prouve pas qui utilisait cette adresse. Détails : {document} dans une copie de Postern.',
} satisfies RecordMessages;
