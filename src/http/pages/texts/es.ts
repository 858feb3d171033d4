import type { Texts } from './texts.ts';

export const es: Texts = {
  notices: {
    NOT_FOUND: {
      title: 'Este enlace no existe',
      text: 'Compruebe que la dirección está completa, también las mayúsculas y minúsculas, o pregunte a quien se la dio.',
    },
    FILE_NOT_FOUND: {
      title: 'Falta el archivo',
      text: 'El enlace es correcto, pero su archivo no está. No se ha contado ninguna apertura. Avise a quien se lo dio.',
    },
    REVOKED: {
      title: 'Este enlace se ha retirado',
      text: 'Quien lo creó lo ha retirado y puede darle uno nuevo.',
    },
    EXPIRED: {
      title: 'Este enlace ha caducado',
      text: 'Su tiempo ha terminado. Quien se lo dio puede crear uno nuevo.',
    },
    VIEW_LIMIT_REACHED: {
      title: 'Este enlace está agotado',
      text: 'Solo podía abrirse un número limitado de veces y no queda ninguna. Quien se lo dio puede crear uno nuevo.',
    },
    UNEXPECTED_STATE: {
      title: 'Este enlace no está activo',
      text: 'Ya no se puede abrir. Quien se lo dio puede crear uno nuevo.',
    },
    FAULT: {
      title: 'Algo ha fallado por nuestra parte',
      text: 'El enlace no se ha podido abrir. Inténtelo de nuevo dentro de un momento.',
    },
    CROSS_SITE: {
      title: 'Otro sitio ha intentado abrir este enlace',
      text: 'Por seguridad no se ha abierto ni se ha contado ninguna apertura. Puede abrirlo usted.',
    },
    FORM: {
      title: 'No se ha podido leer',
      text: 'Lo enviado no es lo que envía la página. Vuelva atrás e inténtelo de nuevo.',
    },
  },
  redirect: {
    title: 'Está a punto de abrir un enlace',
    text: 'Lleva a otra página.',
    open: 'Abrir el enlace',
  },
  download: {
    title: 'Un archivo le espera',
    text: 'Se descarga en cuanto pulse el botón.',
    open: 'Descargar el archivo',
    started: 'La descarga ha comenzado.',
  },
  viewsLeft: {
    one: 'Queda {count} apertura',
    many: 'Quedan {count} de aperturas',
    other: 'Quedan {count} aperturas',
  },
  expires: 'Caduca el {time}',
  countsAsView: 'Abrirlo cuenta como una apertura.',
  password: {
    title: 'Este enlace tiene contraseña',
    text: 'Escriba la que recibió con él.',
    field: 'Contraseña',
    show: 'Mostrar la contraseña',
    open: 'Abrir',
    missing: 'Escriba la contraseña.',
    wrong: 'Esa no es la contraseña. Revise mayúsculas y minúsculas e inténtelo de nuevo.',
  },
  preview: { title: 'Un enlace para usted', text: 'Ábralo para ver qué es.' },
  openHere: 'Abrir el enlace',
  reference: 'Si vuelve a ocurrir, indique esta referencia a quien gestiona el servicio:',
};
