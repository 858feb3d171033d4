import {
  createWriteStream,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { identityToRecipient } from 'age-encryption';
import {
  type DecryptionKey,
  decryptFile,
  needsPassphrase,
  openFile,
  type ReadFile,
  readHeader,
} from '../client/encryption/age-file.ts';
import { toSafePath } from '../client/encryption/safe-path.ts';
import type { Bytes } from '../client/encryption/streams.ts';
import { isShownText, type ReadEntry, readArchive } from '../client/encryption/tar.ts';
import { codeOf, messageOf } from '../src/error-details.ts';
import { makeCipher } from './age-cipher.ts';
import type { Options, Values } from './command.ts';
import { usageFailure } from './failure.ts';
import type { Output } from './output.ts';
import { readSecret } from './prompt.ts';
import { receiveFile } from './save-file.ts';

export const DECRYPTION_OPTIONS = {
  identity: {
    type: 'string',
    value: 'FILE',
    short: 'i',
    help: 'A file with the key of age that decrypts it',
  },
  force: { type: 'boolean', help: 'Replaces files that exist when it unpacks' },
  encrypted: { type: 'boolean', help: 'Saves an encrypted file as it is' },
} as const satisfies Options;
type Decryption = Values<typeof DECRYPTION_OPTIONS>;

/** `identities`: null if there are none, so that a passphrase is asked for. */
export type Unpacking = { folder: string; isForced: boolean; identities: readonly string[] | null };

/**
 * Reads the keys that decrypt a file: that of the link, behind its `#`, and those of `--identity`.
 *
 * @throws Failure when the key of the link is not whole, before a view is spent
 */
export async function readIdentities(
  fragment: string,
  { identity }: Decryption,
): Promise<readonly string[] | null> {
  const inLink = fragment.startsWith('AGE-SECRET-KEY-') ? [fragment] : [];
  for (const each of inLink) {
    await identityToRecipient(each).catch(() => {
      throw usageFailure('the key after the # of the link is not valid', 'Copy the whole link once more.');
    });
  }
  if (identity === undefined) return inLink.length === 0 ? null : inLink;
  try {
    const found = readFileSync(identity, 'utf8').match(/^AGE-SECRET-KEY-.+$/gm);
    if (found) return [...inLink, ...found];
  } catch (error) {
    throw usageFailure(`--identity: ${messageOf(error)}`);
  }
  throw usageFailure(
    `${resolve(identity)} has no key of age`,
    'It has a line that begins with AGE-SECRET-KEY-.',
  );
}

/** A file that was unpacked beside its place. */
type Unpacked = { temporary: string; target: string };

/**
 * Decrypts the file of a response, and unpacks its archive into a folder. All bytes are verified before a file appears: until
 * then the files are in a hidden folder, which is removed after an error. A text is printed.
 */
export async function unpackEncrypted(
  response: Response,
  unpacking: Unpacking,
  output: Output,
): Promise<void> {
  mkdirSync(unpacking.folder, { recursive: true });
  const scratch = mkdtempSync(join(unpacking.folder, '.postern-'));
  const remove = (): void => rmSync(scratch, { recursive: true, force: true });
  const files: Unpacked[] = [];
  let shown: string | undefined;
  try {
    const received = await receiveFile(response, {
      name: 'The encrypted file',
      remove,
      remedy: remedyOf(response),
      async write(body) {
        for await (const entry of readArchive(await decrypt(body, unpacking.identities))) {
          if (isShownText(entry)) shown = await text(entry.body);
          else if (entry.isFile) files.push(await unpack(entry, files, { ...unpacking, scratch }));
          else await entry.body.cancel();
        }
      },
    });
    for (const { temporary, target } of files) {
      mkdirSync(dirname(target), { recursive: true });
      if (!unpacking.isForced) requireAbsent(target);
      renameSync(temporary, target);
    }
    print(output, files, { shown, received });
  } finally {
    remove();
  }
}

function print(
  output: Output,
  files: Unpacked[],
  { shown, received }: { shown: string | undefined; received: object },
) {
  const targets = files.map(({ target }) => target);
  const text = shown === undefined ? {} : { text: shown };
  if (output.isJson) output.printJson({ type: 'DOWNLOAD', files: targets, ...text, ...received });
  else if (shown === undefined) for (const target of targets) output.print(target);
  // Control characters may change what a terminal shows.
  else output.print(output.width === undefined ? shown : shown.replaceAll(/[^\P{Cc}\n\t]/gu, ''));
}

/** Returns the command that receives the bytes again without another view. */
function remedyOf(response: Response): string | undefined {
  const lease = response.headers.get('content-location');
  if (lease === null) return undefined;
  const command = `postern open '${new URL(lease, response.url)}#KEY'`;
  return `This spends no further view: ${command}\n  KEY is what follows the # of the whole link. Leave out #KEY for a passphrase or --identity.`;
}

async function decrypt(
  body: AsyncIterable<Bytes>,
  identities: readonly string[] | null,
): Promise<AsyncIterable<Bytes>> {
  const file = await readHeader(body);
  const key = await readKey(file, identities);
  const payloadKey = await openFile(file, key);
  if (!payloadKey)
    throw new Error('passphrase' in key ? 'the passphrase is wrong' : 'it was encrypted for another key');
  return decryptFile(file, payloadKey, makeCipher);
}

async function readKey(file: ReadFile, identities: readonly string[] | null): Promise<DecryptionKey> {
  if (needsPassphrase(file)) return { passphrase: await readSecret('Passphrase') };
  if (identities) return { identities };
  throw new Error('its key is missing');
}

/** Unpacks one file into the scratch folder. */
async function unpack(
  { name, modifiedAt, body }: ReadEntry,
  files: readonly Unpacked[],
  { folder, isForced, scratch }: Unpacking & { scratch: string },
): Promise<Unpacked> {
  const parts = toSafePath(name);
  if (!parts) throw new Error(`its name ${JSON.stringify(name)} leads out of the folder`);
  const target = join(folder, ...parts);
  requireRealFolders(folder, parts);
  if (files.some((file) => file.target === target))
    throw new Error(`it has two files with the name ${target}`);
  if (!isForced) requireAbsent(target);
  const temporary = join(scratch, String(files.length));
  // The platform's stream, which Node's types declare twice.
  await pipeline(
    Readable.from(body as AsyncIterable<Uint8Array>),
    createWriteStream(temporary, { flags: 'wx' }),
  );
  utimesSync(temporary, modifiedAt, modifiedAt);
  return { temporary, target };
}

/** Refuses a path through a symbolic link, which may lead anywhere. */
function requireRealFolders(folder: string, parts: readonly string[]): void {
  for (let count = 1; count < parts.length; count++) {
    const path = join(folder, ...parts.slice(0, count));
    if (statOf(path)?.isDirectory() === false) throw new Error(`${path} is not a folder`);
  }
}

function requireAbsent(path: string): void {
  if (statOf(path)) throw new Error(`${path} exists already; remove it, or replace it with --force`);
}

function statOf(path: string) {
  try {
    return lstatSync(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
