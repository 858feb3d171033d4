import type { VerifyMessages } from './en.ts';

export const pt = {
  intro:
    'Veja se um link foi aberto e se o histórico salvo foi alterado depois. Seu navegador faz o trabalho: nenhum arquivo sai deste dispositivo, e a página funciona sem conexão.',
  export: 'Histórico salvo',
  exportHint:
    'Um arquivo que termina em .ndjson. O proprietário do link o salva a partir do comprovante. Você também pode soltá-lo nesta página.',
  choose: 'Escolha o histórico salvo.',
  chooseFile: 'Escolher arquivo',
  compare: 'Comparar uma impressão digital, um arquivo ou um ponto de verificação (opcional)',
  fingerprint: 'Impressão digital',
  fingerprintHint:
    '64 dígitos e letras, do comprovante do link, de um e-mail ou de um webhook. Com ela, também se vê se todo o histórico foi reescrito.',
  fingerprintWrong:
    'Uma impressão digital tem 64 caracteres: os dígitos 0 a 9 e as letras a até f. Copie todos.',
  file: 'Arquivo para comparar',
  fileHint: 'Se o link leva a um arquivo: o seu é o que foi enviado?',
  start: 'Verificar',
  running: 'Verificando…',
  unreadable: 'Não foi possível ler um arquivo. Escolha-o novamente.',
  passed: 'O histórico está completo e inalterado',
  passedUpTo: 'Inalterado até o registro {number}',
  consistent: 'Completo, nenhuma alteração encontrada',
  unconfirmed: 'Completo, nenhuma alteração encontrada; o que você informou não confirma isso',
  failed: 'A verificação falhou: não confie neste histórico',
  otherFingerprint: 'Este histórico não contém a sua impressão digital',
  savedAt: 'Segundo este arquivo, ele foi salvo em {at}. O que aconteceu depois não está nele.',
  notExported: 'Este não é um histórico salvo',
  unchecked: 'O histórico não pode ser verificado',
  timeline: 'O que aconteceu',
  entries: 'Todos os registros, do mais antigo ao mais recente',
  savedName: '{sender}; no histórico salvo: {saved}',
  checked: 'O que foi verificado',
  fileTitle: 'O arquivo',
  noCompared: 'Nenhum arquivo foi comparado. Escolha o seu para verificar se foi enviado:',
  setOfFiles:
    'O link leva a vários arquivos, mas este histórico salvo não os lista: nenhum pode ser comparado.',
  fileDiffers: 'O histórico está intacto, mas o arquivo é outro',
  notProved: 'O que isto não prova',
  notWho: 'Quem abriu o link: várias pessoas podem compartilhar um endereço IP ou uma caixa de entrada.',
  notRead:
    'Que alguém o recebeu ou leu: “enviado por completo” significa que o serviço enviou todos os bytes.',
  notSender:
    'Quem enviou os arquivos: várias pessoas podem compartilhar um endereço IP, e os próprios remetentes digitam seus nomes.',
  notWhich: 'Quais arquivos chegaram: isso está no histórico de cada envio, que se verifica da mesma forma.',
  notDownloader: 'Quem baixou os arquivos e se alguém os leu.',
  notClock: 'Que o relógio do serviço estava certo.',
  notLater: 'O que você informou não abrange os registros posteriores, que podem ter sido reescritos.',
  more: {
    one: 'e mais {count} ocorrência',
    many: 'e mais {count} ocorrências',
    other: 'e mais {count} ocorrências',
  },
  notAnExport:
    'Escolha o arquivo que termina em .ndjson. O proprietário do link o salva a partir do comprovante: peça-o a ele.',
  lineChanged: 'A linha {line} do arquivo foi alterada depois de salvo.',
  entry: 'Ela pertence ao registro {number}.',
  lineTooLong: 'A linha {line} é longa demais para ser verificada aqui.',
  cutOff: 'O arquivo termina no meio da linha {line}. Salve o histórico novamente.',
  otherLink: 'A linha {line} pertence ao link {code}, não a {expected}.',
  newerFormat:
    'A linha {line} tem um formato mais novo, que esta página não conhece. Use a página de uma versão mais nova do serviço.',
  missing: 'Falta o registro {number}.',
  missingRange: 'Faltam os registros {first} a {last}.',
  repeated: 'O registro {number} aparece duas vezes: um dos dois foi incluído ou renumerado.',
  appended: 'O registro {number} foi incluído no arquivo depois de salvo.',
  appendedRange: 'Os registros {first} a {last} foram incluídos no arquivo depois de salvo.',
  filtered: 'Ele foi exportado com um filtro. Exporte-o sem filtro.',
  otherContent: {
    one: 'O registro {count} não confere com a impressão digital do arquivo: ele foi alterado.',
    many: 'Os registros 1 a {count} não conferem com a impressão digital do arquivo: pelo menos um foi alterado.',
    other:
      'Os registros 1 a {count} não conferem com a impressão digital do arquivo: pelo menos um foi alterado.',
  },
  unknownFingerprint:
    'Nenhum registro tem a sua impressão digital. Se ela for mais recente que este arquivo, peça um histórico salvo depois. Senão, o histórico foi reescrito desde então ou é de outro link.',
  otherFile: {
    one: '“{path}” não é o arquivo do link: o SHA-256 é diferente.',
    many: '“{path}” não é nenhum dos {count} arquivos do link: nenhum SHA-256 é o mesmo.',
    other: '“{path}” não é nenhum dos {count} arquivos do link: nenhum SHA-256 é o mesmo.',
  },
  noFile: '“{path}” não pode ser comparado: o histórico não cita nenhum arquivo.',
  complete: {
    one: 'Link {code}: {count} registro está presente e inalterado. Ele é de {at}.',
    many: 'Link {code}: todos os {count} registros estão presentes e inalterados. O mais recente é de {at}.',
    other: 'Link {code}: todos os {count} registros estão presentes e inalterados. O mais recente é de {at}.',
  },
  isFingerprint: 'A impressão digital do registro {number} é {fingerprint}.',
  erased: {
    one: '{count} registro não tem dados pessoais: foram apagados, ou quem salvou o histórico não pode vê-los. Outro arquivo que os contém ainda os prova.',
    many: '{count} registros não têm dados pessoais: foram apagados, ou quem salvou o histórico não pode vê-los. Outro arquivo que os contém ainda os prova.',
    other:
      '{count} registros não têm dados pessoais: foram apagados, ou quem salvou o histórico não pode vê-los. Outro arquivo que os contém ainda os prova.',
  },
  notCompared:
    'Que ninguém refez todo o histórico antes de você receber este arquivo. Para descartar isso, informe acima uma impressão digital obtida antes: ela está no comprovante do link, nos e-mails e nos webhooks.',
  known:
    'A sua impressão digital é a do registro {number}, de {at}: até ali nada mudou desde que você a recebeu.',
  severalFiles:
    '“{path}” não foi comparado: o link tinha vários arquivos que este histórico salvo não lista.',
  formerFile: '“{path}” era o arquivo do link até o registro {number}, que o substituiu.',
  sameFile: '“{path}” é o arquivo do link: o SHA-256 é o mesmo.',
  oneOfFiles: '“{path}” é “{name}”, um dos arquivos do link: o SHA-256 é o mesmo.',
  zip: '“{path}” não foi comparado: só é possível comparar arquivos avulsos. Descompacte o ZIP e compare cada arquivo.',
  files: 'Os nomes, tamanhos e SHA-256 dos {count} arquivos estão na lista cujo SHA-256 consta no histórico.',
  otherList: 'A lista de arquivos da linha 1 foi alterada depois que o histórico foi salvo.',
  kept: 'Pontos de verificação e chaves que você guardou',
  keptHint:
    'Cole um após o outro: o ponto de verificação de um comprovante ou de /checkpoint, a chave do log, a chave de uma testemunha.',
  checkpointWrong:
    'O ponto de verificação do arquivo não corresponde a este histórico: um dos dois foi alterado.',
  noCheckpoint: 'O arquivo não tem ponto de verificação para comparar com o seu. Salve o histórico de novo.',
  keptUnreadable:
    'Uma parte não pode ser lida. Copie de novo, da primeira à última linha. Isso não diz nada sobre o histórico.',
  keptWrong:
    'Uma parte do que você guardou tem uma assinatura errada. Copie de novo, da primeira à última linha.',
  keptTooLong: 'O que você guardou tem mais de {count} caracteres. Deixe de fora o que não for deste log.',
  otherKey: 'O histórico está assinado com uma chave diferente da que você guardou: pode ser de outro log.',
  notCosigned:
    'A testemunha {witness} não assinou este ponto de verificação. Se ela não estava acessível naquele momento, salve o histórico de novo mais tarde.',
  notConnected:
    'Seu ponto de verificação de {size} registros não foi comparado. Abra {path} no serviço do link em um navegador e cole também o texto exibido.',
  nothingCompared: 'Nenhum ponto de verificação ou prova que você guardou foi comparado com este histórico.',
  fork: 'Seu ponto de verificação de {size} registros contradiz este histórico: registros foram alterados ou removidos, ou há dois logs.',
  dropped: 'Você guardou uma prova do registro {number}, que falta aqui: registros foram removidos.',
  rewritten: 'O registro {number} não é o da sua prova: o histórico foi reescrito.',
  covered:
    'Até o registro {number}, o histórico está no ponto de verificação assinado de {size} registros do log {origin}.',
  later: 'Os registros {first} a {last} são mais novos que o ponto de verificação, que não os abrange.',
  keyNotCompared: 'A chave do log é {key}. Compare-a com uma que você obteve de outra fonte.',
  cosigned:
    'A testemunha {witness} assinou este ponto de verificação em {at}. Isso não mostra se o histórico foi reescrito antes.',
  keptProof: 'Até o registro {number}, o histórico é o da prova que você guardou.',
  vouched:
    'Até o registro {number}, o histórico estava no log quando o seu ponto de verificação de {size} registros foi assinado.',
  enteredLater:
    'O registro {number} chegou ao log depois do seu ponto de verificação de {size} registros, que não mostra se o histórico anterior a ele foi reescrito.',
} satisfies VerifyMessages;
