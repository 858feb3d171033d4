import type { Translated } from '../../../src/common/translate.ts';
import type { en } from './en.ts';

export const de: Translated<typeof en> = {
  title: 'Empfänger',
  sent: 'Link gesendet',
  asked: 'Code angefordert',
  opened: 'Geöffnet',
  none: 'Noch nichts',
  noneLoaded: 'Nichts in den Einträgen, die unten geladen sind',
  removed: 'Entfernt',
  more: '+ {count} weitere, im gespeicherten Verlauf',
  partial: 'Nach den Einträgen, die unten geladen sind.',
  what: 'Jeder kann für eine Adresse einen Code anfordern. Nur „Geöffnet“ sagt, dass eine Person mit Zugriff auf die E-Mail-Adresse den Link geöffnet hat, und nicht mehr.',
};
