import type { Texts } from './texts.ts';

export const fr: Texts = {
  notices: {
    NOT_FOUND: {
      title: 'Ce lien n’existe pas',
      text: 'Vérifiez que l’adresse est complète, majuscules et minuscules comprises, ou demandez à la personne qui vous l’a donnée.',
    },
    FILE_NOT_FOUND: {
      title: 'Le fichier est introuvable',
      text: 'Le lien est bon, mais son fichier n’est pas là. Aucune ouverture n’a été comptée. Prévenez la personne qui vous l’a donné.',
    },
    REVOKED: {
      title: 'Ce lien a été retiré',
      text: 'La personne qui l’a créé l’a retiré. Elle peut vous en donner un nouveau.',
    },
    EXPIRED: {
      title: 'Ce lien a expiré',
      text: 'Son temps est écoulé. La personne qui vous l’a donné peut en créer un nouveau.',
    },
    VIEW_LIMIT_REACHED: {
      title: 'Ce lien est épuisé',
      text: 'Il ne pouvait être ouvert qu’un certain nombre de fois, et il n’en reste aucune. La personne qui vous l’a donné peut en créer un nouveau.',
    },
    UNEXPECTED_STATE: {
      title: 'Ce lien n’est pas actif',
      text: 'Il ne peut plus être ouvert. La personne qui vous l’a donné peut en créer un nouveau.',
    },
    FAULT: {
      title: 'Un problème est survenu de notre côté',
      text: 'Le lien n’a pas pu être ouvert. Réessayez dans un instant.',
    },
    CROSS_SITE: {
      title: 'Un autre site a voulu ouvrir ce lien',
      text: 'Par sécurité, il n’a pas été ouvert et rien n’a été compté. Vous pouvez l’ouvrir vous-même.',
    },
    FORM: {
      title: 'Cet envoi n’a pas pu être lu',
      text: 'Ce qui a été envoyé n’est pas ce que la page envoie. Revenez en arrière et réessayez.',
    },
  },
  redirect: {
    title: 'Vous allez ouvrir un lien',
    text: 'Il mène à une autre page.',
    open: 'Ouvrir le lien',
  },
  download: {
    title: 'Un fichier vous attend',
    text: 'Il est téléchargé dès que vous appuyez sur le bouton.',
    open: 'Télécharger le fichier',
    started: 'Le téléchargement a commencé.',
  },
  viewsLeft: {
    one: '{count} ouverture restante',
    many: '{count} d’ouvertures restantes',
    other: '{count} ouvertures restantes',
  },
  expires: 'Expire le {time}',
  countsAsView: 'L’ouvrir compte comme une ouverture.',
  password: {
    title: 'Ce lien a un mot de passe',
    text: 'Saisissez celui que vous avez reçu avec lui.',
    field: 'Mot de passe',
    show: 'Afficher le mot de passe',
    open: 'Ouvrir',
    missing: 'Saisissez le mot de passe.',
    wrong: 'Ce n’est pas le bon mot de passe. Vérifiez les majuscules et les minuscules, puis réessayez.',
  },
  preview: { title: 'Un lien pour vous', text: 'Ouvrez-le pour voir ce que c’est.' },
  openHere: 'Ouvrir le lien',
  reference: 'Si cela se reproduit, donnez cette référence à la personne qui gère le service :',
};
