import type { ReceivedTexts } from './en.ts';

export const fr: ReceivedTexts = {
  typedName: 'L’expéditeur a saisi ce nom. Il n’a pas été vérifié.',
  request: 'Envoyé pour votre demande de fichiers :',
  note: 'Note de l’expéditeur',
  access: 'Qui peut ouvrir ces fichiers',
  anyone: 'Vous seul avez besoin de cette adresse. Toute personne qui l’a peut ouvrir les fichiers.',
  anyoneWithPassword:
    'Vous seul avez besoin de cette adresse. Toute personne qui l’a et connaît le mot de passe peut ouvrir les fichiers.',
  anyoneEncrypted:
    'Vous seul avez besoin de cette adresse. Toute personne qui l’a peut télécharger les fichiers chiffrés, mais seule votre clé secrète les ouvre.',
  neverExpires: 'Elle n’expire jamais.',
  expires: 'Elle expire le {time}.',
  ending:
    'Une fois l’adresse expirée ou révoquée, les fichiers ne peuvent plus être téléchargés ici non plus : téléchargez-les avant.',
  setExpiry: 'Définir l’expiration',
  changeExpiry: 'Modifier l’expiration',
};
