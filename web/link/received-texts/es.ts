import type { ReceivedTexts } from './en.ts';

export const es: ReceivedTexts = {
  typedName: 'El remitente escribió este nombre. No se ha verificado.',
  request: 'Enviado para su solicitud de archivos:',
  note: 'Nota del remitente',
  access: 'Quién puede abrir estos archivos',
  anyone:
    'Tienen esta dirección quienes pueden ver esta página y quienes recibieron un comprobante o un historial guardado de ella; el remitente no la tiene. Cualquiera que la reciba puede abrir los archivos.',
  anyoneWithPassword:
    'Tienen esta dirección quienes pueden ver esta página y quienes recibieron un comprobante o un historial guardado de ella; el remitente no la tiene. Cualquiera que reciba la dirección y la contraseña puede abrir los archivos.',
  anyoneEncrypted:
    'Tienen esta dirección quienes pueden ver esta página y quienes recibieron un comprobante o un historial guardado de ella; el remitente no la tiene. Cualquiera que la reciba puede descargar los archivos cifrados, pero solo su clave secreta los abre.',
  neverExpires: 'No se ha definido ninguna caducidad.',
  expires: 'Caduca el {time}.',
  ending:
    'Cuando haya caducado o se haya revocado, los archivos tampoco se podrán descargar aquí: descárguelos antes.',
  setExpiry: 'Definir caducidad',
  changeExpiry: 'Cambiar caducidad',
  downloadRecorded:
    'Sus propias descargas también cuentan. El historial no muestra quién descargó: sin contraseña, para ello basta la dirección de un envío.',
};
