import type { VerifyDictionary } from '../../translate.ts';

export const fr: VerifyDictionary = {
  'verify.title': 'Vérifier un historique',
  'verify.intro':
    'Cette page vérifie si l’historique exporté d’un lien est complet et inchangé. C’est votre navigateur qui le fait : les fichiers ne quittent pas cet appareil, et la page fonctionne sans connexion.',
  'verify.export': 'Historique exporté',
  'verify.exportHint':
    'Le fichier NDJSON de « Exporter l’historique ». Vous pouvez aussi le déposer sur cette page.',
  'verify.choose': 'Choisissez l’historique exporté.',
  'verify.fingerprint': 'Empreinte',
  'verify.fingerprintHint': 'Celle que vous avez conservée : du certificat, d’un e-mail ou d’un webhook.',
  'verify.fingerprintWrong':
    'Une empreinte comporte 64 caractères : les chiffres 0 à 9 et les lettres a à f. Copiez-les tous.',
  'verify.file': 'Fichier à comparer (facultatif)',
  'verify.fileHint': 'Si le lien mène à un fichier : le vôtre est-il celui qui a été envoyé ?',
  'verify.start': 'Vérifier',
  'verify.running': 'Vérification…',
  'verify.unreadable': 'Un fichier n’a pas pu être lu. Choisissez-le de nouveau.',
  'verify.passed': 'L’historique est complet et inchangé',
  'verify.consistent': 'Aucune modification trouvée, mais sans comparaison avec une empreinte',
  'verify.failed': 'L’historique ne correspond pas',
  'verify.notExported': 'Ce n’est pas un historique exporté',
  'verify.unchecked': 'L’historique ne peut pas être vérifié',
  'verify.limits':
    'Cela prouve quand et depuis quelle adresse le lien a été ouvert, mais pas qui utilisait cette adresse.',
  'verify.more': {
    one: 'et {count} autre constat',
    many: 'et {count} autres constats',
    other: 'et {count} autres constats',
  },
  'verify.notAnExport': 'Sur la page du lien, choisissez « Exporter l’historique (NDJSON) ».',
  'verify.lineChanged': 'La ligne {line} du fichier a été modifiée après l’export.',
  'verify.entry': 'Elle appartient à l’entrée {number}.',
  'verify.cutOff': 'Le fichier s’arrête au milieu de la ligne {line}. Exportez de nouveau l’historique.',
  'verify.otherLink': 'La ligne {line} appartient au lien {code}, et non à {expected}.',
  'verify.newerFormat':
    'La ligne {line} a un format plus récent, que cette page ne connaît pas. Utilisez la page d’une version plus récente du service.',
  'verify.missing': 'L’entrée {number} manque.',
  'verify.missingRange': 'Les entrées {first} à {last} manquent.',
  'verify.repeated': 'L’entrée {number} apparaît deux fois : l’une des deux a été ajoutée ou renumérotée.',
  'verify.appended': 'L’entrée {number} a été ajoutée au fichier après l’export.',
  'verify.appendedRange': 'Les entrées {first} à {last} ont été ajoutées au fichier après l’export.',
  'verify.filtered': 'Il a été exporté avec un filtre. Exportez-le sans filtre.',
  'verify.otherContent': {
    one: 'L’entrée {count} ne correspond pas à l’empreinte du fichier : elle a été modifiée.',
    many: 'Les entrées 1 à {count} ne correspondent pas à l’empreinte du fichier : au moins une a été modifiée.',
    other:
      'Les entrées 1 à {count} ne correspondent pas à l’empreinte du fichier : au moins une a été modifiée.',
  },
  'verify.unknownFingerprint':
    'Aucune entrée n’a votre empreinte : l’historique a été réécrit depuis, ou il appartient à un autre lien.',
  'verify.otherFile': '« {path} » n’est pas le fichier du lien : son SHA-256 est différent.',
  'verify.noFile': '« {path} » ne peut pas être comparé : l’historique ne désigne aucun fichier.',
  'verify.complete': {
    one: 'Lien {code} : {count} entrée est présente et inchangée. Elle date du {at}.',
    many: 'Lien {code} : les {count} entrées sont présentes et inchangées. La plus récente date du {at}.',
    other: 'Lien {code} : les {count} entrées sont présentes et inchangées. La plus récente date du {at}.',
  },
  'verify.isFingerprint': 'L’empreinte de l’entrée {number} est {fingerprint}.',
  'verify.erased': {
    one: '{count} entrée n’a pas de données personnelles : elles ont été effacées, ou la personne qui a exporté l’historique ne peut pas les voir. Un autre export qui les contient les prouve toujours.',
    many: '{count} entrées n’ont pas de données personnelles : elles ont été effacées, ou la personne qui a exporté l’historique ne peut pas les voir. Un autre export qui les contient les prouve toujours.',
    other:
      '{count} entrées n’ont pas de données personnelles : elles ont été effacées, ou la personne qui a exporté l’historique ne peut pas les voir. Un autre export qui les contient les prouve toujours.',
  },
  'verify.notCompared':
    'Sans une empreinte obtenue auparavant, cela prouve peu : toute personne qui a eu ce fichier avant vous aurait pu réécrire tout l’historique.',
  'verify.known':
    'Votre empreinte est celle de l’entrée {number}, du {at} : jusque-là, rien n’a changé depuis que vous l’avez.',
  'verify.severalFiles':
    '« {path} » n’a pas été comparé : ce lien avait plusieurs fichiers ; un ZIP ou un seul de ces fichiers ne peut pas être comparé.',
  'verify.formerFile': '« {path} » était le fichier du lien jusqu’à l’entrée {number}, qui l’a remplacé.',
  'verify.sameFile': '« {path} » est le fichier du lien : son SHA-256 est le même.',
};
