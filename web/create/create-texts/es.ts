import type { Translated } from '../../../src/common/translate.ts';
import type { en } from './en.ts';

export const es: Translated<typeof en> = {
  'unfinished.title': 'Subida sin terminar',
  'unfinished.offer': 'La subida de «{name}» se detuvo en el {percent}.',
  'unfinished.choose': {
    one: 'Elija de nuevo el mismo archivo para continuar.',
    many: 'Elija de nuevo los mismos {count} archivos para continuar.',
    other: 'Elija de nuevo los mismos {count} archivos para continuar.',
  },
  'unfinished.other': 'Los archivos elegidos no son los mismos.',
  'unfinished.continues': 'La subida de «{name}» continúa en el {percent}.',
  'unfinished.discard': 'Descartar subida',
  'request.example': 'Por ejemplo: el contrato firmado en PDF',
  'request.limits': 'Límites por envío',
  'request.unitFiles': 'archivos',
  'request.unitMegabytes': 'MB',
  'request.encryptTo': 'Cifrar para su clave pública',
  'request.encryptToHint':
    'Así solo usted puede descifrar los archivos: el navegador del remitente los cifra para esta clave, y este servicio no puede leerlos.',
  'request.keyHow': 'Cómo obtener una clave y descifrar archivos',
  'request.keyMake':
    'Este comando del programa age (age-encryption.org) crea una clave. Pegue arriba la clave pública que muestra y guarde bien el archivo key.txt: sin él, los archivos se pierden.',
  'request.keyOpen': 'Cada uno de estos comandos descifra lo recibido. LINK es su dirección.',
  'request.keyInvalid': 'Introduzca una clave pública de age, que empieza por age1.',
  'request.keySecret': 'Esta es su clave secreta. No la comparta; pegue la clave pública.',
  'text.label': 'Su texto',
  'text.oneLine': 'Ocultar al escribir',
  'text.oneLineHint': 'Para una contraseña u otro secreto de una línea.',
  'encrypt.hint':
    'Este servicio no puede leer lo que envía, ni siquiera los nombres de los archivos. Dé un nombre al enlace para volver a encontrarlo.',
  'encrypt.needsHttps': 'Necesita una conexión por HTTPS.',
  'passphrase.hint':
    'Envíela al destinatario por separado. Si deja el campo vacío, la clave está en el enlace.',
  'otherApps.bookmark': 'Enlace con {name}',
  'otherApps.drag':
    'Arrastre este botón a la barra de marcadores. En cualquier página, el marcador abre este formulario con la dirección y el título de esa página.',
  'otherApps.install':
    'En Android, instale esta página como aplicación. Después aparece entre las aplicaciones al compartir.',
  atOnce:
    'Los chats y los filtros de correo que abren este enlace reciben el archivo, y cada uno cuenta como visita.',
  noAddress: 'Su cuenta no tiene dirección de correo.',
  addAddress: 'Añadirla en Personas',
  askAddress: 'El administrador puede añadirla.',
};
