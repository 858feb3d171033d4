import type { VerifyMessages } from './en.ts';

export const fr = {
  intro:
    'Voyez si un lien a été ouvert et si son historique enregistré a été modifié par la suite. Votre navigateur s’en charge : aucun fichier ne quitte cet appareil, et la page fonctionne sans connexion.',
  export: 'Historique enregistré',
  exportHint:
    'Un fichier qui se termine par .ndjson. Le propriétaire du lien l’enregistre depuis l’attestation. Vous pouvez aussi le déposer sur cette page.',
  choose: 'Choisissez l’historique enregistré.',
  chooseFile: 'Choisir un fichier',
  compare: 'Comparer une empreinte, un fichier ou un point de contrôle (facultatif)',
  fingerprint: 'Empreinte',
  fingerprintHint:
    '64 chiffres et lettres, sur l’attestation du lien, dans un e-mail ou un webhook. Elle révèle aussi une réécriture de tout l’historique.',
  fingerprintWrong:
    'Une empreinte comporte 64 caractères : les chiffres 0 à 9 et les lettres a à f. Copiez-les tous.',
  file: 'Fichier à comparer',
  fileHint: 'Si le lien mène à un fichier : le vôtre est-il celui qui a été envoyé ?',
  start: 'Vérifier',
  running: 'Vérification…',
  unreadable: 'Un fichier n’a pas pu être lu. Choisissez-le de nouveau.',
  passed: 'L’historique est complet et inchangé',
  passedUpTo: 'Inchangé jusqu’à l’entrée {number}',
  consistent: 'Complet, aucune modification trouvée',
  unconfirmed: 'Complet, aucune modification trouvée ; ce que vous avez saisi ne le confirme pas',
  failed: 'Échec de la vérification : ne vous fiez pas à cet historique',
  otherFingerprint: 'Cet historique ne contient pas votre empreinte',
  savedAt: 'Selon ce fichier, il a été enregistré le {at}. Ce qui s’est passé ensuite n’y figure pas.',
  notExported: 'Ce n’est pas un historique enregistré',
  unchecked: 'L’historique ne peut pas être vérifié',
  timeline: 'Ce qui s’est passé',
  entries: 'Toutes les entrées, de la plus ancienne à la plus récente',
  savedName: '{sender} ; dans l’historique enregistré : {saved}',
  checked: 'Ce qui a été vérifié',
  fileTitle: 'Le fichier',
  noCompared: 'Aucun fichier n’a été comparé. Choisissez le vôtre pour vérifier s’il a été déposé :',
  setOfFiles:
    'Le lien mène à plusieurs fichiers, mais cet historique enregistré ne les énumère pas : aucun ne peut être comparé.',
  fileDiffers: 'L’historique est intact, mais le fichier est différent',
  notProved: 'Ce que cela ne prouve pas',
  notWho:
    'Qui a ouvert le lien : plusieurs personnes peuvent partager une adresse IP ou une boîte aux lettres.',
  notRead:
    'Que le destinataire l’a reçu ou lu : « envoyé en entier » signifie que le service a envoyé chaque octet.',
  notSender:
    'Qui a envoyé les fichiers : plusieurs personnes peuvent partager une adresse IP, et les expéditeurs saisissent eux-mêmes leur nom.',
  notWhich:
    'Quels fichiers sont arrivés : l’historique de chaque envoi le montre, et se vérifie de la même manière.',
  notDownloader: 'Qui a téléchargé les fichiers, et si quelqu’un les a lus.',
  notClock: 'Que l’horloge du service était à l’heure.',
  notLater: 'Ce que vous avez saisi ne couvre pas les entrées suivantes, qui ont pu être réécrites.',
  more: {
    one: 'et {count} autre constat',
    many: 'et {count} autres constats',
    other: 'et {count} autres constats',
  },
  notAnExport:
    'Choisissez le fichier qui se termine par .ndjson. Le propriétaire du lien l’enregistre depuis l’attestation : demandez-le-lui.',
  lineChanged: 'La ligne {line} du fichier a été modifiée après l’enregistrement.',
  entry: 'Elle appartient à l’entrée {number}.',
  lineTooLong: 'La ligne {line} est trop longue pour être vérifiée ici.',
  cutOff: 'Le fichier s’arrête au milieu de la ligne {line}. Enregistrez de nouveau l’historique.',
  otherLink: 'La ligne {line} appartient au lien {code}, et non à {expected}.',
  newerFormat:
    'La ligne {line} a un format plus récent, que cette page ne connaît pas. Utilisez la page d’une version plus récente du service.',
  missing: 'L’entrée {number} manque.',
  missingRange: 'Les entrées {first} à {last} manquent.',
  repeated: 'L’entrée {number} apparaît deux fois : l’une des deux a été ajoutée ou renumérotée.',
  appended: 'L’entrée {number} a été ajoutée au fichier après l’enregistrement.',
  appendedRange: 'Les entrées {first} à {last} ont été ajoutées au fichier après l’enregistrement.',
  filtered: 'Il a été exporté avec un filtre. Exportez-le sans filtre.',
  otherContent: {
    one: 'L’entrée {count} ne correspond pas à l’empreinte du fichier : elle a été modifiée.',
    many: 'Les entrées 1 à {count} ne correspondent pas à l’empreinte du fichier : au moins une a été modifiée.',
    other:
      'Les entrées 1 à {count} ne correspondent pas à l’empreinte du fichier : au moins une a été modifiée.',
  },
  unknownFingerprint:
    'Aucune entrée n’a votre empreinte. Si elle est plus récente que ce fichier, demandez un historique enregistré plus tard. Sinon, l’historique a été réécrit depuis, ou il appartient à un autre lien.',
  otherFile: {
    one: '« {path} » n’est pas le fichier du lien : son SHA-256 est différent.',
    many: '« {path} » n’est aucun des {count} fichiers du lien : aucun SHA-256 n’est le même.',
    other: '« {path} » n’est aucun des {count} fichiers du lien : aucun SHA-256 n’est le même.',
  },
  noFile: '« {path} » ne peut pas être comparé : l’historique ne désigne aucun fichier.',
  complete: {
    one: 'Lien {code} : {count} entrée est présente et inchangée. Elle date du {at}.',
    many: 'Lien {code} : les {count} entrées sont présentes et inchangées. La plus récente date du {at}.',
    other: 'Lien {code} : les {count} entrées sont présentes et inchangées. La plus récente date du {at}.',
  },
  isFingerprint: 'L’empreinte de l’entrée {number} est {fingerprint}.',
  erased: {
    one: '{count} entrée n’a pas de données personnelles : elles ont été effacées, ou la personne qui a enregistré l’historique ne peut pas les voir. Un autre fichier qui les contient les prouve toujours.',
    many: '{count} entrées n’ont pas de données personnelles : elles ont été effacées, ou la personne qui a enregistré l’historique ne peut pas les voir. Un autre fichier qui les contient les prouve toujours.',
    other:
      '{count} entrées n’ont pas de données personnelles : elles ont été effacées, ou la personne qui a enregistré l’historique ne peut pas les voir. Un autre fichier qui les contient les prouve toujours.',
  },
  notCompared:
    'Que personne n’a recréé tout l’historique avant que vous receviez ce fichier. Pour l’exclure, saisissez ci-dessus une empreinte obtenue auparavant : elle figure sur l’attestation du lien, dans les e-mails et les webhooks.',
  known:
    'Votre empreinte est celle de l’entrée {number}, du {at} : jusque-là, rien n’a changé depuis que vous l’avez.',
  severalFiles:
    '« {path} » n’a pas été comparé : le lien avait plusieurs fichiers que cet historique enregistré n’énumère pas.',
  formerFile: '« {path} » était le fichier du lien jusqu’à l’entrée {number}, qui l’a remplacé.',
  sameFile: '« {path} » est le fichier du lien : son SHA-256 est le même.',
  oneOfFiles: '« {path} » est « {name} », l’un des fichiers du lien : son SHA-256 est le même.',
  zip: '« {path} » n’a pas été comparé : seul un fichier à la fois peut l’être. Décompressez le ZIP et comparez chaque fichier.',
  files:
    'Les noms, tailles et SHA-256 des {count} fichiers sont dans la liste dont l’historique contient le SHA-256.',
  otherList: 'La liste de fichiers de la ligne 1 a été modifiée après l’enregistrement de l’historique.',
  kept: 'Points de contrôle et clés que vous avez conservés',
  keptHint:
    'Collez-les les uns après les autres : le point de contrôle d’une attestation ou de /checkpoint, la clé du journal, la clé d’un témoin.',
  checkpointWrong:
    'Le point de contrôle du fichier ne correspond pas à cet historique : l’un des deux a été modifié.',
  noCheckpoint:
    'Le fichier n’a pas de point de contrôle à comparer avec le vôtre. Enregistrez de nouveau l’historique.',
  keptUnreadable:
    'Une partie est illisible. Copiez-la de nouveau, de la première à la dernière ligne. Cela ne dit rien de l’historique.',
  keptWrong:
    'Une partie de ce que vous avez conservé porte une signature incorrecte. Copiez-la de nouveau, de la première à la dernière ligne.',
  keptTooLong:
    'Ce que vous avez conservé compte plus de {count} caractères. Retirez ce qui ne relève pas de ce journal.',
  otherKey:
    'L’historique est signé avec une autre clé que celle que vous avez conservée : il peut provenir d’un autre journal.',
  notCosigned:
    'Le témoin {witness} n’a pas signé ce point de contrôle. S’il était injoignable à ce moment-là, enregistrez de nouveau l’historique plus tard.',
  notConnected:
    'Votre point de contrôle de {size} entrées n’a pas été comparé. Ouvrez {path} sur le service du lien dans un navigateur, et collez aussi le texte affiché.',
  nothingCompared:
    'Aucun point de contrôle ni aucune preuve que vous avez conservés n’ont été comparés avec cet historique.',
  fork: 'Votre point de contrôle de {size} entrées contredit cet historique : des entrées ont été modifiées ou supprimées, ou il existe deux journaux.',
  dropped:
    'Vous avez conservé une preuve de l’entrée {number}, absente ici : des entrées ont été supprimées.',
  rewritten: 'L’entrée {number} n’est pas celle de votre preuve : l’historique a été réécrit.',
  covered:
    'Jusqu’à l’entrée {number}, l’historique figure dans le point de contrôle signé de {size} entrées du journal {origin}.',
  later: 'Les entrées {first} à {last} sont plus récentes que le point de contrôle, qui ne les couvre pas.',
  keyNotCompared: 'La clé du journal est {key}. Comparez-la avec une clé obtenue par une autre voie.',
  cosigned:
    'Le témoin {witness} a signé ce point de contrôle le {at}. Cela ne montre pas si l’historique a été réécrit auparavant.',
  keptProof: 'Jusqu’à l’entrée {number}, l’historique est celui de la preuve que vous avez conservée.',
  vouched:
    'Jusqu’à l’entrée {number}, l’historique figurait dans le journal quand votre point de contrôle de {size} entrées a été signé.',
  enteredLater:
    'L’entrée {number} est arrivée dans le journal après votre point de contrôle de {size} entrées, qui ne montre pas si l’historique qui la précède a été réécrit.',
} satisfies VerifyMessages;
