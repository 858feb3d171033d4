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
  have: 'Il vous faut l’historique enregistré, le fichier {file}. Si vous ne l’avez pas reçu avec cette attestation, demandez-le à la personne qui vous l’a remise : « {button} » sur {url} l’enregistre.',
  open: 'Ouvrez cette page, ou la page /verify de tout autre Postern. Aucune ne demande de compte :',
  verify: 'Choisissez-y le fichier et saisissez l’empreinte ci-dessus, si la page ne l’affiche pas déjà.',
  offline:
    'Sans réseau, la commande « {command} » vérifie la même chose, où H est le fichier et F l’empreinte.',
  give: 'Pour le prouver à quelqu’un, remettez-lui les deux : cette attestation, sur papier ou en PDF, et l’historique enregistré.',
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
