import type { Translated } from '../../../src/common/translate.ts';
import type { en } from './en.ts';

export const fr: Translated<typeof en> = {
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
  'request.example': 'Par exemple : le contrat signé en PDF',
  'request.limits': 'Limites par envoi',
  'request.unitFiles': 'fichiers',
  'request.unitMegabytes': 'Mo',
  'request.encryptTo': 'Chiffrer pour votre clé publique',
  'request.encryptToHint':
    'Vous seul pouvez alors déchiffrer les fichiers : le navigateur de l’expéditeur les chiffre pour cette clé, et ce service ne peut pas les lire.',
  'request.keyHow': 'Comment obtenir une clé et déchiffrer des fichiers',
  'request.keyMake':
    'Cette commande du programme age (age-encryption.org) crée une clé. Collez ci-dessus la clé publique qu’elle affiche, et gardez le fichier key.txt en lieu sûr : sans lui, les fichiers sont perdus.',
  'request.keyOpen': 'Chacune de ces commandes déchiffre ce qui est arrivé. LINK est son adresse.',
  'request.keyInvalid': 'Saisissez une clé publique d’age, qui commence par age1.',
  'request.keySecret': 'C’est votre clé secrète. Ne la partagez pas ; collez plutôt la clé publique.',
  'text.label': 'Votre texte',
  'text.oneLine': 'Masquer pendant la saisie',
  'text.oneLineHint': 'Pour un mot de passe ou un autre secret d’une ligne.',
  'encrypt.hint':
    'Ce service ne peut pas lire ce que vous envoyez, pas même les noms des fichiers. Donnez un nom au lien pour le retrouver.',
  'encrypt.needsHttps': 'Nécessite une connexion HTTPS.',
  'passphrase.hint': 'Envoyez-la au destinataire séparément. Si le champ est vide, la clé est dans le lien.',
  'otherApps.bookmark': 'Lien avec {name}',
  'otherApps.drag':
    'Faites glisser ce bouton dans la barre de favoris. Sur n’importe quelle page, le favori ouvre ce formulaire avec l’adresse et le titre de la page.',
  'otherApps.install':
    'Sur Android, installez cette page comme application. Elle apparaît ensuite parmi les applications de partage.',
  atOnce:
    'Les messageries et les filtres de messagerie qui ouvrent ce lien reçoivent le fichier, et chacun compte comme une vue.',
  noAddress: 'Votre compte n’a pas d’adresse e-mail.',
  addAddress: 'L’ajouter sous Personnes',
  askAddress: 'L’administrateur peut l’ajouter.',
};
