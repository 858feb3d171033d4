import { PASSWORD_LINK_MESSAGES } from '../../../src/common/password-link-messages.ts';
import type { PeopleMessages } from './en.ts';

export const fr = {
  'account.may': 'Vos autorisations',
  'account.mayNothing':
    'Vous n’avez encore aucune autorisation. Adressez-vous à l’administrateur de ce service.',
  'account.renamed':
    'Le nom transmis par votre connexion est peut-être déjà pris ici : vous êtes donc « {name} ». Si vous aviez déjà un compte, demandez à l’administrateur de vous transférer ses liens.',
  'account.fromGroup': 'Vous l’avez par votre groupe « {group} ».',
  'account.teams':
    'Vos équipes : {teams}. Si vous pouvez créer des liens, vous pouvez voir et modifier ceux qui sont partagés avec elles.',
  'account.askAdministrator': 'Adressez-vous à un administrateur si vous avez besoin d’autre chose.',
  'may.title': 'Autorisations',
  'may.createHint': 'Aussi modifier et révoquer ses propres liens et ceux partagés avec ses équipes.',
  'may.readHint': 'Y compris leur historique et les statistiques.',
  'may.manageHint':
    'Modifier, révoquer et céder les liens des autres. Pour les trouver, il faut aussi « Voir tous les liens ».',
  'may.adminHint':
    'Ajouter des personnes et décider de ce qu’elles peuvent faire ; gérer les équipes et toutes les clés d’API.',
  'may.metricsHint': 'Seulement pour les programmes de surveillance.',
  'may.nothing': 'Aucune',
  'may.fromGroup': 'Du groupe « {group} » de l’authentification unique. Modifiez-le là-bas.',
  'may.fromAll': 'Toute personne qui utilise l’authentification unique l’a.',
  'account.nameHint':
    'Sur les pages, dans les e-mails et pour les destinataires qui voient une page avant l’ouverture de votre lien. Vous vous connectez en tant que {name}.',
  'account.saveName': 'Enregistrer le nom',
  'account.nameSaved': 'Votre nom a été enregistré.',
  'account.noEmail': 'Vous n’avez pas d’adresse e-mail pour être averti au sujet de vos liens.',
  'account.addEmail': 'L’ajouter sous « Personnes »',
  'account.askEmail': 'Demandez à un administrateur de l’ajouter.',
  'account.sessions': 'Où vous êtes connecté',
  'account.here': 'Ce navigateur',
  'account.used': 'Dernière utilisation : {time}',
  'account.endOthers': 'Se déconnecter partout ailleurs',
  'account.changed': 'Votre mot de passe a été changé et vous avez été déconnecté partout ailleurs.',
  'people.sections': 'Rubriques',
  'people.actions': 'Actions',
  'people.addText': 'Vous obtenez un lien avec lequel la personne choisit un mot de passe.',
  'people.nameHint':
    'Sert à se connecter et ne peut pas être modifié ensuite. La casse n’est pas prise en compte.',
  'people.emailHint':
    'Facultatif. Pour les notifications sur les liens de la personne et pour l’authentification unique.',
  'people.emailMailed': 'Le lien pour choisir le mot de passe peut être envoyé à cette adresse.',
  'people.emergency': 'Compte de secours',
  'people.emergencyHint':
    'Peut se connecter avec un mot de passe même si tous les autres doivent utiliser l’authentification unique.',
  'people.change': 'Modifier',
  'people.changeTitle': 'Modifier {name}',
  'people.save': 'Enregistrer les modifications',
  'people.changed': '{name} a été modifié.',
  'people.lastSignIn': 'Dernière connexion : {time}',
  'people.noSignIn': 'Ne s’est pas encore connecté',
  'people.never': 'Jamais',
  'people.displayName': 'Nom affiché',
  'people.signInName': 'Se connecte en tant que {name}',
  'people.newInvitation': 'Nouveau lien d’invitation',
  'people.newInvitationText': 'Le lien d’invitation précédent ne fonctionnera plus.',
  'people.invitationFor': 'Lien d’invitation pour {name}',
  'people.copyInvitation': 'Copier le lien d’invitation',
  'people.mailInvitation': 'Envoyer le lien d’invitation par e-mail',
  'people.mailed': 'Envoyé par e-mail à {address}.',
  'people.newLink': 'Nouveau lien de mot de passe',
  'people.newLinkText':
    'Un lien antérieur non utilisé cesse de fonctionner. Le mot de passe actuel reste valable jusqu’au choix d’un nouveau.',
  'people.linkFor': 'Lien de mot de passe pour {name}',
  'people.linkNote':
    'Avec ce lien, {name} peut choisir un mot de passe une seule fois, jusqu’au {time}. Il ne sera plus affiché.',
  'people.message': PASSWORD_LINK_MESSAGES.fr,
  'people.copyLink': 'Copier le lien de mot de passe',
  'people.mailLink': 'Envoyer le lien de mot de passe par e-mail',
  'people.done': 'Terminé',
  'people.deactivate': 'Désactiver',
  'people.deactivateTitle': 'Désactiver {name} ?',
  'people.deactivateText':
    '{name} est déconnecté partout, et les clés d’API de {name} sont révoquées. Rien n’est supprimé, et vous pourrez réactiver {name} plus tard.',
  'people.linksTo': {
    one: 'Transférer le lien de {name} à',
    many: 'Transférer les {count} de liens de {name} à',
    other: 'Transférer les {count} liens de {name} à',
  },
  'people.choose': 'Choisir une personne',
  'people.chooseOwner': 'Choisissez la personne qui reçoit les liens.',
  'people.wasDeactivated': '{name} a été désactivé.',
  'people.reactivate': 'Réactiver',
  'people.reactivated': '{name} peut de nouveau se connecter.',
  'teams.hint':
    'Les membres d’une équipe qui peuvent créer des liens peuvent voir et modifier tous ceux qui sont partagés avec elle.',
  'teams.empty': 'Il n’y a pas encore d’équipe.',
  'teams.add': 'Créer une équipe',
  'teams.members': 'Membres',
  'teams.delete': 'Supprimer l’équipe',
  'teams.deleteTitle': 'Supprimer l’équipe {name} ?',
  'teams.deleteText': 'Les comptes de ses membres restent. Aucun lien n’est partagé avec elle.',
  'teams.hasLinks': {
    one: '{count} lien est partagé avec cette équipe. Cessez d’abord de le partager.',
    many: '{count} de liens sont partagés avec cette équipe. Cessez d’abord de les partager.',
    other: '{count} liens sont partagés avec cette équipe. Cessez d’abord de les partager.',
  },
  'teams.showLinks': 'Afficher les liens',
  'apiKeys.hint':
    'Pour les programmes. Une clé peut faire au plus ce que vous pouvez faire, et les liens qu’elle crée sont à vous.',
  'apiKeys.hintAll':
    'Pour les programmes. La clé d’une personne peut faire au plus ce que cette personne peut faire.',
  'apiKeys.empty': 'Il n’y a pas encore de clé.',
  'apiKeys.add': 'Créer une clé',
  'apiKeys.nameHint': 'Par exemple le nom du programme. Il apparaît dans les historiques.',
  'apiKeys.owner': 'Appartient à',
  'apiKeys.service': 'Aucune personne',
  'apiKeys.serviceHint': 'Ses liens appartiennent à la clé. Elle reste quand des personnes partent.',
  'apiKeys.personHint':
    'Ses liens appartiennent à cette personne. Elle cesse de fonctionner quand la personne est désactivée.',
  'apiKeys.limited': 'Son propriétaire n’a plus les autres autorisations.',
  'apiKeys.expires': 'Expire',
  'apiKeys.until': 'Expire : {time}',
  'apiKeys.noEnd': 'N’expire jamais',
  'apiKeys.lastUsed': 'Dernière utilisation',
  'apiKeys.addedTitle': 'Clé {name}',
  'apiKeys.once': 'Copiez-la maintenant : elle ne sera plus affichée.',
  'apiKeys.revoke': 'Révoquer la clé',
  'apiKeys.revokeTitle': 'Révoquer la clé {name} ?',
  'apiKeys.revokeText':
    'Les programmes qui l’utilisent cessent de fonctionner en quelques secondes. C’est irréversible.',
} satisfies PeopleMessages;
