import { SET_TITLES } from '../../../common/set-titles.ts';
import type { VisitorTexts } from './en.ts';

export const fr: VisitorTexts = {
  'notice.NOT_FOUND.title': 'Lien introuvable',
  'notice.NOT_FOUND.text':
    'Vérifiez que l’adresse est complète, majuscules et minuscules comprises, ou demandez à la personne qui vous l’a envoyée.',
  'trailing.title': 'Est-ce le lien que vous cherchez ?',
  'trailing.text':
    'L’adresse ouverte se termine par un caractère qui ne fait pas partie du lien. Sans ce caractère, un lien existe :',
  'notice.FILE_NOT_FOUND.title': 'Fichier introuvable',
  'notice.FILE_NOT_FOUND.text':
    'Le lien est valide, mais son fichier est manquant. Cette tentative ne compte pas. Prévenez la personne qui vous a envoyé le lien.',
  'notice.DOWNLOAD_ENDED.title': 'Ce téléchargement ne peut pas être repris',
  'notice.DOWNLOAD_ENDED.text':
    'Ouvrez de nouveau le lien pour relancer le téléchargement, ce qui compte comme une ouverture.',
  'notice.OTHER_BROWSER.title': 'Ce téléchargement ne peut pas être repris ici',
  'notice.OTHER_BROWSER.text':
    'Il ne continue que dans le navigateur où l’adresse e-mail a été confirmée. Pour télécharger ici, ouvrez le lien qui vous a été envoyé et confirmez votre adresse.',
  'notice.REVOKED.title': 'Ce lien a été révoqué',
  'notice.REVOKED.text': 'Demandez un nouveau lien à la personne qui vous l’a envoyé.',
  'notice.EXPIRED.title': 'Ce lien a expiré',
  'notice.EXPIRED.text': 'Demandez un nouveau lien à la personne qui vous l’a envoyé.',
  'notice.VIEW_LIMIT_REACHED.title': 'Ce lien a déjà été ouvert autant de fois que permis',
  'notice.VIEW_LIMIT_REACHED.text': 'Demandez un nouveau lien à la personne qui vous l’a envoyé.',
  'notice.REQUEST_FULL.title': 'Ce lien n’accepte plus de fichiers',
  'notice.REQUEST_FULL.text':
    'Sa limite est atteinte. Demandez un nouveau lien à la personne qui vous l’a envoyé.',
  'notice.UNEXPECTED_STATE.title': 'Ce lien n’est pas actif',
  'notice.UNEXPECTED_STATE.text': 'Demandez un nouveau lien à la personne qui vous l’a envoyé.',
  'notice.PAUSED.title': 'Ce lien est en pause',
  'notice.PAUSED.text':
    'Il ne peut pas être ouvert pour le moment. Cette tentative ne compte pas. Réessayez plus tard ou adressez-vous à la personne qui vous l’a envoyé.',
  'notice.NOT_STARTED.title': 'Ce lien n’est pas encore disponible',
  'notice.NOT_STARTED.text':
    'Cette tentative ne compte pas. Réessayez plus tard ou adressez-vous à la personne qui vous l’a envoyé.',
  'notice.RATE_LIMITED.title': 'Trop de tentatives',
  'notice.RATE_LIMITED.text': 'Patientez avant de réessayer.',
  'notice.OVERLOADED.title': 'Le service est très sollicité',
  'notice.OVERLOADED.text': 'Cette tentative ne compte pas. Réessayez dans quelques secondes.',
  'notice.SERVER_ERROR.title': 'Une erreur est survenue de notre côté',
  'notice.SERVER_ERROR.text': 'L’opération n’a pas abouti. Réessayez dans un instant.',
  'notice.CROSS_SITE.title': 'Un autre site web a tenté d’ouvrir ce lien',
  'notice.CROSS_SITE.text':
    'Pour votre sécurité, le lien n’a pas été ouvert et cette tentative ne compte pas. Vous pouvez l’ouvrir vous-même.',
  'notice.UNREADABLE_FORM.title': 'Le formulaire n’a pas pu être lu',
  'notice.UNREADABLE_FORM.text': 'Revenez en arrière et envoyez-le de nouveau.',

  'notice.CODES_LIMITED.title': 'Trop de codes demandés',
  'notice.CODES_LIMITED.text':
    'Aucun autre code n’est envoyé pour le moment. Si vous en avez déjà un, revenez en arrière et saisissez-le.',
  'notice.CODES_UNAVAILABLE.title': 'Aucun code ne peut être envoyé pour le moment',
  'notice.CODES_UNAVAILABLE.text':
    'Ce lien s’ouvre avec un code que vous recevez par e-mail, et ce service ne peut pas envoyer d’e-mails pour le moment. Cette tentative ne compte pas. Réessayez dans une minute.',
  'recipient.title': 'Confirmez votre adresse e-mail',
  'recipient.text':
    'L’expéditeur a limité ce lien à certaines adresses e-mail. Saisissez la vôtre : si elle en fait partie, vous recevrez un code par e-mail.',
  'recipient.field': 'Adresse e-mail',
  'recipient.invalid': 'Saisissez une adresse e-mail, par exemple user@example.com.',
  'recipient.recorded':
    'Si l’expéditeur a indiqué votre adresse, il peut voir quand vous demandez un code et quand vous ouvrez le lien.',
  'recipient.send': 'Envoyer le code',
  'recipient.have': 'J’ai déjà un code',
  'recipient.change': 'Modifier l’adresse',
  'recipient.code.title': 'Saisissez le code',
  'recipient.code.text': 'Si l’expéditeur a autorisé cette adresse, un code est en route :',
  'recipient.code.only':
    'Les codes ne sont envoyés qu’aux adresses autorisées par l’expéditeur. Vous avez saisi :',
  'recipient.code.terms':
    'Un code ouvre le lien une seule fois, pendant {minutes} minutes, dans le navigateur où vous l’avez demandé.',
  'recipient.code.field': 'Code reçu par e-mail (6 chiffres)',
  'recipient.code.open': 'Ouvrir le lien',
  'recipient.code.wrong':
    'Ce code est incorrect, a expiré ou a déjà été utilisé, ou l’adresse est incorrecte. Vérifiez le code et l’adresse, ou demandez un nouveau code. Après {tries} codes incorrects, seul un nouveau code est accepté.',
  'recipient.code.noCookie':
    'Votre navigateur n’a pas envoyé de cookie avec le code. Soit il bloque les cookies, soit vous avez demandé le code dans un autre navigateur ou il y a plus de {minutes} minutes. Autorisez les cookies pour ce site et demandez un nouveau code ici.',
  'recipient.resend': 'Envoyer un nouveau code',

  'redirect.title': 'Vous êtes sur le point d’ouvrir un lien',
  'redirect.text': 'Il mène à ce site :',
  'redirect.open': 'Ouvrir le lien',
  'download.title': 'Un fichier est prêt à être téléchargé',
  'download.text': 'Le téléchargement commence lorsque vous cliquez sur le bouton.',
  'download.open': 'Télécharger le fichier',
  'download.started': 'Le téléchargement a commencé.',
  'download.again': 'Télécharger à nouveau',
  'text.title': 'Un texte a été partagé avec vous',
  'text.text': 'Il s’affiche lorsque vous cliquez sur le bouton.',
  'text.open': 'Afficher le texte',
  'text.shown': 'Texte partagé',
  'text.last': 'Le texte ne pourra plus être ouvert. Copiez-le avant de fermer ou de recharger cette page.',
  'text.copy': 'Copier',
  'text.copyFailed': 'La copie a échoué. Sélectionnez le texte et copiez-le manuellement.',
  'shown.title': 'Un fichier a été partagé avec vous',
  'shown.text': 'Il s’affiche dans votre navigateur lorsque vous cliquez sur le bouton.',
  'shown.open': 'Afficher le fichier',
  'shown.pdf': 'Ouvrir le PDF',
  'shown.noPdf': 'Ce navigateur n’affiche pas le PDF sur cette page. Ouvrez-le ou téléchargez-le.',
  'files.title': 'Des fichiers sont prêts à être téléchargés',
  'files.text': 'Cliquez sur le bouton pour choisir ce que vous téléchargez.',
  'files.open': 'Afficher les fichiers',
  'files.zip': 'Tout télécharger (ZIP)',
  'files.count': { one: '{count} fichier', many: '{count} de fichiers', other: '{count} fichiers' },
  'files.named': SET_TITLES.fr,
  'files.more': {
    one: 'Et {count} autre fichier.',
    many: 'Et {count} d’autres fichiers.',
    other: 'Et {count} autres fichiers.',
  },
  'files.page': 'Page {page} sur {last}',
  'files.previous': 'Fichiers précédents',
  'files.next': 'Fichiers suivants',
  'files.again':
    'Pendant un certain temps, vous pouvez recharger cette page et reprendre un téléchargement sans que cela compte comme une nouvelle ouverture.',
  'encrypted.title': 'Un fichier ou un texte chiffré pour vous',
  'encrypted.text':
    'Il a été chiffré avant son envoi. Votre navigateur le déchiffre ici : le service ne peut pas le lire.',
  'encrypted.again':
    'Vous l’avez déjà ouvert. Le déchiffrer de nouveau sur cette page ne compte pas comme une nouvelle ouverture.',
  'encrypted.size': 'Jusqu’à {size}',
  'encrypted.key': 'Phrase secrète ou clé',
  'encrypted.hint':
    'Si vous n’avez pas reçu de phrase secrète, demandez le lien entier : la partie après # manque.',
  'encrypted.show': 'Afficher',
  'encrypted.open': 'Télécharger et déchiffrer',
  'encrypted.shown': 'Texte déchiffré',
  'encrypted.withoutScript':
    'Pour le déchiffrer ici, activez JavaScript. Le bouton ci-dessous le télécharge chiffré. Cette commande le déchiffre avec age et tar :',
  'encrypted.script.badLink':
    'La clé à la fin de l’adresse est incomplète ou a été modifiée. Copiez de nouveau le lien entier.',
  'encrypted.script.choose': 'Choisir l’emplacement',
  'encrypted.script.damaged':
    'Le téléchargement est endommagé ou a été modifié. Rien d’incomplet n’a été enregistré. Vous pouvez réessayer ; cela ne compte pas comme une nouvelle ouverture.',
  'encrypted.script.done': 'Déchiffré et vérifié.',
  'encrypted.script.failed':
    'Cela n’a pas fonctionné ({reason}). Rien d’incomplet n’a été enregistré. Vous pouvez réessayer ; cela ne compte pas comme une nouvelle ouverture.',
  'encrypted.script.insecure':
    'Les navigateurs ne déchiffrent que sur des pages en https://. Demandez un tel lien à l’expéditeur, ou ouvrez-le en ligne de commande.',
  'encrypted.script.progress': '{done} sur {total}',
  'encrypted.script.ready': 'Prêt : {name}, {size}',
  'encrypted.script.save': 'Enregistrer {name}',
  'encrypted.script.saving':
    'Votre navigateur enregistre {name}. Sa liste des téléchargements montre la progression.',
  'encrypted.script.tooLarge':
    'Ce navigateur peut déchiffrer au plus {size}. Ouvrez le lien dans Chrome, Edge ou Firefox, ou en ligne de commande.',
  'encrypted.script.wrongKey':
    'Cette phrase secrète ou cette clé ne convient pas. Vérifiez-la et réessayez. Cela ne compte pas comme une nouvelle ouverture.',
  'command.title': 'Télécharger avec une commande',
  'command.counts':
    'La commande est destinée à un terminal et peut reprendre un téléchargement interrompu. L’afficher compte comme une ouverture du lien.',
  'command.show': 'Afficher la commande',
  'command.copy': 'Copier la commande',
  'command.copied': 'Copié',
  checksum: 'Somme de contrôle (SHA-256)',
  'views.left': {
    one: 'Peut encore être ouvert une fois',
    many: 'Peut encore être ouvert {count} de fois',
    other: 'Peut encore être ouvert {count} fois',
  },
  'download.counts': 'Le téléchargement compte.',
  'views.counts': 'L’ouvrir maintenant compte.',
  expires: 'Expire le {time}',
  opens: 'Disponible à partir du {time}',

  'request.title': 'Envoyer des fichiers',
  'request.from': 'Demande de {name}',
  'request.until': 'Jusqu’au {time}',
  'request.maxFiles': {
    one: 'Au plus {count} fichier par envoi',
    many: 'Au plus {count} de fichiers par envoi',
    other: 'Au plus {count} fichiers par envoi',
  },
  'request.maxBytes': '{size} au maximum au total par envoi',
  'request.files': 'Fichiers',
  'request.choose': 'Choisir des fichiers',
  'request.drop': 'Ou déposez des fichiers sur cette page.',
  'request.remove': 'Retirer le fichier',
  'request.unreadable': 'Un fichier n’a pas pu être lu. Choisissez-le à nouveau.',
  'request.sender': 'Votre nom (facultatif)',
  'request.note': 'Message (facultatif)',
  'request.send': 'Envoyer les fichiers',
  'request.sending': 'Envoi en cours…',
  'request.proxyLimit':
    'Un proxy placé devant ce service refuse les requêtes de cette taille. Demandez un autre moyen à la personne qui vous a envoyé ce lien.',
  'request.failed': 'Les fichiers n’ont pas pu être envoyés. Vérifiez votre connexion et réessayez.',
  'request.waiting': 'Connexion perdue. Nouvelle tentative…',
  'request.occupied': 'D’autres personnes envoient des fichiers en ce moment. En attente de votre tour…',
  'request.chosen': 'Choisi : {chosen}.',
  'request.sent': {
    one: 'Dans cet onglet, vous avez déjà envoyé {count} fichier le {time}. Il a été reçu.',
    many: 'Dans cet onglet, vous avez déjà envoyé {count} fichiers le {time}. Ils ont été reçus.',
    other: 'Dans cet onglet, vous avez déjà envoyé {count} fichiers le {time}. Ils ont été reçus.',
  },
  'request.exceeded':
    'Vous avez envoyé plus, donc rien n’a été enregistré. Revenez et choisissez d’autres fichiers.',
  'request.encrypts':
    'Votre navigateur chiffre les fichiers pour cette clé avant de les envoyer. Seule la personne qui les demande peut les déchiffrer. Votre nom et votre message ne sont pas chiffrés.',
  'request.withoutScript': 'Pour chiffrer et envoyer, activez JavaScript ou utilisez postern submit.',
  'request.insecure': 'Les navigateurs ne chiffrent que sur des pages en https://. Demandez un tel lien.',
  'receipt.title': 'Vos fichiers ont été reçus',
  'receipt.close': 'Tous les fichiers sont arrivés. Vous pouvez fermer cette page.',
  'receipt.request': 'Demande',
  'receipt.note': 'Votre message',
  'receipt.sender': 'Envoyés par {name}',
  'receipt.proof': 'Preuve',
  'receipt.text':
    'Les sommes de contrôle montrent plus tard quels fichiers exacts vous avez envoyés : enregistrez ce reçu pour les garder.',
  'receipt.encrypted':
    'La somme de contrôle montre plus tard quelle archive chiffrée est arrivée. Vous n’avez pas cette archive : seule la personne qui a demandé les fichiers peut la comparer et la déchiffrer.',
  'receipt.at': 'Reçus le {time}',
  'receipt.print': 'Pour le garder, imprimez cette page, par exemple en PDF.',
  'receipt.save': 'Enregistrer le reçu',
  'receipt.fileName': 'reçu',
  'receipt.heading': 'Reçu des fichiers envoyés',
  'receipt.address': 'Demande de fichiers : {address}',
  'receipt.entry': 'L’entrée {number} de l’historique de ces fichiers a l’empreinte {fingerprint}',
  'receipt.proves':
    'Ce que cela prouve : le service a reçu ces fichiers à ce moment. Ce texte seul peut être falsifié. Avec l’historique, que la personne qui a demandé les fichiers peut enregistrer, il ne le peut pas.',
  'receipt.compute':
    'Pour obtenir le SHA-256 d’un fichier, utilisez Get-FileHash (Windows PowerShell), shasum -a 256 (macOS) ou sha256sum (Linux), suivi de son nom.',
  'receipt.check':
    'Pour vérifier l’empreinte, demandez l’historique enregistré et ouvrez la page « Vérifier un historique » du service, à son adresse avec /verify.',

  'limited.hours': {
    one: 'Réessayez dans {count} heure.',
    many: 'Réessayez dans {count} d’heures.',
    other: 'Réessayez dans {count} heures.',
  },
  'limited.wait': {
    one: 'Réessayez dans {count} minute.',
    many: 'Réessayez dans {count} de minutes.',
    other: 'Réessayez dans {count} minutes.',
  },

  'sender.link': '{name} vous envoie un lien',
  'sender.file': '{name} vous envoie un fichier',
  'sender.files': '{name} vous envoie des fichiers',
  'sender.text': '{name} vous envoie un texte',
  'sender.encrypted': '{name} vous envoie un fichier ou un texte chiffré',
  'sender.receivedFile': 'Fichier envoyé à {name}',
  'sender.received': 'Fichiers envoyés à {name}',
  'sender.none': 'L’expéditeur n’a pas indiqué son nom.',
  'sender.service': 'Cette page appartient à {host}.',
  'sender.account': 'Le lien appartient au compte « {name} » de ce service.',
  'sender.unverified': 'Ce nom a été saisi librement et n’a pas été vérifié.',
  'password.title': 'Ce lien est protégé par un mot de passe',
  'password.text': 'Saisissez le mot de passe que vous avez reçu.',
  'password.field': 'Mot de passe',
  'password.show': 'Afficher le mot de passe',
  'password.open': 'Ouvrir le lien',
  'password.missing': 'Saisissez le mot de passe.',
  'password.wrong': 'Mot de passe incorrect. Vérifiez les majuscules et les minuscules, puis réessayez.',

  'preview.title': 'Lien partagé',
  'preview.text': 'Ouvrez le lien pour voir son contenu.',
  open: 'Ouvrir le lien',
  'unknownPath.title': 'Page introuvable',
  'unknownPath.text':
    'Il n’y a rien à cette adresse. Vérifiez qu’elle est complète, majuscules et minuscules comprises.',
  home: 'Aller à la page d’accueil',
  'checkpoint.title': 'Point de contrôle du journal',
  'checkpoint.text': {
    one: 'Il couvre {count} entrée de tous les liens, signée le {time}.',
    many: 'Il couvre les premiers {count} d’entrées de tous les liens, signées le {time}.',
    other: 'Il couvre les {count} premières entrées de tous les liens, signées le {time}.',
  },
  'checkpoint.key': 'Clé du journal',
  'checkpoint.keep':
    'Conservez les deux hors de ce service. /verify montre alors si des entrées du journal ont été modifiées ou supprimées depuis. Il ne montre pas si un autre historique d’un lien a été ajouté plus tard : pour cela, conservez l’attestation de remise du lien.',
  'health.title.UP': 'Le service fonctionne',
  'health.title.DOWN': 'Le service a un problème',
  'health.title.OUT_OF_SERVICE': 'Service indisponible',
  'health.text': 'Vérifié à l’instant. Les programmes reçoivent du JSON à cette adresse.',
  'health.component.database': 'Base de données',
  'health.component.storage': 'Stockage des fichiers',
  'health.component.scheduler': 'Contrôle des expirations',
  'health.UP': 'Actif',
  'health.DOWN': 'En panne',
  'health.OUT_OF_SERVICE': 'Hors service',
  reference: 'Si cela se reproduit, indiquez cette référence à l’administrateur :',
  abuse: 'Signaler un abus',
  contact: 'Contacter l’opérateur de ce service',
};
