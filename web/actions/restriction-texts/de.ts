import type { Translated } from '../../../src/common/translate.ts';
import type { en } from './en.ts';

export const de: Translated<typeof en> = {
  note: 'Nur eine Notiz: Sie begrenzt nicht, wer den Link öffnen kann.',
  restrict: 'Nur diese Personen dürfen öffnen',
  tooFewViews: 'Es gibt mehr Empfänger als Aufrufe: Nicht alle können den Link öffnen.',
  onlyFor: 'Der Link öffnet sich nur für {addresses}, mit einem Code, der beim Öffnen per E-Mail kommt.',
  notSent: 'Senden Sie ihnen nun den Link.',
  noPassword: 'Die E-Mail enthält das Passwort nicht. Senden Sie es separat.',
  mailedCode: 'Der Link öffnet sich nur mit einem Code, der beim Öffnen per E-Mail kommt.',
  several: 'Trennen Sie mehrere Adressen durch Kommas. Jede erhält eine eigene E-Mail.',
  cannotOpen: 'Der Link öffnet sich nur für {named}, nicht für {others}.',
};
