import type { ReceivedTexts } from './en.ts';

export const fr: ReceivedTexts = {
  typedName: 'L’expéditeur a saisi ce nom. Il n’a pas été vérifié.',
  request: 'Envoyé pour votre demande de fichiers :',
  note: 'Note de l’expéditeur',
  access: 'Qui peut ouvrir ces fichiers',
  anyone:
    'Les personnes qui peuvent voir cette page et celles qui en ont reçu une attestation ou un historique enregistré ont cette adresse ; l’expéditeur ne l’a pas. Toute personne qui la reçoit peut ouvrir les fichiers.',
  anyoneWithPassword:
    'Les personnes qui peuvent voir cette page et celles qui en ont reçu une attestation ou un historique enregistré ont cette adresse ; l’expéditeur ne l’a pas. Toute personne qui la reçoit avec le mot de passe peut ouvrir les fichiers.',
  anyoneEncrypted:
    'Les personnes qui peuvent voir cette page et celles qui en ont reçu une attestation ou un historique enregistré ont cette adresse ; l’expéditeur ne l’a pas. Toute personne qui la reçoit peut télécharger les fichiers chiffrés, mais seule votre clé secrète les ouvre.',
  neverExpires: 'Aucune expiration n’est définie.',
  expires: 'Elle expire le {time}.',
  ending:
    'Une fois l’adresse expirée ou révoquée, les fichiers ne peuvent plus être téléchargés ici non plus : téléchargez-les avant.',
  setExpiry: 'Définir l’expiration',
  changeExpiry: 'Modifier l’expiration',
  downloadRecorded:
    'Vos propres téléchargements comptent aussi. L’historique ne montre pas qui a téléchargé : sans mot de passe, l’adresse d’un envoi y suffit.',
};
