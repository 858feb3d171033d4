import type { Translated } from '../../../src/common/translate.ts';
import type { en } from './en.ts';

export const es: Translated<typeof en> = {
  note: 'Solo es una nota: no limita quién puede abrir el enlace.',
  restrict: 'Solo estas personas pueden abrirlo',
  tooFewViews: 'Hay más destinatarios que visitas: no todos podrán abrir el enlace.',
  onlyFor: 'El enlace solo se abre para {addresses}, con un código que llega por correo al abrirlo.',
  notSent: 'Ahora envíeles el enlace.',
  noPassword: 'El correo no contiene la contraseña. Envíela por separado.',
  mailedCode: 'El enlace solo se abre con un código que llega por correo al abrirlo.',
  several: 'Separe varias direcciones con comas. Cada una recibe su propio correo.',
  cannotOpen: 'El enlace solo se abre para {named}, no para {others}.',
};
