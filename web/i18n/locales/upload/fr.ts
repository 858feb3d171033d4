import type { UploadDictionary } from '../../translate.ts';

export const fr: UploadDictionary = {
  'upload.sending': 'Envoi',
  'upload.storing': 'Enregistrement',
  'upload.sent': '{sent} sur {total}',
  'upload.left': 'Temps restant : {time}',
  'upload.retrying': 'Connexion perdue. Nouvel essai…',
  'upload.paused': 'En pause',
  'upload.pause': 'Mettre en pause',
  'upload.resume': 'Reprendre',
  'source.add': 'Ajouter des fichiers',
  'source.addFolder': 'Ajouter un dossier',
  'source.zipName': 'Nom du fichier ZIP',
  'source.count': {
    one: '{count} fichier, {size}',
    many: '{count} fichiers, {size}',
    other: '{count} fichiers, {size}',
  },
  'source.removeAll': 'Tout retirer',
  viewable: 'Les visiteurs peuvent regarder l’image',
  'viewable.hint': 'Ils la voient sur la page, sans avoir à la télécharger.',
  encrypt: 'Chiffrer dans ce navigateur',
  'encrypt.hint': 'Ce service ne peut pas lire ce que vous envoyez, pas même les noms des fichiers.',
  'encrypt.needsHttps': 'Nécessite une connexion HTTPS.',
  'encrypt.keyMissing':
    'Chiffré. Ce que vous copiez ici et le code QR ne contiennent pas la clé : ce service ne l’a pas. Les destinataires ont besoin du lien complet affiché à la création, ou de la phrase secrète ou de la clé.',
  'encrypt.toKey': 'Chiffré pour votre clé publique. Cette commande le déchiffre :',
  passphrase: 'Phrase secrète',
  'passphrase.hint': 'Donnez-la au destinataire séparément. Sans elle, la clé est dans le lien.',
  'request.write': 'De quoi avez-vous besoin ?',
  'request.remove': 'Retirer la demande',
  'request.example': 'Par exemple : le contrat signé en PDF',
  'request.limitFiles': 'Nombre maximal de fichiers',
  'request.limitMegabytes': 'Taille totale maximale en mégaoctets',
  'request.encryptTo': 'Chiffrer pour votre clé publique (facultatif)',
  'request.encryptToHint':
    'Vous seul pouvez alors déchiffrer : les fichiers sont chiffrés pour cette clé dans le navigateur de l’expéditeur. Ce service ne peut pas les lire.',
  'request.keyHow': 'Obtenir une clé et déchiffrer',
  'request.keyMake':
    'Cette commande du programme age (age-encryption.org) crée une clé. Collez ci-dessus la clé publique qu’elle affiche, et gardez le fichier key.txt en lieu sûr : sans lui, les fichiers sont perdus.',
  'request.keyOpen': 'Chacune de ces commandes déchiffre ce qui est arrivé. LINK est son adresse.',
  'request.limitInvalid': 'Saisissez un autre nombre entier, à partir de 1.',
  'request.messageMissing': 'Indiquez ce dont vous avez besoin.',
  'request.keyInvalid': 'Saisissez une clé publique d’age, qui commence par age1.',
  'request.keySecret':
    'C’est la clé secrète : gardez-la pour vous. Collez la clé publique, qui commence par age1.',
  'request.arrived': 'Fichiers reçus',
  'request.nothing': 'Rien pour l’instant.',
  'request.unopened': 'pas encore ouvert',
  'certificate.print': 'Imprimer',
  'certificate.close': 'Retour au lien',
  'certificate.title': 'Historique d’un lien',
  'certificate.state': 'État au {time} : {status}',
  'certificate.partial': {
    one: 'Seule l’entrée la plus récente figure ici. L’export les contient toutes.',
    many: 'Seules les {count} entrées les plus récentes figurent ici. L’export les contient toutes.',
    other: 'Seules les {count} entrées les plus récentes figurent ici. L’export les contient toutes.',
  },
  'certificate.covers': {
    one: 'Cette empreinte couvre la première entrée.',
    many: 'Cette empreinte couvre les entrées 1 à {count}.',
    other: 'Cette empreinte couvre les entrées 1 à {count}.',
  },
  'certificate.check': 'Comment vérifier cet historique',
  'certificate.export':
    'Ouvrez {url}, exportez l’historique en NDJSON et conservez le fichier avec cette page.',
  'certificate.verify':
    'Ouvrez {url}, ou la page /verify de tout autre Postern. Choisissez-y le fichier et saisissez l’empreinte ci-dessus. La commande « {command} » fait de même.',
  'certificate.file':
    'Pour vérifier qu’un fichier est bien celui qui a été envoyé, choisissez-le aussi sur cette page.',
  'certificate.limits':
    'L’historique montre quand et depuis quelle adresse le lien a été ouvert. Il ne prouve pas qui utilisait cette adresse. Détails : {document} dans une copie de Postern.',
  'certificate.compare': {
    one: 'Si la page ne trouve aucune différence, la première entrée n’a été ni modifiée ni supprimée depuis l’impression de cette page.',
    many: 'Si la page ne trouve aucune différence, aucune des entrées 1 à {count} n’a été modifiée, supprimée, ajoutée ou déplacée depuis l’impression de cette page.',
    other:
      'Si la page ne trouve aucune différence, aucune des entrées 1 à {count} n’a été modifiée, supprimée, ajoutée ou déplacée depuis l’impression de cette page.',
  },
  'text.label': 'Votre texte',
  'text.remove': 'Retirer le texte',
  'text.oneLine': 'Masquer pendant la saisie',
  'text.oneLineHint': 'Pour un mot de passe ou un autre secret d’une ligne.',
  'text.once':
    'Les visiteurs voient le texte après un clic. Il peut être vu une fois, sauf si vous choisissez autre chose ci-dessous.',
  'result.keyOnce': 'La clé n’est que dans ce lien. Elle ne peut pas être affichée à nouveau.',
  'copy.passphrase': 'Copier la phrase secrète',
  'result.passphraseOnce': 'La phrase secrète n’est plus affichée ensuite. Copiez-la maintenant.',
  'unfinished.title': 'Envoi inachevé',
  'unfinished.offer': 'L’envoi de « {name} » s’est arrêté à {percent}.',
  'unfinished.choose': {
    one: 'Choisissez à nouveau le même fichier pour continuer.',
    many: 'Choisissez à nouveau les mêmes {count} fichiers pour continuer.',
    other: 'Choisissez à nouveau les mêmes {count} fichiers pour continuer.',
  },
  'unfinished.other': 'Les fichiers choisis ne sont pas les mêmes.',
  'unfinished.continues': 'L’envoi de « {name} » reprend à {percent}.',
  'unfinished.discard': 'Abandonner l’envoi',
};
