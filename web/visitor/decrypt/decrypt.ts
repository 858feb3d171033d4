import { continuationOf, readContinued } from '../../../client/continued-download.ts';
import {
  type DecryptionKey,
  decryptFile,
  IDENTITY_PREFIX,
  type ReadFile,
  readHeader,
} from '../../../client/encryption/age-file.ts';
import { DamagedError } from '../../../client/encryption/payload.ts';
import type { Bytes } from '../../../client/encryption/streams.ts';
import { isShownText, type ReadEntry, readArchive } from '../../../client/encryption/tar.ts';
import { formatBytes } from '../../../src/common/format.ts';
import { chooseLocale, isLanguage } from '../../../src/common/languages.ts';
import { toOpaqueString } from '../../../src/core/model/opaque-string.ts';
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
/** The status of a lease that sends no more. */
const GONE = 410;

class LeaseEndedError extends Error {}

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
  const progress = find('#progress');
  const bar = find<HTMLProgressElement>('progress');
  const status = find('[role=status]');
  const alert = find('[role=alert]');
  // The page of a lease has a form that gets its file; the page of a link has one that spends a view.
  const state: State = form.method === 'get' ? { address: new URL(form.action) } : {};
  const fragment = location.hash.slice(1);
  const privateFiles = findPrivateFiles();

  const say = (text: string): void => {
    status.textContent = text;
  };
  const fail = (text: string): void => {
    say('');
    progress.hidden = true;
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
    else if (!(await isIdentity(fragment))) refuse(texts.badLink);
  }

  function refuse(text: string): void {
    fail(text);
    button.disabled = true;
  }

  function askForKey(): void {
    find('#key-field').hidden = false;
    find('#key-hint').hidden = fragment !== '';
    field.focus();
  }

  function readKey(): DecryptionKey {
    const text = field.value || fragment; // the field is shown where the key of the link is wrong, too
    const identity = text.trim();
    return identity.startsWith(IDENTITY_PREFIX)
      ? { identities: [identity] }
      : { passphrase: toOpaqueString(text) };
  }

  function openPool(): WorkerPool {
    state.pool ??= openWorkerPool(() => new EncryptionWorker());
    return state.pool;
  }

  const isIdentity = (text: string): Promise<boolean> => openPool().call('isIdentity', text);

  /** Returns whether a key is whole, which a passphrase always is. A damaged one must spend no view. */
  async function isWhole(key: DecryptionKey): Promise<boolean> {
    if ('passphrase' in key) return true;
    return (await Promise.all(key.identities.map(isIdentity))).every(Boolean);
  }

  function askAgain(): void {
    askForKey();
    field.select();
    fail(texts.wrongKey);
  }

  /**
   * Requests the file, which spends a view the first time, and reads its header. The address of the page becomes that of the
   * lease, so that a reload spends none.
   */
  async function receive(): Promise<ReadFile> {
    const response = await (state.address
      ? fetch(state.address)
      : fetch(location.pathname + location.search, {
          method: 'POST',
          body: new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)])),
          headers: { accept: 'application/octet-stream' },
        }));
    if (state.address && response.status === GONE) throw new LeaseEndedError();
    if (!response.ok) {
      if (!state.address) location.reload(); // the page of the link says why
      throw new Error(String(response.status));
    }
    state.address ??= continuationOf(response);
    for (const outdated of document.querySelectorAll('[data-before]')) outdated.remove();
    if (state.address) find('#about').textContent = texts.again;
    // The key stays behind `#`, and nowhere else.
    if (state.address) history.replaceState(null, '', new URL(`.${location.hash}`, state.address));
    return readHeader(withProgress(readContinued(response, state.address)));
  }

  async function* withProgress(bytes: AsyncIterable<Bytes>): AsyncGenerator<Bytes, void, void> {
    let receivedBytes = 0;
    bar.max = sizeBytes;
    for await (const chunk of bytes) {
      receivedBytes += chunk.length;
      bar.value = receivedBytes;
      const parts = { done: sizeOf(receivedBytes), total: sizeOf(sizeBytes) };
      const text = texts.progress.replace('{done}', parts.done).replace('{total}', parts.total);
      // Not a status: screen readers would announce each part.
      find('#progress span').textContent = text;
      yield chunk;
    }
  }

  async function decrypt(): Promise<void> {
    const choice = chooseDestination(sizeBytes, await privateFiles);
    const pool = openPool();
    const key = readKey();
    if (!(await isWhole(key))) return field.value ? askAgain() : refuse(texts.badLink);
    state.file ??= await receive();
    const { header, nonce, rest } = state.file;
    const payloadKey = await pool.call('openFile', { header, nonce }, key);
    if (!payloadKey) return askAgain();
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
      progress.hidden = false;
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
    progress.hidden = true;
    const shown = isOne ? name : `${about?.files ?? ''} × …`;
    say(texts.ready.replace('{name}', shown).replace('{size}', sizeOf(about?.sizeBytes ?? ofFirst)));
    button.textContent = texts.choose;
    button.removeAttribute('aria-disabled');
    for (;;) {
      await new Promise((resolve) => button.addEventListener('click', resolve, { once: true }));
      const destination = await pick({ files: about?.files ?? 0 }, name);
      if (!destination) continue;
      button.hidden = true;
      say('');
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
    progress.hidden = true;
    button.hidden = true;
    say(texts.done);
    const list = Object.assign(document.createElement('ul'), { className: 'files' });
    for (const { name, file } of saved) {
      const item = document.createElement('li');
      item.append(file ? saveButton(name, file) : name);
      list.append(item);
    }
    find('#decrypted').replaceChildren(list);
    find('#decrypted').hidden = saved.length === 0;
    const first = list.querySelector('button');
    if (saved.length === 1) first?.click();
    // The button that had the focus has disappeared.
    (first ?? document.querySelector<HTMLElement>('#decrypted-text:not([hidden]) pre') ?? find('h1')).focus();
  }

  /** Only the browser knows how much of a file it has saved. */
  function saveButton(name: string, file: Blob): HTMLButtonElement {
    const href = URL.createObjectURL(new Blob([file], { type: 'application/octet-stream' }));
    const link = Object.assign(document.createElement('a'), { href, download: name.split('/').at(-1) });
    const textContent = texts.save.replace('{name}', name);
    const save = Object.assign(document.createElement('button'), { className: 'button', textContent });
    save.addEventListener('click', () => {
      link.click();
      say(`${texts.done} ${texts.saving.replace('{name}', name)}`);
    });
    return save;
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    if (state.isBusy) return;
    state.isBusy = true;
    button.setAttribute('aria-disabled', 'true');
    fail('');
    bar.removeAttribute('value');
    progress.hidden = false;
    decrypt()
      .catch((error: unknown) => {
        if (error instanceof LeaseEndedError) return refuse(texts.ended);
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
