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
    one: 'Si la page ne trouve aucune différence, la première entrée n’a été ni modifiée ni supprimée depuis l’impression de cette page.',
    many: 'Si la page ne trouve aucune différence, aucune des entrées 1 à {count} n’a été modifiée, supprimée, ajoutée ou déplacée depuis l’impression de cette page.',
    other:
      'Si la page ne trouve aucune différence, aucune des entrées 1 à {count} n’a été modifiée, supprimée, ajoutée ou déplacée depuis l’impression de cette page.',
  },
  titleOfReceived: 'Attestation des fichiers reçus : {title}',
  limitsOfReceived:
    'L’historique montre quand et depuis quelle adresse IP des fichiers ont été envoyés. Il ne prouve pas qui utilisait cette adresse.',
  typedNames: 'Les expéditeurs ont saisi leurs noms eux-mêmes. Ces noms n’ont pas été vérifiés.',
  coversReceived:
    'L’empreinte à la fin de cette attestation couvre le moment des envois. L’historique de chaque envoi, dont l’empreinte figure ci-dessus, couvre les fichiers eux-mêmes.',
  checkpoint: 'Point de contrôle du journal',
  checkpointText:
    'Le texte à la fin est un point de contrôle : par lui, le service a signé l’état de son journal, qui contient les entrées de tous les liens. Il montre si l’une des entrées 1 à {number} de ce lien a été modifiée, supprimée ou ajoutée après que vous avez reçu cette attestation. Pour le vérifier, collez-le en entier sur la page /verify, sous « {label} ».',
  checkpointLater:
    'Il ne couvre pas encore les entrées après la {number}. Le prochain point de contrôle, dans la minute, les couvrira : rouvrez alors cette attestation.',
  checkpointLimits:
    'Il ne montre ni si des entrées ont été modifiées avant que vous receviez cette attestation, ni si leur contenu est vrai.',
  witnesses:
    'Les témoins sont des services que d’autres exploitent. Ceux-ci ont aussi signé le point de contrôle, à l’heure de leur propre horloge :',
  witnessProves:
    'Un témoin ne signe que si aucune entrée n’a été modifiée ou supprimée depuis le point de contrôle qu’il a signé auparavant. Sa signature montre donc que les entrées 1 à {number} figuraient dans le journal à ce moment-là. Elle ne montre pas si elles ont été modifiées avant. Pour vérifier la signature, demandez la clé du témoin à ceux qui l’exploitent, et collez-la aussi.',
  noWitness:
    'Aucun témoin n’a signé ce point de contrôle. Les témoins sont des services que d’autres exploitent ; ils ne signent que si aucune entrée n’a été modifiée ou supprimée depuis leur dernière signature. Sans eux, seule une attestation ou un point de contrôle conservé permet de trouver une modification ultérieure du journal.',
  checkSubmissions:
    'Pour vérifier quels fichiers sont arrivés, faites de même pour chaque envoi ci-dessus : « {button} », à côté de l’envoi, enregistre son historique, et son empreinte figure avec lui.',
  giveOfRequest:
    'Pour le prouver à quelqu’un, remettez-lui cette attestation, sur papier ou en PDF, et les historiques enregistrés : celui de la demande et celui de chaque envoi, à enregistrer ci-dessous à côté de celui-ci.',
  notNamed: 'Non indiqué',
  openable:
    'Cette attestation montre l’adresse du lien. Les personnes qui reçoivent cette attestation ou l’historique enregistré peuvent ouvrir le lien jusqu’à son expiration ou sa révocation, et l’historique le compte comme une ouverture.',
  openableFiles:
    'Cette attestation montre l’adresse des fichiers. Les personnes qui reçoivent cette attestation ou l’historique enregistré peuvent télécharger les fichiers jusqu’à l’expiration ou la révocation de l’adresse.',
  openableSubmissions: {
    one: 'Les personnes qui reçoivent cette attestation ou les historiques enregistrés reçoivent aussi les adresses des envois. Elles peuvent télécharger les fichiers de {count} envoi jusqu’à son expiration ou sa révocation. « {edit} », à côté, mène à l’endroit où cela se modifie.',
    many: 'Les personnes qui reçoivent cette attestation ou les historiques enregistrés reçoivent aussi les adresses des envois. Elles peuvent télécharger les fichiers de {count} envois jusqu’à leur expiration ou leur révocation. « {edit} », à côté de chacun, mène à l’endroit où cela se modifie.',
    other:
      'Les personnes qui reçoivent cette attestation ou les historiques enregistrés reçoivent aussi les adresses des envois. Elles peuvent télécharger les fichiers de {count} envois jusqu’à leur expiration ou leur révocation. « {edit} », à côté de chacun, mène à l’endroit où cela se modifie.',
  },
  restrict: 'Définir un mot de passe ou une expiration',
} satisfies RecordMessages;
