import type { RequestDictionary } from '../../translate.ts';

export const fr: RequestDictionary = {
  'state.views': { one: '{count} envoi', many: '{count} d’envois', other: '{count} envois' },
  'state.viewsOf': {
    one: '{count} envoi sur {whole}',
    many: '{count} d’envois sur {whole}',
    other: '{count} envois sur {whole}',
  },
  'state.lastOpened': 'Dernier envoi le {when}',
  'column.views': 'Envois',
  'column.lastOpened': 'Dernier envoi',
  'access.success': 'Fichiers reçus',
  'access.viewLimit': 'Limite d’envois atteinte',
  'board.noViewsInPeriod': 'Aucun envoi sur cette période.',
  views: 'Envois',
  'views.limit': {
    one: '{count} envoi au maximum',
    many: '{count} d’envois au maximum',
    other: '{count} envois au maximum',
  },
  'views.once': 'Un envoi',
  'views.field': { one: 'envoi', many: 'd’envois', other: 'envois' },
  'notifyEmail.hint': 'Un e-mail signale l’arrivée de fichiers, au plus une fois par minute.',
  'linkState.active': 'Toute personne qui a ce lien peut envoyer des fichiers.',
  'linkState.activePassword': 'Toute personne qui a ce lien et son mot de passe peut envoyer des fichiers.',
  'linkState.usedUp':
    'Il n’accepte plus de fichiers : tous les envois sont utilisés. Augmentez leur limite pour en recevoir d’autres.',
  'linkState.expired': 'Il a expiré et n’accepte plus de fichiers, sauf si son expiration est modifiée.',
  'linkState.revoked': 'Il a été révoqué et n’accepte plus de fichiers.',
  'linkState.paused': 'Il est en pause et n’accepte pas de fichiers tant qu’il n’est pas réactivé.',
  'linkState.scheduled': 'Il n’acceptera des fichiers qu’à partir de sa date de début.',
  'entry.opened': 'Fichiers reçus',
  'entry.previewMeaning':
    'Aperçu : une requête qui n’a pas envoyé de fichiers, comme l’aperçu du lien dans une messagerie ou une visite de la page. Elle ne compte pas comme un envoi.',
  'certificate.limits':
    'L’historique montre quand et depuis quelle adresse des fichiers ont été envoyés. Il ne prouve pas qui utilisait cette adresse. Détails : {document} dans une copie de Postern.',
  'edit.maxViews': 'Limite d’envois',
  'edit.maxViewsHint': {
    one: '{count} envoi jusqu’ici. Vide : sans limite. Une fois cette limite atteinte, le lien n’accepte plus de fichiers.',
    many: '{count} d’envois jusqu’ici. Vide : sans limite. Une fois cette limite atteinte, le lien n’accepte plus de fichiers.',
    other:
      '{count} envois jusqu’ici. Vide : sans limite. Une fois cette limite atteinte, le lien n’accepte plus de fichiers.',
  },
  'edit.maxViewsTooLow': {
    one: '{count} envoi jusqu’ici : une limite inférieure est enregistrée comme {count}, et le lien n’accepte plus de fichiers.',
    many: '{count} d’envois jusqu’ici : une limite inférieure est enregistrée comme {count}, et le lien n’accepte plus de fichiers.',
    other:
      '{count} envois jusqu’ici : une limite inférieure est enregistrée comme {count}, et le lien n’accepte plus de fichiers.',
  },
  'edit.pausedHint': 'Tant que vous ne le réactivez pas, le lien n’accepte pas de fichiers.',
  'code.hint':
    'Le lien continue sous une nouvelle adresse, avec ses conditions et les envois restants. L’historique antérieur et les fichiers reçus restent à l’ancienne adresse, qui ne fonctionne plus : donnez la nouvelle à tous ceux qui en ont besoin.',
};
