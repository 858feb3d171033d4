import { formatBytes } from '../../../src/common/format.ts';
import { chooseLocale, isLanguage } from '../../../src/common/languages.ts';

type Texts = Record<
  | 'again'
  | 'badLink'
  | 'choose'
  | 'damaged'
  | 'done'
  | 'ended'
  | 'failed'
  | 'insecure'
  | 'progress'
  | 'ready'
  | 'save'
  | 'saving'
  | 'tooLarge'
  | 'wrongKey',
  string
>;

/** The parts of the page that decrypts, and what it says. */
export type DecryptPage = ReturnType<typeof readPage>;

/** Returns the element of a selector, which the page has. */
export function find<Found extends Element = HTMLElement>(selector: string): Found {
  const found = document.querySelector<Found>(selector);
  if (!found) throw new Error(`the page has no ${selector}`);
  return found;
}

export function readPage(form: HTMLFormElement) {
  const texts = JSON.parse(form.dataset['encrypted'] ?? '{}') as Texts; // as the service wrote it
  const { lang } = document.documentElement;
  const locale = isLanguage(lang) ? chooseLocale(lang, navigator.languages) : lang;
  const button = find<HTMLButtonElement>('form .button-main');
  const progress = find('#progress');
  const status = find('[role=status]');
  const alert = find('[role=alert]');
  const say = (text: string): void => {
    status.textContent = text;
  };
  /** Shows an error; none for an empty text. */
  const fail = (text: string): void => {
    say('');
    progress.hidden = true;
    alert.hidden = text === '';
    alert.textContent = text;
  };
  /** Shows an error that a further try does not mend. */
  const refuse = (text: string): void => {
    fail(text);
    button.disabled = true;
  };
  const field = find<HTMLInputElement>('#key');
  const bar = find<HTMLProgressElement>('progress');
  const sizeBytes = Number(form.dataset['size']);
  const sizeOf = (bytes: number): string => formatBytes(bytes, locale);
  return { form, texts, sizeBytes, sizeOf, field, button, progress, bar, say, fail, refuse };
}
