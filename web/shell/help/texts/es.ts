import type { HelpMessages } from './en.ts';

export const es = {
  'send.question': '¿Cómo envío un archivo con contraseña?',
  'send.answer':
    'Elija «{create}» y después «{files}». Añada el archivo, escriba una contraseña o genere una, y cree el enlace. «{message}» copia un texto para su correo. Comunique la contraseña por otra vía, por ejemplo por teléfono. «{copyPassword}» solo está hasta que salga de la página.',
  'only.question': '¿Cómo hago que solo ciertas personas abran un enlace?',
  'only.answer':
    'Al crear el enlace, escriba sus direcciones de correo en «{who}». Para abrirlo, cada persona pide un código, que el servicio envía a esa dirección. El historial y el comprobante muestran entonces la dirección. Si no ve «{who}», este servicio no envía esos códigos.',
  'seen.question': '¿Cómo sé si se ha abierto?',
  'seen.answer':
    '«{create}» muestra sus últimos enlaces y si se han abierto; «{links}» los muestra todos. La página de un enlace dice también si el archivo se envió por completo. Cada apertura cuenta como visita, también la suya.',
  'previews.question': '¿Por qué aparecen vistas previas en el historial?',
  'previews.answer':
    'Una vista previa es un programa que solo miró el enlace, y eso no cuenta como visita. Pero muchos chats y filtros de correo obtienen el contenido de un enlace antes de que una persona lo abra, y eso cuenta como visita. Active «{confirm}» o ponga una contraseña, y no consumirán visitas.',
  'stop.question': '¿Puedo retirar un enlace?',
  'stop.answer':
    'Sí. En su página, elija «{revoke}» y no volverá a abrirse. O elija «{pause}» en «{more}» y más tarde «{resume}».',
  'password.question': 'He olvidado la contraseña de un enlace. ¿Qué hago?',
  'password.answer':
    'El servicio no guarda ninguna copia legible. En la página del enlace, elija «{edit}» y ponga una contraseña nueva.',
  'receive.question': '¿Cómo pido archivos a alguien?',
  'receive.answer':
    'Elija «{create}» y después «{request}», diga qué necesita, cree el enlace y envíelo. Quien lo tenga puede enviarle archivos sin cuenta y no ve lo que enviaron otras personas. Los archivos están en la página de ese enlace, en «{received}».',
  'prove.question': '¿Cómo demuestro más tarde que un enlace se abrió?',
  'prove.answer':
    'En su página, abra «{record}», imprímalo o guárdelo como PDF, y elija también «{export}». Guarde ambos o entréguelos a otra persona. Con ellos, cualquiera puede comprobar en «{verify}», sin cuenta, que nada ha cambiado.',
  'invite.question': '¿Cómo invito a un compañero?',
  'invite.answer':
    'Si ve «{people}» arriba, elíjalo y después «{add}». Recibe un enlace para enviar a su compañero, que con él establece su contraseña. Si no, pregunte al administrador.',
  'lists.question': '¿Dónde están los enlaces que he creado?',
  'lists.answer':
    'En «{links}». Los que creó con la sesión iniciada están ahí en todos sus dispositivos; los demás, solo en el navegador que los creó.',
  'secret.question': '¿Puede el administrador leer lo que envío?',
  'secret.answer':
    'Sí, salvo que active «{encrypt}». Entonces solo pueden leerlo quienes tengan la dirección completa o la frase de contraseña.',
  'further.question': '¿Quién más puede ayudarme?',
  'further.answer': 'El administrador de este servicio.',
} satisfies HelpMessages;
