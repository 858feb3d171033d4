import type { VerifyDictionary } from '../../translate.ts';

export const pt: VerifyDictionary = {
  'verify.title': 'Verificar um histórico',
  'verify.intro':
    'Esta página verifica se o histórico exportado de um link está completo e inalterado. Quem faz isso é o seu navegador: os arquivos não saem deste dispositivo, e a página funciona sem conexão.',
  'verify.export': 'Histórico exportado',
  'verify.exportHint':
    'O arquivo NDJSON de “Exportar histórico”. Você também pode arrastá-lo para esta página.',
  'verify.choose': 'Escolha o histórico exportado.',
  'verify.fingerprint': 'Impressão digital',
  'verify.fingerprintHint': 'A que você guardou: do certificado, de um e-mail ou de um webhook.',
  'verify.fingerprintWrong':
    'Uma impressão digital tem 64 caracteres: os dígitos 0 a 9 e as letras a até f. Copie todos.',
  'verify.file': 'Arquivo para comparar (opcional)',
  'verify.fileHint': 'Se o link leva a um arquivo: o seu é o que foi enviado?',
  'verify.start': 'Verificar',
  'verify.running': 'Verificando…',
  'verify.unreadable': 'Não foi possível ler um arquivo. Escolha-o novamente.',
  'verify.passed': 'O histórico está completo e inalterado',
  'verify.consistent': 'Nenhuma alteração encontrada, mas sem comparação com uma impressão digital',
  'verify.failed': 'O histórico não confere',
  'verify.notExported': 'Este não é um histórico exportado',
  'verify.unchecked': 'O histórico não pode ser verificado',
  'verify.limits':
    'Isso prova quando e de qual endereço o link foi aberto. Não prova quem usava esse endereço.',
  'verify.more': {
    one: 'e mais {count} ocorrência',
    many: 'e mais {count} ocorrências',
    other: 'e mais {count} ocorrências',
  },
  'verify.notAnExport': 'Na página do link, escolha “Exportar histórico (NDJSON)”.',
  'verify.lineChanged': 'A linha {line} do arquivo foi alterada depois da exportação.',
  'verify.entry': 'Ela pertence ao registro {number}.',
  'verify.cutOff': 'O arquivo termina no meio da linha {line}. Exporte o histórico novamente.',
  'verify.otherLink': 'A linha {line} pertence ao link {code}, não a {expected}.',
  'verify.newerFormat':
    'A linha {line} tem um formato mais novo, que esta página não conhece. Use a página de uma versão mais nova do serviço.',
  'verify.missing': 'Falta o registro {number}.',
  'verify.missingRange': 'Faltam os registros {first} a {last}.',
  'verify.repeated': 'O registro {number} aparece duas vezes: um dos dois foi incluído ou renumerado.',
  'verify.appended': 'O registro {number} foi incluído no arquivo depois da exportação.',
  'verify.appendedRange': 'Os registros {first} a {last} foram incluídos no arquivo depois da exportação.',
  'verify.filtered': 'Ele foi exportado com um filtro. Exporte-o sem filtro.',
  'verify.otherContent': {
    one: 'O registro {count} não confere com a impressão digital do arquivo: ele foi alterado.',
    many: 'Os registros 1 a {count} não conferem com a impressão digital do arquivo: pelo menos um foi alterado.',
    other:
      'Os registros 1 a {count} não conferem com a impressão digital do arquivo: pelo menos um foi alterado.',
  },
  'verify.unknownFingerprint':
    'Nenhum registro tem a sua impressão digital: o histórico foi reescrito desde então ou é de outro link.',
  'verify.otherFile': '“{path}” não é o arquivo do link: o SHA-256 é diferente.',
  'verify.noFile': '“{path}” não pode ser comparado: o histórico não cita nenhum arquivo.',
  'verify.complete': {
    one: 'Link {code}: {count} registro está presente e inalterado. Ele é de {at}.',
    many: 'Link {code}: todos os {count} registros estão presentes e inalterados. O mais recente é de {at}.',
    other: 'Link {code}: todos os {count} registros estão presentes e inalterados. O mais recente é de {at}.',
  },
  'verify.isFingerprint': 'A impressão digital do registro {number} é {fingerprint}.',
  'verify.erased': {
    one: '{count} registro não tem dados pessoais: foram apagados, ou quem exportou o histórico não pode vê-los. Outra exportação que os contém ainda os prova.',
    many: '{count} registros não têm dados pessoais: foram apagados, ou quem exportou o histórico não pode vê-los. Outra exportação que os contém ainda os prova.',
    other:
      '{count} registros não têm dados pessoais: foram apagados, ou quem exportou o histórico não pode vê-los. Outra exportação que os contém ainda os prova.',
  },
  'verify.notCompared':
    'Sem uma impressão digital obtida antes, isso prova pouco: quem teve este arquivo antes de você poderia ter reescrito todo o histórico.',
  'verify.known':
    'A sua impressão digital é a do registro {number}, de {at}: até ali nada mudou desde que você a recebeu.',
  'verify.severalFiles':
    '“{path}” não foi comparado: este link tinha vários arquivos; não é possível comparar um ZIP nem um único deles.',
  'verify.formerFile': '“{path}” era o arquivo do link até o registro {number}, que o substituiu.',
  'verify.sameFile': '“{path}” é o arquivo do link: o SHA-256 é o mesmo.',
};
