import { continuationOf, readContinued } from '../../../client/continued-download.ts';
import {
  type DecryptionKey,
  decryptFile,
  type ReadFile,
  readHeader,
} from '../../../client/encryption/age-file.ts';
import { DamagedError } from '../../../client/encryption/payload.ts';
import type { Bytes } from '../../../client/encryption/streams.ts';
import { isShownText, type ReadEntry, readArchive } from '../../../client/encryption/tar.ts';
import { formatBytes } from '../../../src/i18n/format.ts';
import { chooseLocale, isLanguage } from '../../../src/i18n/languages.ts';
import EncryptionWorker from '../../encryption/encryption-worker.ts?worker&inline';
import { openWorkerPool, type WorkerPool } from '../../encryption/worker-pool.ts';
import {
  chooseDestination,
  type Destination,
  findPrivateFiles,
  MAX_MEMORY_BYTES,
  removePrivateFolders,
  type Saved,
} from './destination.ts';

// The script of the page that decrypts. It is inside the page, whose policy has its hash.

type Texts = Record<
  | 'badLink'
  | 'choose'
  | 'damaged'
  | 'done'
  | 'failed'
  | 'insecure'
  | 'progress'
  | 'ready'
  | 'save'
  | 'tooLarge'
  | 'wrongKey',
  string
>;
const IDENTITY = /^AGE-SECRET-KEY-1[A-Z0-9]{58}$/;

/** What the page has so far. `file`: another key can be tried on it. `address`: where it is received again under the same view. */
type State = { pool?: WorkerPool; file?: ReadFile; address?: URL | undefined; isBusy?: boolean };

