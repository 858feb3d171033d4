import { decryptFile, type ReadFile } from '../../../client/encryption/age-file.ts';
import { DamagedError } from '../../../client/encryption/payload.ts';
import { readArchive } from '../../../client/encryption/tar.ts';
import EncryptionWorker from '../../encryption/encryption-worker.ts?worker&inline';
import { openWorkerPool, type WorkerPool } from '../../encryption/worker-pool.ts';
import { type DecryptPage, find, readPage } from './decrypt-page.ts';
import {
  chooseDestination,
  findPrivateFiles,
  MAX_MEMORY_BYTES,
  removePrivateFolders,
} from './destination.ts';
import { askAgain, isWhole, prepareKey, readKey } from './link-key.ts';
import { type Lease, LeaseEndedError, leaseOf, receiveFile } from './receive-file.ts';
import { saveEntries } from './save-entries.ts';

// The script of the page that decrypts. It is inside the page, whose policy has its hash. The page asks for the key, receives and
// decrypts the file, and saves what is in it.

const privateFiles = findPrivateFiles();
let openedPool: WorkerPool | undefined;

function openPool(): WorkerPool {
  openedPool ??= openWorkerPool(() => new EncryptionWorker());
  return openedPool;
}

/** Asks for the key, if this browser can save a file of this size. */
async function prepare(page: DecryptPage): Promise<void> {
  const { texts, sizeBytes, sizeOf, refuse } = page;
  if (!isSecureContext) return refuse(texts.insecure);
  void removePrivateFolders().catch(() => {});
  if (!chooseDestination(sizeBytes, await privateFiles))
    return refuse(texts.tooLarge.replace('{size}', sizeOf(MAX_MEMORY_BYTES)));
  await prepareKey(page, openPool());
}

/** `file`: received already, so that another key can be tried on it. */
type Received = Lease & { file?: ReadFile };

/** Receives the file, decrypts it, and saves what is in it. Asks for another key where this one is wrong. */
async function decrypt(page: DecryptPage, received: Received): Promise<void> {
  const choice = chooseDestination(page.sizeBytes, await privateFiles);
  const pool = openPool();
  const key = readKey(page);
  if (!(await isWhole(key, pool))) return page.field.value ? askAgain(page) : page.refuse(page.texts.badLink);
  received.file ??= await receiveFile(page, received);
  const { header, nonce, rest } = received.file;
  const payloadKey = await pool.call('openFile', { header, nonce }, key);
  if (!payloadKey) return askAgain(page);
  if (!choice) return;
  find('#key-field').hidden = true;
  await saveEntries(readArchive(decryptFile({ rest }, payloadKey, pool.makeCipher)), choice, page);
  pool.close();
}

function showFailure(error: unknown, { texts, fail, refuse }: DecryptPage): void {
  const reason = error instanceof Error ? error.message : String(error);
  if (error instanceof LeaseEndedError) refuse(texts.ended);
  else fail(error instanceof DamagedError ? texts.damaged : texts.failed.replace('{reason}', reason));
}

function startPage(form: HTMLFormElement): void {
  const page = readPage(form);
  const { field, button, progress, bar } = page;
  const received: Received = leaseOf(form);
  let isBusy = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    if (isBusy) return;
    isBusy = true;
    button.setAttribute('aria-disabled', 'true');
    page.fail('');
    bar.removeAttribute('value');
    progress.hidden = false;
    decrypt(page, received)
      .catch((error: unknown) => {
        showFailure(error, page);
        delete received.file;
      })
      .finally(() => {
        isBusy = false;
        button.removeAttribute('aria-disabled');
      });
  });
  find<HTMLInputElement>('[data-show-key]').addEventListener('change', ({ currentTarget }) => {
    field.type = currentTarget instanceof HTMLInputElement && currentTarget.checked ? 'text' : 'password';
  });
  void prepare(page);
}

const form = document.querySelector<HTMLFormElement>('[data-encrypted]');
if (form) startPage(form);
