import {
  createWriteStream,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  utimesSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { identityToRecipient } from 'age-encryption';
import { continuationOf } from '../client/continued-download.ts';
import {
  type DecryptionKey,
  decryptFile,
  needsPassphrase,
  openFile,
  readHeader,
} from '../client/encryption/age-file.ts';
import { toSafePath } from '../client/encryption/safe-path.ts';
import type { Bytes } from '../client/encryption/streams.ts';
import { isShownText, type ReadEntry, readArchive } from '../client/encryption/tar.ts';
import { codeOf, messageOf } from '../src/error-details.ts';
import { makeCipher } from './age-cipher.ts';
import type { Options, Values } from './command.ts';
import { Failure, usageFailure } from './failure.ts';
import { type Output, printText } from './output.ts';
import { readSecret } from './prompt.ts';
import { receiveFile, remedyOf } from './save-file.ts';

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

export type Unpacking = { folder: string; isForced: boolean; key: DecryptionKey };

/**
 * Reads the keys that decrypt a file: that of the link, behind its `#`, and those of `--identity`. Null: there are none.
 *
 * @throws Failure when the key of the link is not whole, before a view is spent
 */
export async function readIdentities(
  fragment: string,
  { identity }: Decryption,
): Promise<readonly string[] | null> {
  const inLink = isIdentity(fragment) ? [fragment] : [];
  for (const each of inLink) await requireWhole(each, 'the key after the # of the link');
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

const isIdentity = (text: string): boolean => text.startsWith('AGE-SECRET-KEY-');

async function requireWhole(identity: string, name: string): Promise<void> {
  await identityToRecipient(identity).catch(() => {
    throw usageFailure(`${name} is not valid`, 'Copy it once more, whole.');
  });
}

const MISSING_KEY =
  'Write the whole address in quotes, with its # and what follows, or give --identity FILE; a passphrase is typed, or sent to\n' +
  '  standard input. --encrypted saves the file as it is. This spent no view.';

/** Asks for the key or the passphrase of an encrypted link, before a view is spent. */
export async function askKey(): Promise<DecryptionKey> {
  const secret = await readSecret('Passphrase or key of the encrypted link', MISSING_KEY);
  if (!isIdentity(secret)) return { passphrase: secret };
  await requireWhole(secret, 'the key');
  return { identities: [secret] };
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
  const isNewFolder = mkdirSync(unpacking.folder, { recursive: true }) !== undefined;
  const scratch = mkdtempSync(join(unpacking.folder, '.postern-'));
  const remove = (): void => rmSync(scratch, { recursive: true, force: true });
  const files: Unpacked[] = [];
  let shown: string | undefined;
  try {
    const received = await receiveFile(response, {
      name: 'The encrypted file',
      remove,
      remedy: `${remedyOf(response)}\n  postern open takes it with the same # and key, --identity or passphrase.`,
      async write(body) {
        for await (const entry of readEntries(await decrypt(body, unpacking.key, response), response)) {
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
    if (isNewFolder && readdirSync(unpacking.folder).length === 0) rmdirSync(unpacking.folder);
  }
}

/** Reads the entries of an archive. What another program encrypts need not be one. */
async function* readEntries(bytes: AsyncIterable<Bytes>, response: Response): AsyncGenerator<ReadEntry> {
  let count = 0;
  try {
    for await (const entry of readArchive(bytes)) {
      count += 1;
      yield entry;
    }
  } catch (error) {
    if (count > 0 || !/\btar\b/i.test(messageOf(error))) throw error; // the parser names the format
    throw withLease(
      response,
      'what was encrypted is no tar archive',
      (address) => `Decrypt it with: curl '${address}' | age -d -i KEY-FILE > FILE`,
    );
  }
}

/** Returns a failure whose remedy is a command for the address at which a download is continued. */
function withLease(response: Response, message: string, toRemedy: (address: URL) => string): Failure {
  const address = continuationOf(response);
  return new Failure('failed', message, { remedy: address ? toRemedy(address) : remedyOf(response) });
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
  else printText(output, shown);
}

async function decrypt(
  body: AsyncIterable<Bytes>,
  given: DecryptionKey,
  response: Response,
): Promise<AsyncIterable<Bytes>> {
  const file = await readHeader(body);
  const hasPassphrase = needsPassphrase(file);
  const refuse = (message: string): never => {
    const option = hasPassphrase ? '' : ' --identity FILE';
    const right = hasPassphrase ? 'passphrase' : 'key';
    throw withLease(
      response,
      message,
      (address) =>
        `With the right ${right}: postern open '${address}'${option}\n  The link itself may have no view left.`,
    );
  };
  if (!hasPassphrase && 'passphrase' in given) return refuse('it needs a key, not a passphrase');
  const key = hasPassphrase && 'identities' in given ? { passphrase: await readSecret('Passphrase') } : given;
  const payloadKey = await openFile(file, key);
  if (!payloadKey)
    return refuse(hasPassphrase ? 'the passphrase is wrong' : 'it was encrypted for another key');
  return decryptFile(file, payloadKey, makeCipher);
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
