import './page.css';
import { formatBytes, formatDateTime } from '../../src/common/format.ts';
import { chooseLocale, isLanguage } from '../../src/common/languages.ts';

// The script of the visitor pages with a form or a time. It makes one press one attempt, reports a wrong password in place,
// and shows times in the visitor's time zone. Without JavaScript the pages work as plain forms.

function prepareMain(): void {
  const { lang } = document.documentElement;
  const locale = isLanguage(lang) ? chooseLocale(lang, navigator.languages) : lang;
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const times = [document, receipt()?.content].flatMap((part) => [...(part?.querySelectorAll('time') ?? [])]);
  for (const time of times) {
    const seconds = 'seconds' in time.dataset ? '2-digit' : '';
    time.textContent = formatDateTime(new Date(time.dateTime), locale, timeZone, seconds);
  }
  for (const button of document.querySelectorAll<HTMLElement>('[data-failed], [data-save-receipt]'))
    button.hidden = false;
  document.querySelector('[data-proof]')?.removeAttribute('open');
  const command = document.querySelector<HTMLElement>('[data-command]');
  if (command) showCommand(command);
  const toggle = document.querySelector<HTMLInputElement>('[data-show]');
  const field = passwordField();
  const label = toggle?.closest('label');
  if (!toggle || !field || !label) return;
  label.hidden = false;
  toggle.addEventListener('change', () => {
    field.type = toggle.checked ? 'text' : 'password';
  });
}

/** Completes the command that downloads a file with its address. */
function showCommand(box: HTMLElement): void {
  const { command: name = '' } = box.dataset;
  const address = new URL(encodeURIComponent(name), location.href);
  box.querySelector('code')?.append(`curl -C - -o "${name}" "${address}"`);
  box.hidden = false;
}

/** Returns the text of the receipt of sent files. */
function receipt(): HTMLTemplateElement | null {
  return document.querySelector<HTMLTemplateElement>('template[data-receipt]');
}

function passwordField(): HTMLInputElement | null {
  return document.querySelector<HTMLInputElement>('#password');
}

/** Removes the error of a password that is being corrected, and that of files when others are chosen. */
function clearError({ target }: Event): void {
  if (!(target instanceof HTMLInputElement) || target.type === 'checkbox') return;
  if (target.type === 'file') target.form?.querySelector('.field-error')?.replaceChildren();
  for (const name of ['aria-invalid', 'aria-describedby']) target.removeAttribute(name);
  document.querySelector('#error')?.remove();
}

/** Disables the buttons of a sent form, or enables them again: a second press would spend a view. */
function setResting(form: HTMLFormElement, isResting: boolean): void {
  for (const button of form.querySelectorAll('button')) {
    // A disabled button would lose the focus.
    if (isResting) button.setAttribute('aria-disabled', 'true');
    else button.removeAttribute('aria-disabled');
  }
}

function isResting(form: HTMLFormElement): boolean {
  return form.querySelector('[aria-disabled]') !== null;
}

/** Removes what described the page before: the number of views left. */
function removeOutdated(): void {
  for (const outdated of document.querySelectorAll('[data-before]')) outdated.remove();
}

/** Returns the fields of a form, and a further one. */
function bodyOf(form: HTMLFormElement, further: 'ask' | 'list'): URLSearchParams {
  const body = new FormData(form);
  body.set(further, 'true');
  return new URLSearchParams([...body].map(([name, value]) => [name, String(value)]));
}

/**
 * Spends the view of a download. The page becomes that of its lease, also for a reload, and the download starts there: it can
 * be continued and repeated without another view.
 */
async function download(form: HTMLFormElement): Promise<void> {
  const body = bodyOf(form, 'list');
  const response = await fetch(location.href, { method: 'POST', body, headers: { accept: 'text/html' } });
  if (response.redirected) history.replaceState(null, '', response.url);
  showPage(await response.text(), form);
  const link = document.querySelector<HTMLElement>('[data-again]');
  const status = document.querySelector<HTMLElement>('[data-started]');
  if (!link || !status) return;
  link.click();
  document.querySelector('[data-command]')?.removeAttribute('open');
  link.textContent = link.dataset['again'] ?? '';
  status.textContent = status.dataset['started'] ?? '';
}

/** What a visitor proves, which each form sends again. */
const PROOFS = ['password', 'recipientAddress', 'recipientCode'];

const findProof = (parent: ParentNode, name: string) =>
  parent.querySelector<HTMLInputElement>(`[name=${name}]`);

/** Replaces the page's content with that of another page. What the form proved stays in its fields, or in the form. */
function showPage(markup: string, sent: HTMLFormElement): void {
  const response = new DOMParser().parseFromString(markup, 'text/html');
  const main = response.querySelector('main');
  if (!main) {
    location.reload();
    return;
  }
  const proofs = PROOFS.map((name) => [name, findProof(sent, name)?.value ?? ''] as const);
  document.querySelector('main')?.replaceWith(document.adoptNode(main));
  document.title = response.title;
  prepareMain();
  const field = document.querySelector<HTMLInputElement>('input[autofocus]');
  for (const proof of proofs) keepProof(...proof);
  // The policy of this page has the hashes of those scripts, as of its own.
  for (const { textContent } of response.querySelectorAll('script[data-further]'))
    document.body.append(Object.assign(document.createElement('script'), { textContent }));
  field?.select();
  (field ?? document.querySelector('h1'))?.focus();
}

