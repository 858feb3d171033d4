import type { ReceivedTexts } from './en.ts';

export const es: ReceivedTexts = {
  typedName: 'El remitente escribió este nombre. No se ha verificado.',
  request: 'Enviado para su solicitud de archivos:',
  note: 'Nota del remitente',
  access: 'Quién puede abrir estos archivos',
  anyone: 'Solo usted necesita esta dirección. Cualquiera que la tenga puede abrir los archivos.',
  anyoneWithPassword:
    'Solo usted necesita esta dirección. Cualquiera que la tenga y sepa la contraseña puede abrir los archivos.',
  anyoneEncrypted:
    'Solo usted necesita esta dirección. Cualquiera que la tenga puede descargar los archivos cifrados, pero solo su clave secreta los abre.',
  neverExpires: 'No caduca nunca.',
  expires: 'Caduca el {time}.',
  ending:
    'Cuando haya caducado o se haya revocado, los archivos tampoco se podrán descargar aquí: descárguelos antes.',
  setExpiry: 'Definir caducidad',
  changeExpiry: 'Cambiar caducidad',
};
