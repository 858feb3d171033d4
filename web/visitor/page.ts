import './page.css';
import { formatDateTime } from '../../src/i18n/format.ts';
import { chooseLocale, isLanguage } from '../../src/i18n/languages.ts';

// The script of the visitor pages with a form. It makes one press one attempt, reports a wrong password in place,
// and shows times in the visitor's time zone. Without JavaScript the pages work as plain forms.

/** After so long a form can be sent again: a response that is a file leaves the page where it is. */
const BUSY_MS = 4000;

function prepareMain(): void {
  const { lang } = document.documentElement;
  const locale = isLanguage(lang) ? chooseLocale(lang, navigator.languages) : lang;
  for (const time of document.querySelectorAll('time')) {
    time.textContent = formatDateTime(new Date(time.dateTime), locale);
  }
  const toggle = document.querySelector<HTMLInputElement>('[data-show]');
  const field = passwordField();
  const label = toggle?.closest('label');
  if (!toggle || !field || !label) return;
  label.hidden = false;
  toggle.addEventListener('change', () => {
    field.type = toggle.checked ? 'text' : 'password';
  });
}

function passwordField(): HTMLInputElement | null {
  return document.querySelector<HTMLInputElement>('#password');
}

function clearBusyLater(form: HTMLFormElement): void {
  setTimeout(() => form.removeAttribute('aria-busy'), BUSY_MS);
}

function showStarted(form: HTMLFormElement): void {
  const status = form.querySelector<HTMLElement>('[role=status]');
  if (status) status.textContent = status.dataset['started'] ?? '';
  // The number of views left has changed.
  for (const outdated of document.querySelectorAll('[data-views]')) outdated.remove();
}

/** Replaces the page's content with that of an error page. The typed password stays in its field. */
function showErrorPage(markup: string): void {
  const response = new DOMParser().parseFromString(markup, 'text/html');
  const main = response.querySelector('main');
  if (!main) {
    location.reload();
    return;
  }
  const typed = passwordField()?.value ?? '';
  document.querySelector('main')?.replaceWith(document.adoptNode(main));
  document.title = response.title;
  prepareMain();
  const field = passwordField();
  if (field) field.value = typed;
  field?.select();
  (field ?? document.querySelector('h1'))?.focus();
}

/** Checks the password with a dry run, which spends no view, and then submits the form itself. */
async function checkAndSubmit(form: HTMLFormElement): Promise<void> {
  const body = new FormData(form);
  body.set('ask', 'true');
  const response = await fetch(location.href, {
    method: 'POST',
    body: new URLSearchParams([...body].map(([name, value]) => [name, String(value)])),
    headers: { accept: 'text/html' },
  });
  if (!response.ok) return showErrorPage(await response.text());
  const { type }: { type: string } = await response.json();
  form.submit();
  clearBusyLater(form);
  if (type === 'DOWNLOAD') showStarted(form);
}

addEventListener('submit', (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement)) return;
  const isBusy = form.hasAttribute('aria-busy');
  const needsCheck = 'ask' in form.dataset;
  if (isBusy || needsCheck) event.preventDefault();
  if (isBusy) return;
  form.setAttribute('aria-busy', 'true');
  if (needsCheck) {
    checkAndSubmit(form).catch(() => {
      form.submit();
      clearBusyLater(form);
    });
  } else {
    clearBusyLater(form);
    showStarted(form);
  }
});
prepareMain();
