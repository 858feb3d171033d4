import { type EncryptedFiles, type EncryptionKey, encryptFiles, type PlainFile } from './encrypt-files.ts';
import workerUrl from './encryption-worker.ts?worker&url';

/** Encrypts files as {@link encryptFiles} does, on a page that loads its scripts. */
export function encryptInApp(
  files: readonly PlainFile[],
  key: EncryptionKey,
  traits: { isText?: boolean } = {},
): Promise<EncryptedFiles> {
  return encryptFiles(files, key, { ...traits, createWorker });
}

/** The part of Trusted Types that makes the address of a script, which the types of the DOM do not have. */
type TrustedTypes = {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(text: string): string };
};
const { trustedTypes }: { trustedTypes?: TrustedTypes } = globalThis as object;
/** Only this script becomes a worker: the policy of the page allows no other. */
const workerPolicy = trustedTypes?.createPolicy('worker', { createScriptURL: () => workerUrl });

function createWorker(): Worker {
  return new Worker(workerPolicy?.createScriptURL('') ?? workerUrl, { type: 'module' });
}
