import { type DecryptionKey, IDENTITY_PREFIX } from '../../../client/encryption/age-file.ts';
import { toOpaqueString } from '../../../src/core/model/opaque-string.ts';
import type { WorkerPool } from '../../encryption/worker-pool.ts';
import { type DecryptPage, find } from './decrypt-page.ts';

/** The key after `#` in the address, or empty. */
const fragment = location.hash.slice(1);

/** Asks for the key unless the link has it. A damaged one is refused before the visitor tries. */
export async function prepareKey(page: DecryptPage, pool: WorkerPool): Promise<void> {
  if (fragment === '') askForKey(page);
  else if (!(await pool.call('isIdentity', fragment))) page.refuse(page.texts.badLink);
}

function askForKey({ field }: DecryptPage): void {
  find('#key-field').hidden = false;
  find('#key-hint').hidden = fragment !== '';
  field.focus();
}

/** Asks for another key in place of a wrong one. */
export function askAgain(page: DecryptPage): void {
  askForKey(page);
  page.field.select();
  page.fail(page.texts.wrongKey);
}

export function readKey({ field }: DecryptPage): DecryptionKey {
  const text = field.value || fragment; // the field is shown where the key of the link is wrong, too
  const identity = text.trim();
  return identity.startsWith(IDENTITY_PREFIX)
    ? { identities: [identity] }
    : { passphrase: toOpaqueString(text) };
}

/** Returns whether a key is whole, which a passphrase always is. A damaged one must spend no view. */
export async function isWhole(key: DecryptionKey, pool: WorkerPool): Promise<boolean> {
  if ('passphrase' in key) return true;
  const checks = key.identities.map((identity) => pool.call('isIdentity', identity));
  return (await Promise.all(checks)).every(Boolean);
}
