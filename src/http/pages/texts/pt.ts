import type { Texts } from './texts.ts';

export const pt: Texts = {
  notices: {
    NOT_FOUND: {
      title: 'Este link não existe',
      text: 'Verifique se o endereço está completo, também maiúsculas e minúsculas, ou pergunte a quem o deu a você.',
    },
    FILE_NOT_FOUND: {
      title: 'O arquivo não foi encontrado',
      text: 'O link está certo, mas o arquivo dele não está lá. Nenhuma abertura foi contada. Avise quem o deu a você.',
    },
    REVOKED: {
      title: 'Este link foi retirado',
      text: 'Quem o criou o retirou e pode dar um novo a você.',
    },
    EXPIRED: {
      title: 'Este link expirou',
      text: 'O tempo dele acabou. Quem o deu a você pode criar um novo.',
    },
    VIEW_LIMIT_REACHED: {
      title: 'Este link está esgotado',
      text: 'Só podia ser aberto um número limitado de vezes, e não resta nenhuma. Quem o deu a você pode criar um novo.',
    },
    UNEXPECTED_STATE: {
      title: 'Este link não está ativo',
      text: 'Ele não pode mais ser aberto. Quem o deu a você pode criar um novo.',
    },
    FAULT: {
      title: 'Algo deu errado do nosso lado',
      text: 'Não foi possível abrir o link. Tente de novo dentro de um momento.',
    },
    CROSS_SITE: {
      title: 'Outro site tentou abrir este link',
      text: 'Por segurança, ele não foi aberto e nenhuma abertura foi contada. Você mesmo pode abri-lo.',
    },
    FORM: {
      title: 'Não foi possível ler o envio',
      text: 'O que foi enviado não é o que a página envia. Volte e tente de novo.',
    },
  },
  redirect: {
    title: 'Você está prestes a abrir um link',
    text: 'Ele leva a outra página.',
    open: 'Abrir o link',
  },
  download: {
    title: 'Um arquivo espera por você',
    text: 'Ele é baixado assim que você tocar no botão.',
    open: 'Baixar o arquivo',
    started: 'O download começou.',
  },
  viewsLeft: {
    one: 'Resta {count} abertura',
    many: 'Restam {count} de aberturas',
    other: 'Restam {count} aberturas',
  },
  expires: 'Expira em {time}',
  countsAsView: 'Abri-lo conta como uma abertura.',
  password: {
    title: 'Este link tem senha',
    text: 'Digite a que você recebeu com ele.',
    field: 'Senha',
    show: 'Mostrar a senha',
    open: 'Abrir',
    missing: 'Digite a senha.',
    wrong: 'Essa não é a senha. Verifique maiúsculas e minúsculas e tente de novo.',
  },
  preview: { title: 'Um link para você', text: 'Abra-o para ver o que é.' },
  openHere: 'Abrir o link',
  reference: 'Se acontecer de novo, informe esta referência a quem cuida do serviço:',
};
