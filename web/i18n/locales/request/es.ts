import type { RequestDictionary } from '../../translate.ts';

export const es: RequestDictionary = {
  'state.views': { one: '{count} envío', many: '{count} de envíos', other: '{count} envíos' },
  'state.viewsOf': {
    by: 'whole',
    one: '{count} de {whole} envío',
    many: '{count} de {whole} de envíos',
    other: '{count} de {whole} envíos',
  },
  'state.lastOpened': 'Último envío el {when}',
  'column.views': 'Envíos',
  'column.lastOpened': 'Último envío',
  'access.success': 'Archivos recibidos',
  'access.viewLimit': 'Límite de envíos alcanzado',
  'board.noViewsInPeriod': 'No hay envíos en este período.',
  views: 'Envíos',
  'views.limit': {
    one: '{count} envío como máximo',
    many: '{count} de envíos como máximo',
    other: '{count} envíos como máximo',
  },
  'views.once': 'Un envío',
  'views.field': { one: 'envío', many: 'de envíos', other: 'envíos' },
  'notifyEmail.hint': 'Un correo avisa cuando llegan archivos, como máximo una vez por minuto.',
  'linkState.active': 'Cualquiera que tenga este enlace puede enviar archivos.',
  'linkState.activePassword': 'Cualquiera que tenga este enlace y su contraseña puede enviar archivos.',
  'linkState.usedUp': 'Ya no admite archivos: se han agotado los envíos. Aumente su límite para recibir más.',
  'linkState.expired': 'Ha caducado y ya no admite archivos, salvo que se cambie su caducidad.',
  'linkState.revoked': 'Se ha revocado y ya no admite archivos.',
  'linkState.paused': 'Está en pausa y no admite archivos hasta que se reanude.',
  'linkState.scheduled': 'Solo admitirá archivos a partir de su fecha de inicio.',
  'entry.opened': 'Archivos recibidos',
  'entry.previewMeaning':
    'Vista previa: una solicitud que no envió archivos, como la vista previa en un chat o una visita a la página. No cuenta como envío.',
  'certificate.limits':
    'El historial muestra cuándo y desde qué dirección se enviaron archivos. No demuestra quién usaba esa dirección. Más información: {document} en una copia de Postern.',
  'edit.maxViews': 'Límite de envíos',
  'edit.maxViewsHint': {
    one: '{count} envío hasta ahora. Vacío: sin límite. Al alcanzar el límite, el enlace ya no admite archivos.',
    many: '{count} de envíos hasta ahora. Vacío: sin límite. Al alcanzar el límite, el enlace ya no admite archivos.',
    other:
      '{count} envíos hasta ahora. Vacío: sin límite. Al alcanzar el límite, el enlace ya no admite archivos.',
  },
  'edit.maxViewsTooLow': {
    one: '{count} envío hasta ahora: un límite inferior se guarda como {count} y el enlace ya no admite archivos.',
    many: '{count} de envíos hasta ahora: un límite inferior se guarda como {count} y el enlace ya no admite archivos.',
    other:
      '{count} envíos hasta ahora: un límite inferior se guarda como {count} y el enlace ya no admite archivos.',
  },
  'edit.pausedHint': 'Hasta que lo reanude, el enlace no admite archivos.',
  'code.hint':
    'El enlace continúa con una dirección nueva, con sus condiciones y los envíos restantes. El historial anterior y lo recibido se quedan en la dirección antigua, que deja de funcionar: comunique la nueva a quienes la necesiten.',
};
