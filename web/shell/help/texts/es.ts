import type { HelpMessages } from './en.ts';

export const es = {
  'send.question': '¿Cómo envío un archivo a una persona?',
  'send.answer':
    'Elija «{create}», añada el archivo y copie el enlace. Si es confidencial, ponga una contraseña y permita una sola visita. Comunique la contraseña por otra vía, por ejemplo por teléfono.',
  'seen.question': '¿Cómo sé si se ha abierto?',
  'seen.answer':
    'Abra la página del enlace desde «{links}». La primera frase dice cuántas veces y cuándo se abrió, y si el archivo se envió por completo.',
  'previews.question': '¿Por qué aparecen vistas previas en el historial?',
  'previews.answer':
    'Los filtros de correo y los chats consultan una dirección antes que una persona. Eso no cuenta como visita. Si un enlace solo se puede abrir una vez, active «{confirm}».',
  'stop.question': '¿Puedo retirar un enlace?',
  'stop.answer': 'Sí. En su página, revóquelo y no volverá a abrirse; o páuselo y reanúdelo más tarde.',
  'password.question': 'He olvidado la contraseña de un enlace. ¿Qué hago?',
  'password.answer':
    'El servicio no guarda ninguna copia legible. Edite el enlace y ponga una contraseña nueva.',
  'receive.question': '¿Cómo pido archivos a alguien?',
  'receive.answer':
    'Elija «{create}» y después «{request}». Las personas que tengan ese enlace pueden enviarle archivos. No ven lo que enviaron otras.',
  'prove.question': '¿Cómo demuestro más tarde que un enlace se abrió?',
  'prove.answer':
    'En su página, elija «{record}» y entréguelo a otra persona, o guárdelo en un lugar seguro. Elija también «{export}». Con ambos, cualquiera puede comprobar en «{verify}» que nada ha cambiado.',
  'lists.question': '¿Dónde están los enlaces que he creado?',
  'lists.answer':
    'Los que creó con la sesión iniciada están en «{links}» en todos sus dispositivos. Los demás solo están en el navegador que los creó.',
  'secret.question': '¿Puede el administrador leer lo que envío?',
  'secret.answer':
    'Sí, salvo que lo cifre. Entonces solo pueden leerlo quienes tengan la dirección completa.',
  'further.question': '¿Quién más puede ayudarme?',
  'further.answer': 'El administrador de este servicio.',
} satisfies HelpMessages;
