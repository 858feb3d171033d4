import { createReadStream, type Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import { beginFile, type EncryptionKey, encryptFile, sizeOfFile } from '../client/encryption/age-file.ts';
import { type ArchivedFile, toArchive } from '../client/encryption/tar.ts';
import { messageOf } from '../src/error-details.ts';
import { makeCipher } from './age-cipher.ts';
import type { Options, Values } from './command.ts';
import { usageFailure } from './failure.ts';
import { measureFile } from './local-file.ts';
import type { Output } from './output.ts';
import { readNewSecret } from './prompt.ts';
import { type SentFile, STANDARD_INPUT } from './send-file.ts';

export const ENCRYPTION_OPTIONS = {
  encrypt: {
    type: 'boolean',
    help: 'Encrypts files and folders before they are sent; the link has the key after its #',
  },
  passphrase: {
    type: 'boolean',
    help: 'Encrypts with a passphrase, which it asks for, instead of a key in the link',
  },
  to: { type: 'string', value: 'age1…', help: 'Encrypts for the owner of a public key of age' },
} as const satisfies Options;
type Encryption = Values<typeof ENCRYPTION_OPTIONS> & { name?: string; password?: boolean };

/** The name of what is encrypted, which the service does not know. */
export const ENCRYPTED_NAME = 'encrypted.tar.age';
const READ_BYTES = 1024 * 1024;

/** An encrypted upload, and what its link has behind `#`. */
export type EncryptedUpload = { file: SentFile; fragment: string | null };

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
  const { encrypt, passphrase, to, name, password } = options;
  if (!encrypt && !passphrase && to === undefined) return undefined;
  if (passphrase && to !== undefined)
    throw usageFailure('--passphrase and --to exclude each other', 'Give one of them.');
  if (passphrase && password)
    throw usageFailure('--passphrase and --password both read standard input', 'Give one of them.');
  if (name !== undefined)
    throw usageFailure('--name has no effect on what is encrypted', 'Its names are inside.');
  const files = (await Promise.all(paths.map((path) => findFiles(path, output)))).flat();
  const twice = files.find((file, index) => files.findIndex((other) => other.name === file.name) < index);
  if (twice) throw usageFailure(`two files have the name ${twice.name}`, 'Rename one of them.');
  if (files.length === 0) throw usageFailure('there is no file in it', 'An empty folder cannot be sent.');
  const encrypted = await beginFile(await readKey(options)).catch((error: unknown) => {
    throw usageFailure(`--to: ${messageOf(error)}`, 'Give a public key of age, as age-keygen -y prints it.');
  });
  const archive = toArchive(files);
  const sizeBytes = sizeOfFile(encrypted, archive.sizeBytes);
  const read = () => encryptFile(encrypted, archive.read(), makeCipher);
  return { file: { path: '', name: ENCRYPTED_NAME, sizeBytes, read }, fragment: encrypted.fragment };
}

async function readKey({ passphrase, to }: Encryption): Promise<EncryptionKey> {
  if (to !== undefined) return { kind: 'recipient', recipient: to };
  if (!passphrase) return { kind: 'random' };
  return { kind: 'passphrase', passphrase: await readNewSecret('Passphrase') };
}

/** Finds the files of an argument: itself, or those of a folder, whose name is part of theirs. */
async function findFiles(path: string, output: Output): Promise<ArchivedFile[]> {
  if (path === STANDARD_INPUT)
    throw usageFailure(
      'standard input has no size, which is sent first',
      'Save it to a file, and send that.',
    );
  const folder = await stat(path).catch(() => undefined);
  if (!folder?.isDirectory()) return [await toArchived(path, basename(path))];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const pathOf = (entry: Dirent): string => join(entry.parentPath, entry.name);
  for (const entry of entries.filter((each) => !each.isFile() && !each.isDirectory()))
    output.note(`${pathOf(entry)} is left out: it is neither a file nor a folder.`);
  const base = basename(resolve(path));
  const found = entries.filter((entry) => entry.isFile()).map(pathOf);
  return Promise.all(
    found.sort().map((each) => toArchived(each, [base, ...relative(path, each).split(sep)].join('/'))),
  );
}

async function toArchived(path: string, name: string): Promise<ArchivedFile> {
  const sizeBytes = await measureFile(path);
  const { mtimeMs: modifiedAt } = await stat(path);
  const read = () => createReadStream(path, { highWaterMark: READ_BYTES });
  return { name, sizeBytes, modifiedAt, read };
}
