import type { HelpMessages } from './en.ts';

export const fr = {
  'send.question': 'Comment envoyer un fichier à une personne ?',
  'send.answer':
    'Choisissez « {create} », ajoutez le fichier et copiez le lien. S’il est confidentiel, définissez un mot de passe et n’autorisez qu’une vue. Communiquez le mot de passe autrement, par exemple par téléphone.',
  'seen.question': 'Comment savoir si le lien a été ouvert ?',
  'seen.answer':
    'Ouvrez la page du lien depuis « {links} ». La première phrase indique combien de fois et quand il a été ouvert, et si le fichier a été envoyé en entier.',
  'previews.question': 'Pourquoi l’historique contient-il des aperçus ?',
  'previews.answer':
    'Les filtres de messagerie et les messageries instantanées consultent une adresse avant toute personne. Cela ne compte pas comme une vue. Si un lien ne peut être ouvert qu’une fois, activez « {confirm} ».',
  'stop.question': 'Puis-je reprendre un lien ?',
  'stop.answer':
    'Oui. Sur sa page, révoquez-le : il ne s’ouvrira plus jamais. Ou mettez-le en pause et réactivez-le plus tard.',
  'password.question': 'J’ai oublié le mot de passe d’un lien. Que faire ?',
  'password.answer':
    'Le service n’en garde aucune copie lisible. Modifiez le lien et définissez un nouveau mot de passe.',
  'receive.question': 'Comment demander des fichiers à quelqu’un ?',
  'receive.answer':
    'Choisissez « {create} », puis « {request} ». Les personnes qui ont ce lien peuvent vous envoyer des fichiers. Elles ne voient pas ceux des autres.',
  'prove.question': 'Comment prouver plus tard qu’un lien a été ouvert ?',
  'prove.answer':
    'Sur sa page, choisissez « {record} » et remettez-la à une autre personne, ou conservez-la en lieu sûr. Choisissez aussi « {export} ». Avec les deux, chacun peut vérifier sous « {verify} » que rien n’a été modifié.',
  'lists.question': 'Où sont les liens que j’ai créés ?',
  'lists.answer':
    'Ceux que vous avez créés en étant connecté sont sous « {links} » sur tous vos appareils. Les autres ne sont que dans le navigateur qui les a créés.',
  'secret.question': 'L’administrateur peut-il lire ce que j’envoie ?',
  'secret.answer':
    'Oui, sauf si vous le chiffrez. Seules les personnes qui ont l’adresse complète peuvent alors le lire.',
  'further.question': 'Qui peut m’aider ?',
  'further.answer': 'L’administrateur de ce service.',
} satisfies HelpMessages;
