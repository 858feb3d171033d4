import {
  createWriteStream,
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
import { continuationOf } from '../client/continued-download.ts';
import {
  type DecryptionKey,
  decryptFile,
  IDENTITY_PREFIX,
  isIdentity,
  needsPassphrase,
  openFile,
  readHeader,
} from '../client/encryption/age-file.ts';
import type { Bytes } from '../client/encryption/streams.ts';
import { isShownText, type ReadEntry, readArchive } from '../client/encryption/tar.ts';
import { messageOf } from '../src/common/error-details.ts';
import { splitName, toLocalName } from '../src/core/rules/file-name.ts';
import { toLocalPaths, toZipName } from '../src/core/rules/set-names.ts';
import { makeCipher } from './age-cipher.ts';
import type { Options, Values } from './command.ts';
import { Failure, usageFailure } from './failure.ts';
import { type Output, printText } from './output.ts';
import { readSecret } from './prompt.ts';
import { freeName, isFolder, receiveFile, remedyOf } from './save-file.ts';

export const DECRYPTION_OPTIONS = {
  identity: {
    type: 'string',
    value: 'FILE',
    short: 'i',
    help: 'A file with the key of age that decrypts it',
  },
  encrypted: { type: 'boolean', help: 'Saves an encrypted file as it is' },
} as const satisfies Options;
type Decryption = Values<typeof DECRYPTION_OPTIONS>;

/**
 * `output`: the folder for the files, or one that exists already, in which it is created. `cookie`: that continues the download.
 */
export type Unpacking = { output: string | undefined; key: DecryptionKey; cookie: string | undefined };

/**
 * Reads the keys that decrypt a file: that of the link, behind its `#`, and those of `--identity`. Null: there are none.
 *
 * @throws Failure when the key of the link is not whole, before a view is spent
 */
export async function readIdentities(
  fragment: string,
  { identity }: Decryption,
): Promise<readonly string[] | null> {
  const inLink = fragment.startsWith(IDENTITY_PREFIX) ? [fragment] : [];
  for (const each of inLink) await requireWhole(each, 'the key after the # of the link');
  if (identity === undefined) return inLink.length === 0 ? null : inLink;
  let inFile: readonly string[] = [];
  try {
    const found = readFileSync(identity, 'utf8').match(/^AGE-SECRET-KEY-.+$/gm);
    if (found) inFile = found;
  } catch (error) {
    throw usageFailure(`--identity: ${messageOf(error)}`);
  }
  for (const each of inFile) await requireWhole(each, `a key in ${resolve(identity)}`);
  if (inFile.length > 0) return [...inLink, ...inFile];
  throw usageFailure(
    `${resolve(identity)} has no key of age`,
    'It has a line that begins with AGE-SECRET-KEY-.',
  );
}

async function requireWhole(identity: string, name: string): Promise<void> {
  if (!(await isIdentity(identity))) throw usageFailure(`${name} is not valid`, 'Copy it once more, whole.');
}

const MISSING_KEY =
  'Write the whole address in quotes, with its # and what follows, or give --identity FILE; a passphrase is typed, or sent to\n' +
  '  standard input. --encrypted saves the file as it is. This spent no view.';

/** Asks for the key or the passphrase of an encrypted link, before a view is spent. */
export async function askKey(): Promise<DecryptionKey> {
  const secret = await readSecret('Passphrase or key of the encrypted link', MISSING_KEY);
  if (!secret.startsWith(IDENTITY_PREFIX)) return { passphrase: secret };
  await requireWhole(secret, 'the key');
  return { identities: [secret] };
}

/** A file that was unpacked beside its place, with its name in the archive. */
type Unpacked = { temporary: string; name: string };

/**
 * Decrypts the file of a response, and unpacks its archive into a new folder, which appears when all bytes are verified: until
 * then the files are in a hidden one beside it, which is removed after an error. A text is printed.
 */
export async function unpackEncrypted(
  response: Response,
  { output: wanted, key, cookie }: Unpacking,
  output: Output,
): Promise<void> {
  const isNew = wanted !== undefined && !isFolder(wanted);
  const scratch = mkdtempSync(join(isNew ? dirname(wanted) : (wanted ?? '.'), '.postern-'));
  const remove = (): void => rmSync(scratch, { recursive: true, force: true });
  const source = { response, cookie };
  const files: Unpacked[] = [];
  let shown: string | undefined;
  try {
    const received = await receiveFile(response, {
      name: 'The encrypted file',
      remove,
      cookie,
      remedy: `${remedyOf(response, cookie)}\n  ${cookie === undefined ? 'postern open takes it with the same # and key, --identity or passphrase.' : 'age -d decrypts FILE, and tar x unpacks it.'}`,
      async write(body) {
        for await (const entry of readEntries(await decrypt(body, key, source), source)) {
          if (isShownText(entry)) shown = await text(entry.body);
          else if (entry.isFile) files.push(await unpack(entry, join(scratch, String(files.length))));
          else await entry.body.cancel();
        }
      },
    });
    const folder = isNew ? wanted : freeName(join(wanted ?? '', nameOf(files)));
    print(output, place(files, scratch, folder), { shown, received });
  } finally {
    remove();
  }
}

/** Returns the name of a folder for an archive: that of the ZIP of its files. */
const nameOf = (files: readonly Unpacked[]): string =>
  toLocalName(splitName(toZipName(files.map(({ name }) => name))).stem);

/** Moves files to their names in a folder, which is new. Returns their paths. */
function place(files: readonly Unpacked[], scratch: string, folder: string): string[] {
  if (files.length === 0) return [];
  const prepared = join(scratch, 'files'); // with the permissions of any folder, unlike the hidden one
  const names = toLocalPaths(files.map(({ name }) => name));
  for (const [index, { temporary }] of files.entries()) {
    const path = join(prepared, names[index] ?? '');
    mkdirSync(dirname(path), { recursive: true });
    renameSync(temporary, path);
  }
  renameSync(prepared, folder);
  return names.map((name) => join(folder, name));
}

/** Reads the entries of an archive. What another program encrypts need not be one. */
async function* readEntries(bytes: AsyncIterable<Bytes>, source: Source): AsyncGenerator<ReadEntry> {
  let count = 0;
  try {
    for await (const entry of readArchive(bytes)) {
      count += 1;
      yield entry;
    }
  } catch (error) {
    if (count > 0 || !/\btar\b/i.test(messageOf(error))) throw error; // the parser names the format
    throw withLease(
      source,
      'what was encrypted is no tar archive',
      (address) => `Decrypt it with: ${toCommand(address, source)} | age -d -i KEY-FILE > FILE`,
    );
  }
}

/** A response, with the cookie that continues it, if it needs one. */
type Source = { response: Response; cookie: string | undefined };

/** Returns the command that continues a download. */
const toCommand = (address: URL, { cookie }: Source): string =>
  cookie === undefined ? `curl '${address}'` : `curl -b '${cookie}' '${address}'`;

/** Returns a failure whose remedy is a command for the address at which a download is continued. */
function withLease({ response }: Source, message: string, toRemedy: (address: URL) => string): Failure {
  const address = continuationOf(response);
  return new Failure('failed', message, { remedy: address ? toRemedy(address) : remedyOf(response) });
}

function print(
  output: Output,
  targets: string[],
  { shown, received }: { shown: string | undefined; received: object },
) {
  const text = shown === undefined ? {} : { text: shown };
  if (output.isJson) output.printJson({ type: 'DOWNLOAD', files: targets, ...text, ...received });
  else if (shown === undefined) for (const target of targets) output.print(target);
  else printText(output, shown);
}

async function decrypt(
  body: AsyncIterable<Bytes>,
  given: DecryptionKey,
  source: Source,
): Promise<AsyncIterable<Bytes>> {
  const file = await readHeader(body);
  const hasPassphrase = needsPassphrase(file);
  const refuse = (message: string): never => {
    const option = hasPassphrase ? '' : ' --identity FILE';
    const right = hasPassphrase ? 'passphrase' : 'key';
    throw withLease(
      source,
      message,
      (address) =>
        `With the right ${right}: ${source.cookie === undefined ? `postern open '${address}'${option}` : `${toCommand(address, source)} | age -d${hasPassphrase ? '' : ' -i KEY-FILE'} | tar x`}\n  The link itself may have no view left.`,
    );
  };
  if (!hasPassphrase && 'passphrase' in given) return refuse('it needs a key, not a passphrase');
  const key = hasPassphrase && 'identities' in given ? { passphrase: await readSecret('Passphrase') } : given;
  const payloadKey = await openFile(file, key);
  if (!payloadKey)
    return refuse(hasPassphrase ? 'the passphrase is wrong' : 'it was encrypted for another key');
  return decryptFile(file, payloadKey, makeCipher);
}

/** Unpacks one file. */
async function unpack({ name, modifiedAt, body }: ReadEntry, temporary: string): Promise<Unpacked> {
  // The platform's stream, which Node's types declare twice.
  await pipeline(
    Readable.from(body as AsyncIterable<Uint8Array>),
    createWriteStream(temporary, { flags: 'wx' }),
  );
  utimesSync(temporary, modifiedAt, modifiedAt);
  return { temporary, name };
}
