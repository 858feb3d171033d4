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
  have: 'Sous « {label} », choisissez le fichier {file}. Si vous ne l’avez pas, demandez à la personne qui vous a remis cette attestation de l’enregistrer avec « {button} » sur {url}.',
  open: 'Ouvrez cette adresse dans un navigateur, sans compte :',
  gone: 'Si elle n’existe plus, ouvrez la page /verify d’un autre service Postern.',
  verify: 'Ouvrez « {group} » et saisissez l’empreinte ci-dessus sous « {label} », si elle n’y est pas déjà.',
  expert:
    'Pour les spécialistes : sans réseau, « {command} » vérifie la même chose, où H est le fichier et F l’empreinte ; voir {document} dans le programme Postern.',
  give: 'Pour le prouver à quelqu’un, remettez-lui les deux : cette attestation, sur papier ou en PDF, et l’historique enregistré.',
  file: 'Pour vérifier aussi qu’un fichier est celui qui a été envoyé, choisissez-le sous « {label} ».',
  start: 'Choisissez ensuite « {start} ».',
  limits:
    'L’historique montre quand et depuis quelle adresse IP le lien a été ouvert. Il ne prouve pas qui utilisait cette adresse.',
  compare: {
    one: 'Si la page ne trouve aucune différence, la première entrée n’a été ni modifiée ni supprimée depuis la création de cette attestation.',
    many: 'Si la page ne trouve aucune différence, aucune des entrées 1 à {count} n’a été modifiée, supprimée, ajoutée ou déplacée depuis la création de cette attestation.',
    other:
      'Si la page ne trouve aucune différence, aucune des entrées 1 à {count} n’a été modifiée, supprimée, ajoutée ou déplacée depuis la création de cette attestation.',
  },
  titleOfReceived: 'Attestation des fichiers reçus : {title}',
  limitsOfReceived:
    'L’historique montre quand et depuis quelle adresse IP des fichiers ont été envoyés. Il ne prouve pas qui utilisait cette adresse.',
  typedNames: 'Les expéditeurs ont saisi leurs noms eux-mêmes. Ces noms n’ont pas été vérifiés.',
  coversReceived:
    'L’empreinte à la fin de cette attestation couvre le moment des envois. L’historique de chaque envoi, dont l’empreinte figure ci-dessus, couvre les fichiers eux-mêmes.',
  checkpoint: 'Pour les spécialistes : point de contrôle signé du journal',
  checkpointText:
    'Le texte ci-dessous, signé par le service, montre si une entrée jusqu’au numéro {number} a été modifiée, supprimée ou ajoutée après que vous avez reçu cette attestation : collez-le en entier sur la page /verify, sous « {label} ». Il ne montre ni les modifications antérieures, ni si les entrées sont vraies.',
  checkpointLater:
    'Le point de contrôle signé à la fin ne couvre pas encore les entrées les plus récentes : avant d’imprimer, rouvrez cette attestation dans une minute.',
  witnesses:
    'Ces témoins, des services que d’autres exploitent, l’ont aussi signé, selon leur propre horloge :',
  witnessProves:
    'Un témoin ne signe que si aucune entrée n’a été modifiée ou supprimée depuis sa signature précédente : toutes les entrées jusqu’au numéro {number} figuraient donc dans le journal à ce moment-là. Pour vérifier une signature, demandez la clé du témoin à ceux qui l’exploitent, et collez-la aussi.',
  checkSubmissions:
    'Pour vérifier quels fichiers sont arrivés, faites de même pour chaque envoi ci-dessus : « {button} » enregistre son historique, et son empreinte figure à côté.',
  giveOfRequest:
    'Pour le prouver à quelqu’un, remettez-lui cette attestation, sur papier ou en PDF, et les historiques enregistrés : celui de la demande et celui de chaque envoi, à enregistrer ci-dessous à côté de celui-ci.',
  notNamed: 'Non indiqué',
  openable:
    'Cette attestation montre l’adresse du lien. Les personnes qui reçoivent cette attestation ou l’historique enregistré peuvent ouvrir le lien tant qu’il n’a pas expiré et n’a pas été révoqué, et l’historique le compte comme une ouverture.',
  openableFiles:
    'Cette attestation montre l’adresse des fichiers. Les personnes qui reçoivent cette attestation ou l’historique enregistré peuvent télécharger les fichiers tant que l’adresse n’a pas expiré et n’a pas été révoquée.',
  openableSubmissions: {
    one: 'Les personnes qui reçoivent cette attestation ou les historiques enregistrés reçoivent aussi les adresses des envois et peuvent télécharger les fichiers de {count} envoi. Pour l’empêcher, choisissez « {edit} » auprès de cet envoi, ci-dessous, et définissez un mot de passe ou une expiration.',
    many: 'Les personnes qui reçoivent cette attestation ou les historiques enregistrés reçoivent aussi les adresses des envois et peuvent télécharger les fichiers de {count} d’envois. Pour l’empêcher, choisissez « {edit} » auprès de chacun d’eux, ci-dessous, et définissez un mot de passe ou une expiration.',
    other:
      'Les personnes qui reçoivent cette attestation ou les historiques enregistrés reçoivent aussi les adresses des envois et peuvent télécharger les fichiers de {count} envois. Pour l’empêcher, choisissez « {edit} » auprès de chacun d’eux, ci-dessous, et définissez un mot de passe ou une expiration.',
  },
  saveRequest: 'Enregistrer l’historique de la demande',
  saveSubmission: 'Enregistrer l’historique de cet envoi',
  restrict: 'Définir un mot de passe ou une expiration',
} satisfies RecordMessages;
