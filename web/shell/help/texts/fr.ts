import type { HelpMessages } from './en.ts';

export const fr = {
  'send.question': 'Comment envoyer un fichier avec un mot de passe ?',
  'send.answer':
    'Choisissez « {create} », puis « {files} ». Ajoutez le fichier, saisissez un mot de passe ou faites-en générer un, et créez le lien. « {message} » copie un texte pour votre e-mail. Communiquez le mot de passe autrement, par exemple par téléphone. « {copyPassword} » n’est proposé que jusqu’à ce que vous quittiez la page.',
  'only.question': 'Comment faire pour que seules certaines personnes ouvrent un lien ?',
  'only.answer':
    'À la création du lien, saisissez leurs adresses e-mail sous « {who} ». Pour l’ouvrir, chaque personne demande un code, que le service envoie à cette adresse. L’historique et l’attestation indiquent alors l’adresse. Si « {who} » n’apparaît pas, ce service n’envoie pas de tels codes.',
  'seen.question': 'Comment savoir si le lien a été ouvert ?',
  'seen.answer':
    '« {create} » montre vos derniers liens et s’ils ont été ouverts ; « {links} » les montre tous. La page d’un lien indique aussi si le fichier a été envoyé en entier. Chaque ouverture compte comme une vue, la vôtre aussi.',
  'previews.question': 'Pourquoi l’historique contient-il des aperçus ?',
  'previews.answer':
    'Un aperçu est un programme qui a seulement regardé le lien ; cela ne compte pas comme une vue. Mais beaucoup de messageries et d’antivirus récupèrent le contenu d’un lien avant qu’une personne l’ouvre, et cela compte comme une vue. Activez « {confirm} » ou définissez un mot de passe : ils ne consommeront alors aucune vue.',
  'stop.question': 'Puis-je reprendre un lien ?',
  'stop.answer':
    'Oui. Sur sa page, choisissez « {revoke} » : il ne s’ouvrira plus jamais. Ou choisissez « {pause} » sous « {more} », puis « {resume} » plus tard.',
  'password.question': 'J’ai oublié le mot de passe d’un lien. Que faire ?',
  'password.answer':
    'Le service n’en garde aucune copie lisible. Sur la page du lien, choisissez « {edit} » et définissez un nouveau mot de passe.',
  'receive.question': 'Comment demander des fichiers à quelqu’un ?',
  'receive.answer':
    'Choisissez « {create} », puis « {request} », dites ce qu’il vous faut, créez le lien et envoyez-le. Les personnes qui l’ont peuvent vous envoyer des fichiers sans compte, et ne voient pas ceux des autres. Les fichiers sont sur la page de ce lien, sous « {received} ».',
  'prove.question': 'Comment prouver plus tard qu’un lien a été ouvert ?',
  'prove.answer':
    'Sur sa page, ouvrez « {record} », imprimez-la ou enregistrez-la en PDF, et choisissez aussi « {export} ». Conservez les deux, ou remettez-les à une autre personne : chacun peut alors vérifier sous « {verify} », sans compte, que rien n’a été modifié.',
  'invite.question': 'Comment inviter un collègue ?',
  'invite.answer':
    'Si vous voyez « {people} » en haut, choisissez-le, puis « {add} ». Vous obtenez un lien à envoyer à votre collègue, qui définit ainsi son mot de passe. Sinon, demandez à l’administrateur.',
  'lists.question': 'Où sont les liens que j’ai créés ?',
  'lists.answer':
    'Sous « {links} ». Ceux que vous avez créés en étant connecté y sont sur tous vos appareils, les autres seulement dans le navigateur qui les a créés.',
  'secret.question': 'L’administrateur peut-il lire ce que j’envoie ?',
  'secret.answer':
    'Oui, sauf si vous activez « {encrypt} ». Seules les personnes qui ont l’adresse complète ou la phrase secrète peuvent alors le lire.',
  'further.question': 'Qui peut m’aider ?',
  'further.answer': 'L’administrateur de ce service.',
} satisfies HelpMessages;