/** Lets the form of the page send again what was proven. A page that asks for it anew shows it in its field. */
function keepProof(name: string, value: string): void {
  if (value === '') return;
  const known = findProof(document, name);
  if (known) {
    known.value = value;
    for (const part of document.querySelectorAll<HTMLElement>('[data-password]')) part.hidden = true;
    return;
  }
  const hidden = Object.assign(document.createElement('input'), { type: 'hidden', name, value });
  document.querySelector('form')?.append(hidden);
}

/**
 * Checks the password with a dry run, which spends no view. Then submits the form itself, or shows the page that comes
 * before: with the views that are left, or with the name of the file that is downloaded.
 */
async function checkAndSubmit(form: HTMLFormElement): Promise<void> {
  const response = await fetch(location.href, {
    method: 'POST',
    body: bodyOf(form, 'ask'),
    headers: { accept: 'text/html' },
    redirect: 'manual', // an ended link may lead elsewhere, where only a navigation can go
  });
  const isPage = response.headers.get('content-type')?.startsWith('text/html');
  if (response.type === 'opaqueredirect' || (response.ok && !isPage)) return form.submit();
  showPage(await response.text(), form);
  if (response.ok) document.querySelector<HTMLFormElement>('[data-now]')?.requestSubmit();
}

/** Sends the files of a file request, and shows the receipt. */
async function send(form: HTMLFormElement): Promise<void> {
  try {
    const ended = await globalThis.sendFiles?.(form);
    if (ended) {
      showPage(ended.markup, form);
      return listEncrypted(ended.files);
    }
  } catch {
    const status = form.querySelector('[role=status]');
    if (status) status.textContent = form.dataset['sendFailed'] ?? '';
    status?.classList.add('field-error');
  }
  setResting(form, false);
}

/** Lists the encrypted files on the receipt. The service does not know them. */
function listEncrypted(files: { name: string; size: number }[]): void {
  const locale = document.documentElement.lang;
  const items = files.map(({ name, size }) => {
    const parts = [name, formatBytes(size, locale)].map((text, index) =>
      Object.assign(document.createElement(index === 0 ? 'bdi' : 'span'), { textContent: text }),
    );
    const item = document.createElement('li');
    item.append(...parts);
    return item;
  });
  document.querySelector('[data-encrypted]')?.replaceChildren(...items);
  const names = files.map(({ name, size }) => `${name}, ${formatBytes(size, locale)}\n`);
  receipt()
    ?.content.querySelector('[data-names]')
    ?.append(...names, '\n');
}

/** Saves the text of a receipt as a file. */
function saveReceipt(): void {
  const text = receipt();
  if (!text) return;
  const href = URL.createObjectURL(new Blob([text.content.textContent], { type: 'text/plain' }));
  Object.assign(document.createElement('a'), { href, download: text.dataset['receipt'] ?? '' }).click();
  URL.revokeObjectURL(href);
}

/** Copies the text of the page, and reports the result. Selects the text where the browser does not allow it. */
async function copyText({ dataset }: HTMLElement): Promise<void> {
  const text = document.querySelector('#text');
  if (!text) return;
  let isCopied = false;
  try {
    await navigator.clipboard.writeText(text.textContent);
    isCopied = true;
  } catch {
    // Browsers offer no clipboard over plain HTTP, except on localhost.
    getSelection()?.selectAllChildren(text);
    isCopied = document.execCommand('copy');
  }
  const status = document.querySelector('[role=status]:not([data-started])');
  if (status) status.textContent = dataset[isCopied ? 'copied' : 'failed'] ?? '';
}

addEventListener('submit', (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement)) return;
  const wasResting = isResting(form);
  const needsCheck = 'ask' in form.dataset;
  const sends = 'request' in form.dataset;
  const wantsCommand = event.submitter instanceof HTMLButtonElement && event.submitter.name !== '';
  const loads = 'load' in form.dataset && !wantsCommand;
  if (wasResting || needsCheck || sends || loads) event.preventDefault();
  if (wasResting) return;
  setResting(form, true);
  if (sends) void send(form);
  else if (needsCheck) checkAndSubmit(form).catch(() => form.submit());
  else if (loads) download(form).catch(() => location.reload());
  else if (!wantsCommand) removeOutdated();
});
addEventListener('input', clearError);
addEventListener('click', ({ target }) => {
  if (target instanceof HTMLElement && target.matches('[data-failed]')) void copyText(target);
  if (target instanceof HTMLElement && target.matches('[data-save-receipt]')) saveReceipt();
});
addEventListener('pageshow', ({ persisted }) => {
  // The visitor came back from the target to a page that the browser had set aside.
  if (!persisted) return;
  for (const form of document.forms) {
    setResting(form, false);
    form.querySelector('[role=status]')?.replaceChildren();
  }
});
prepareMain();
