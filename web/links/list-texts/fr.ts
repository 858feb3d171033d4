import type { Translated } from '../../../src/common/translate.ts';
import type { en } from './en.ts';

export const fr: Translated<typeof en> = {
  'column.opened': 'Ouverts ou reçus',
  'links.onlyTag': 'N’afficher que les liens avec l’étiquette « {tag} »',
  'column.actions': 'Actions',
  'select.all': 'Sélectionner tous les liens affichés',
  'select.one': 'Sélectionner le lien {code}',
  'links.filter': 'Rechercher et filtrer les liens',
  'links.searchHint': 'Code, nom, destinataire, cible…',
  'links.sort': 'Trier par',
  'sort.newest': 'Plus récents d’abord',
  'sort.oldest': 'Plus anciens d’abord',
  'sort.mostViews': 'Plus de vues d’abord',
  'sort.fewestViews': 'Moins de vues d’abord',
  'sort.lastOpened': 'Derniers ouverts d’abord',
  'sort.leastOpened': 'Ouverts il y a le plus longtemps d’abord',
  'sort.bound':
    'Parmi les 1 000 liens correspondants les plus récents. Des liens plus anciens peuvent manquer.',
  'links.more.filters': 'Plus de filtres',
  'links.more.filtersSet': {
    one: 'Plus de filtres ({count} actif)',
    many: 'Plus de filtres ({count} actifs)',
    other: 'Plus de filtres ({count} actifs)',
  },
  'links.type': 'Mène à',
  'links.allTypes': 'Tout',
  'links.urls': 'URL seulement',
  'links.files': 'Fichiers seulement',
  'links.requests': 'Demandes de fichiers seulement',
  'saved.filters': 'Filtres enregistrés',
  'links.clear': 'Effacer les filtres',
  'links.loading': 'Chargement des liens…',
  'links.shown': {
    one: '{count} lien affiché',
    many: '{count} de liens affichés',
    other: '{count} liens affichés',
  },
  'links.total': '{count} au total',
  'links.more': 'Afficher plus',
  'links.ofService': 'Tous les liens de ce service',
  'links.withKey':
    'Pour voir tous les liens, créez une clé d’API sur le serveur avec cette commande, puis connectez-vous avec elle :',
  'links.signedIn':
    'Une fois connecté, vous voyez sur cette page vos liens de tous les navigateurs et, avec l’autorisation, ceux des autres.',
  'links.unfinished': 'Aucun lien trouvé pour l’instant. Les liens plus anciens n’ont pas été examinés.',
  'links.view': 'Liens affichés',
  'select.title': 'Liens sélectionnés',
  'select.clear': 'Effacer la sélection',
  'select.extendHint':
    'Les liens sans expiration restent tels quels. Les liens expirés sont prolongés à partir de maintenant.',
  'tag.add': 'Ajouter l’étiquette',
  'tag.remove': 'Retirer l’étiquette',
  'changes.running': 'Modification des liens : {count} sur {max}',
  'changes.done': 'Liens modifiés : {count}',
  'changes.undone': 'Liens rétablis : {count}',
  'revoke.manyTitle': {
    one: 'Révoquer {count} lien ?',
    many: 'Révoquer {count} de liens ?',
    other: 'Révoquer {count} liens ?',
  },
  'revoke.many': {
    one: 'Révoquer {count} lien',
    many: 'Révoquer {count} de liens',
    other: 'Révoquer {count} liens',
  },
  'revoke.done': 'Liens révoqués',
};