function preparePage(form: HTMLFormElement): void {
  const texts = JSON.parse(form.dataset['encrypted'] ?? '{}') as Texts; // as the service wrote it
  const sizeBytes = Number(form.dataset['size']);
  const { lang } = document.documentElement;
  const locale = isLanguage(lang) ? chooseLocale(lang, navigator.languages) : lang;
  const find = <Found extends Element = HTMLElement>(selector: string): Found => {
    const found = document.querySelector<Found>(selector);
    if (!found) throw new Error(`the page has no ${selector}`);
    return found;
  };
  const field = find<HTMLInputElement>('#key');
  const button = find<HTMLButtonElement>('form .button-main');
  const bar = find<HTMLProgressElement>('progress');
  const status = find('[role=status]');
  const alert = find('[role=alert]');
  const state: State = {};
  const fragment = location.hash.slice(1);
  const privateFiles = findPrivateFiles();

  const say = (text: string): void => {
    status.textContent = text;
  };
  const fail = (text: string): void => {
    say('');
    bar.hidden = true;
    alert.hidden = text === '';
    alert.textContent = text;
  };
  const sizeOf = (bytes: number): string => formatBytes(bytes, locale);

  async function prepare(): Promise<void> {
    if (!isSecureContext) return refuse(texts.insecure);
    void removePrivateFolders().catch(() => {});
    if (!chooseDestination(sizeBytes, await privateFiles))
      return refuse(texts.tooLarge.replace('{size}', sizeOf(MAX_MEMORY_BYTES)));
    if (fragment === '') askForKey();
    else if (!IDENTITY.test(fragment)) refuse(texts.badLink);
  }

  function refuse(text: string): void {
    fail(text);
    button.disabled = true;
  }

  function askForKey(): void {
    find('#key-field').hidden = false;
    field.focus();
  }

  function readKey(): DecryptionKey {
    const text = fragment || field.value.trim();
    return IDENTITY.test(text) ? { identities: [text] } : { passphrase: fragment || field.value };
  }

  /** Requests the file, which spends a view the first time, and reads its header. */
  async function receive(): Promise<ReadFile> {
    const response = await (state.address
      ? fetch(state.address)
      : fetch(location.pathname + location.search, {
          method: 'POST',
          body: new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)])),
          headers: { accept: 'application/octet-stream' },
        }));
    if (!response.ok) {
      location.reload(); // the page of the link says why
      throw new Error(String(response.status));
    }
    state.address ??= continuationOf(response);
    return readHeader(withProgress(readContinued(response, state.address)));
  }

  async function* withProgress(bytes: AsyncIterable<Bytes>): AsyncGenerator<Bytes, void, void> {
    let receivedBytes = 0;
    bar.max = sizeBytes;
    for await (const chunk of bytes) {
      receivedBytes += chunk.length;
      bar.value = receivedBytes;
      const parts = { done: sizeOf(receivedBytes), total: sizeOf(sizeBytes) };
      if (!bar.hidden) say(texts.progress.replace('{done}', parts.done).replace('{total}', parts.total));
      yield chunk;
    }
  }

  async function decrypt(): Promise<void> {
    const choice = chooseDestination(sizeBytes, await privateFiles);
    state.pool ??= openWorkerPool(() => new EncryptionWorker());
    state.file ??= await receive();
    const { pool, file } = state;
    const { header, nonce, rest } = file;
    const payloadKey = await pool.call('openFile', { header, nonce }, readKey());
    if (!payloadKey) {
      askForKey();
      field.select();
      return fail(texts.wrongKey);
    }
    if (!choice) return;
    find('#key-field').hidden = true;
    const entries = readArchive(decryptFile({ rest }, payloadKey, pool.makeCipher));
    let destination = choice.kind === 'READY' ? await choice.open() : undefined;
    const saved: Saved[] = [];
    for await (const entry of entries) {
      if (isShownText(entry)) {
        showText(await new Response(entry.body).text());
        continue;
      }
      if (!entry.isFile) {
        await entry.body.cancel();
        continue;
      }
      if (choice.kind === 'PICKED') destination ??= await letPick(choice.pick, entry);
      bar.hidden = false;
      if (destination) saved.push(await destination.save(entry));
    }
    showSaved(saved);
  }

  /** Waits until the visitor has picked a place, by a button of its own: the names are known only now. */
  async function letPick(
    pick: (about: { files: number }, name: string) => Promise<Destination | null>,
    { name, sizeBytes: ofFirst, about }: ReadEntry,
  ): Promise<Destination> {
    const isOne = about?.files === 1;
    const shown = isOne ? name : `${about?.files ?? ''} × …`;
    say(texts.ready.replace('{name}', shown).replace('{size}', sizeOf(about?.sizeBytes ?? ofFirst)));
    button.textContent = texts.choose;
    button.removeAttribute('aria-disabled');
    for (;;) {
      await new Promise((resolve) => button.addEventListener('click', resolve, { once: true }));
      const destination = await pick({ files: about?.files ?? 0 }, name);
      if (!destination) continue;
      button.hidden = true;
      return destination;
    }
  }

  function showText(text: string): void {
    find('#text').textContent = text;
    find('#decrypted-text').hidden = false;
  }

  /** Shows what was decrypted, once all bytes are verified. */
  function showSaved(saved: readonly Saved[]): void {
    state.pool?.close();
    bar.hidden = true;
    button.hidden = true;
    say(texts.done);
    for (const outdated of document.querySelectorAll('[data-before]')) outdated.remove();
    const list = document.createElement('ul');
    for (const { name, file } of saved) {
      const item = document.createElement('li');
      if (file) item.append(downloadLink(name, file));
      else item.textContent = name;
      list.append(item);
    }
    find('#decrypted').replaceChildren(list);
    find('#decrypted').hidden = saved.length === 0;
    const only = saved.length === 1 ? list.querySelector('a') : null;
    only?.click();
  }

  function downloadLink(name: string, file: Blob): HTMLAnchorElement {
    const leaf = name.split('/').at(-1) ?? name;
    const text = texts.save.replace('{name}', name);
    return Object.assign(document.createElement('a'), {
      href: URL.createObjectURL(new Blob([file], { type: 'application/octet-stream' })),
      download: leaf,
      textContent: text,
    });
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    if (state.isBusy) return;
    state.isBusy = true;
    button.setAttribute('aria-disabled', 'true');
    fail('');
    bar.removeAttribute('value');
    bar.hidden = false;
    decrypt()
      .catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        fail(error instanceof DamagedError ? texts.damaged : texts.failed.replace('{reason}', reason));
        delete state.file;
      })
      .finally(() => {
        state.isBusy = false;
        button.removeAttribute('aria-disabled');
      });
  });
  find<HTMLInputElement>('[data-show-key]').addEventListener('change', ({ currentTarget }) => {
    field.type = currentTarget instanceof HTMLInputElement && currentTarget.checked ? 'text' : 'password';
  });
  void prepare();
}

const form = document.querySelector<HTMLFormElement>('[data-encrypted]');
if (form) preparePage(form);
