import { stat } from 'node:fs/promises';
import { beginFile, type EncryptionKey, encryptFile, sizeOfFile } from '../client/encryption/age-file.ts';
import { ENCRYPTED_NAME } from '../client/encryption/encrypted-upload.ts';
import type { Bytes } from '../client/encryption/streams.ts';
import { type ArchivedFile, toArchive } from '../client/encryption/tar.ts';
import { messageOf } from '../src/common/error-details.ts';
import { makeCipher } from './age-cipher.ts';
import type { Options, Values } from './command.ts';
import { Failure, usageFailure } from './failure.ts';
import { findFiles, type LocalFile } from './local-file.ts';
import type { Output } from './output.ts';
import { readNewSecret } from './prompt.ts';
import type { MadeFile } from './resumable-upload.ts';

export const ENCRYPTION_OPTIONS = {
  encrypt: {
    type: 'boolean',
    help: 'Encrypts what is sent before it is sent; the link has the key after its #',
  },
  passphrase: {
    type: 'boolean',
    help: 'Encrypts with a passphrase, which it asks for, instead of a key in the link',
  },
  to: { type: 'string', value: 'age1…', help: 'Encrypts for the owner of a public key of age' },
} as const satisfies Options;
type Encryption = Values<typeof ENCRYPTION_OPTIONS> & { name?: string; password?: boolean };

/** An encrypted upload, and what its link has behind `#`. */
export type EncryptedUpload = { file: MadeFile; fragment: string | null };

/**
 * Begins the encryption of files and folders. Undefined: the options do not ask for it.
 *
 * @throws Failure when a path cannot be read, or options contradict each other
 */
export async function encryptPaths(
  paths: readonly string[],
  options: Encryption,
  output: Output,
): Promise<EncryptedUpload | undefined> {
  if (!isEncrypting(options)) return undefined;
  if (options.passphrase && options.password)
    throw usageFailure('--passphrase and --password both read standard input', 'Give one of them.');
  if (options.name !== undefined)
    throw usageFailure('--name has no effect on what is encrypted', 'Its names are inside.');
  return encryptFiles(await findFiles(paths, output), await readKey(options));
}

/** Returns whether options ask for encryption. */
export function isEncrypting({ encrypt, passphrase, to }: Encryption): boolean {
  if (passphrase && to !== undefined)
    throw usageFailure('--passphrase and --to exclude each other', 'Give one of them.');
  return encrypt === true || passphrase === true || to !== undefined;
}

/** Begins the encryption of files. Refuses two with the same name. */
export async function encryptFiles(
  files: readonly LocalFile[],
  key: EncryptionKey,
): Promise<EncryptedUpload> {
  const twice = files.find((file, index) => files.findIndex((other) => other.name === file.name) < index);
  if (twice) throw usageFailure(`two files have the name ${twice.name}`, 'Rename one of them.');
  return encryptArchive(toArchive(files.map(unchanged)), key);
}

/** Begins the encryption of a text, which is shown to visitors. */
export function encryptText(text: string, key: EncryptionKey): Promise<EncryptedUpload> {
  const bytes = new TextEncoder().encode(text);
  const read = async function* (): AsyncGenerator<Bytes> {
    yield bytes;
  };
  const file = { name: 'text.txt', sizeBytes: bytes.length, modifiedAt: Date.now(), read };
  return encryptArchive(toArchive([file], { isText: true }), key);
}

async function encryptArchive(
  archive: ReturnType<typeof toArchive>,
  key: EncryptionKey,
): Promise<EncryptedUpload> {
  const encrypted = await beginFile(key).catch((error: unknown) => {
    throw usageFailure(`--to: ${messageOf(error)}`, 'Give a public key of age, as age-keygen -y prints it.');
  });
  const sizeBytes = sizeOfFile(encrypted, archive.sizeBytes);
  const read = () => encryptFile(encrypted, archive.read(), makeCipher);
  return { file: { name: ENCRYPTED_NAME, sizeBytes, read }, fragment: encrypted.fragment };
}

/**
 * Refuses to read a file that was changed since it was measured. After a lost line its bytes are read and encrypted again, and two
 * contents under the same key and nonce would show their difference.
 */
function unchanged(file: LocalFile): ArchivedFile {
  const check = async (): Promise<void> => {
    const { size, mtimeMs } = await stat(file.path);
    if (size !== file.sizeBytes || mtimeMs !== file.modifiedAt)
      throw new Failure('failed', `${file.path} was changed while it was sent`, {
        remedy: 'Run the command again.',
      });
  };
  async function* read(): AsyncGenerator<Bytes> {
    await check();
    yield* file.read();
    await check();
  }
  return { ...file, read };
}

/** Returns the key that options name. Asks for a passphrase. */
export async function readKey({ passphrase, to }: Encryption): Promise<EncryptionKey> {
  if (to !== undefined) return { kind: 'recipient', recipient: to };
  if (!passphrase) return { kind: 'random' };
  return { kind: 'passphrase', passphrase: await readNewSecret('Passphrase') };
}
