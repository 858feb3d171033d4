import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { createDigestChecks } from '../../adapters/files/digest-checks.ts';
import { singleUseFile } from '../../adapters/files/transfer.ts';
import { messageOf } from '../../common/error-details.ts';
import { DamagedFileError } from '../../core/model/stored-file.ts';
import type { FileStore } from '../../core/ports/file-store.ts';
import { copyChunks } from './copy-files.ts';

// Backups are encrypted in the format of age (age-encryption.org/v1), so that its own programs decrypt them. Checking a
// passphrase takes a second, so it encrypts only an identity, and all else is encrypted for that.

/** The key of a backup. Null: not given. */
export type EncryptionKey = { recipient: string | null; passphrase: string | null };
/** The keys that decrypt a backup. `identities`: the text of an identity file of age. */
export type DecryptionKey = { identities: string | null; passphrase: string | null };

const RECIPIENTS = 'recipients.txt';
const IDENTITY = 'identity.age';
const IDENTITY_LINE = /^AGE-SECRET-KEY-.+$/gm;

/** Returns the recipient that the backups of a folder are encrypted for; null where they are not. */
export function readRecipient(folder: string): string | null {
  const path = join(folder, RECIPIENTS);
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : null;
}

/**
 * Chooses the recipient of the backups in a folder, which is the same for all of them, because they share files.
 *
 * @param isUsed whether the folder has backups, or had begun some
 * @param write writes a file of the folder durably
 * @throws when the folder is encrypted in another way
 */
export async function chooseRecipient(
  folder: string,
  { recipient, passphrase }: EncryptionKey,
  { isUsed, write }: { isUsed: boolean; write: (name: string, bytes: Uint8Array) => Promise<void> },
): Promise<string | null> {
  const recorded = readRecipient(folder);
  if (recipient === null && passphrase === null) return recorded;
  if (isUsed && recorded === null)
    throw new Error('its backups are not encrypted; name another folder, or leave the encryption out');
  let wanted = recipient ?? '';
  if (recipient !== null) new Encrypter().addRecipient(recipient); // throws where it is none
  if (passphrase !== null) {
    const hasIdentity = existsSync(join(folder, IDENTITY));
    if (recorded !== null && !hasIdentity)
      throw new Error('it is encrypted for a recipient; name that in --recipient, or another folder');
    const identity = hasIdentity
      ? await decryptIdentity(folder, passphrase)
      : await createIdentity(passphrase, write);
    wanted = await identityToRecipient(identity);
  }
  if (recorded !== null && recorded !== wanted)
    throw new Error(`it is encrypted for the recipient ${recorded}; name that, or another folder`);
  if (recorded === null) await write(RECIPIENTS, Buffer.from(`${wanted}\n`));
  return wanted;
}

async function createIdentity(
  passphrase: string,
  write: (name: string, bytes: Uint8Array) => Promise<void>,
): Promise<string> {
  const identity = await generateX25519Identity();
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  await write(IDENTITY, await encrypter.encrypt(`${identity}\n`));
  return identity;
}

async function decryptIdentity(folder: string, passphrase: string): Promise<string> {
  const path = join(folder, IDENTITY);
  if (!existsSync(path))
    throw new Error('it is encrypted for a recipient, not with a passphrase; name --identity-file');
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  try {
    return (await decrypter.decrypt(readFileSync(path), 'text')).trim();
  } catch (cause) {
    throw new Error(`the passphrase does not decrypt ${path} (${messageOf(cause)}); give the right one`, {
      cause,
    });
  }
}

/** Encrypts bytes for a recipient; null leaves them as they are. */
export async function* encrypt(
  bytes: AsyncIterable<Uint8Array>,
  recipient: string | null,
): AsyncIterable<Uint8Array> {
  if (recipient === null) return yield* bytes;
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  yield* await encrypter.encrypt(ReadableStream.from(bytes));
}

/**
 * Returns what decrypts the backups of a folder.
 *
 * @throws when there is no key, or it is the wrong one
 */
export async function openDecrypter(
  folder: string,
  { identities, passphrase }: DecryptionKey,
): Promise<Decrypter> {
  const decrypter = new Decrypter();
  if (passphrase !== null) decrypter.addIdentity(await decryptIdentity(folder, passphrase));
  for (const [line] of identities?.matchAll(IDENTITY_LINE) ?? []) decrypter.addIdentity(line);
  if (passphrase === null && identities === null)
    throw new Error(
      'it is encrypted; name the key in --identity-file, or the passphrase in --passphrase-file',
    );
  return decrypter;
}

/** Decrypts bytes; without a decrypter they are left as they are. */
export async function* decrypt(
  bytes: AsyncIterable<Uint8Array>,
  decrypter: Decrypter | null,
): AsyncIterable<Uint8Array> {
  if (decrypter === null) return yield* bytes;
  yield* await decrypter.decrypt(ReadableStream.from(bytes));
}

/** Returns the files of a backup as they were before they were encrypted. */
export function decryptedFiles(files: FileStore, decrypter: Decrypter): Pick<FileStore, 'open'> {
  const beginCheck = createDigestChecks(() => performance.now());
  return {
    async open(fileId, sha256) {
      const stored = await files.open(fileId);
      if (!stored) return undefined;
      const encrypted = copyChunks();
      const sending = stored.sendTo(encrypted);
      sending.catch(() => {}); // the reader of what it sends to gets the error
      const plain = await decrypter.decrypt(ReadableStream.from(encrypted)).catch(async (cause: unknown) => {
        encrypted.destroy();
        await stored.close();
        throw new Error(`file ${fileId} cannot be decrypted (${messageOf(cause)})`, { cause });
      });
      const sizeBytes = plain.size(stored.sizeBytes);
      return singleUseFile({
        sizeBytes,
        check: beginCheck({ fileId, sizeBytes, revision: undefined }, sha256),
        async copyTo(out) {
          try {
            for await (const chunk of plain) await out.write(chunk);
          } catch {
            throw new DamagedFileError(fileId);
          }
          out.end();
        },
        release: () => stored.close(),
      });
    },
  };
}
