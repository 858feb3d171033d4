import type { Translated } from '../../../src/common/translate.ts';
import type { en } from './en.ts';

export const es: Translated<typeof en> = {
  title: 'Destinatarios',
  sent: 'Enlace enviado',
  asked: 'Código solicitado',
  opened: 'Abierto',
  none: 'Nada todavía',
  noneLoaded: 'Nada en las entradas cargadas abajo',
  removed: 'Eliminado',
  more: '+ {count} más, en el historial guardado',
  partial: 'Según las entradas cargadas abajo.',
  what: 'Cualquiera puede pedir un código para una dirección. Solo «Abierto» indica que una persona con acceso a la dirección de correo abrió el enlace, y nada más.',
};
