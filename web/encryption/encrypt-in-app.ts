import { prepareWorkers } from '../service/prepare-workers.ts';
import { type EncryptedFiles, type EncryptionKey, encryptFiles, type PlainFile } from './encrypt-files.ts';
import workerUrl from './encryption-worker.ts?worker&url';

const createWorker = prepareWorkers(workerUrl);

/** Encrypts files as {@link encryptFiles} does, on a page that loads its scripts. */
export function encryptInApp(
  files: readonly PlainFile[],
  key: EncryptionKey,
  traits: { isText?: boolean } = {},
): Promise<EncryptedFiles> {
  return encryptFiles(files, key, { ...traits, createWorker });
}
