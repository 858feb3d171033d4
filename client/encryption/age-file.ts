import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { withoutArmor } from './armor.ts';
import {
  DamagedError,
  decryptPayload,
  derivePayloadKey,
  encryptedSize,
  encryptPayload,
  NONCE_BYTES,
  type PayloadCipher,
  TAG_BYTES,
} from './payload.ts';
import type { Bytes } from './streams.ts';

// A file in the format of age. Its header, which holds the key of the file for its recipient, is that of the library.

/** For whom a file is encrypted. `random`: for a new identity, which the address of the link carries after its `#`. */
export type EncryptionKey =
  | { kind: 'random' }
  | { kind: 'passphrase'; passphrase: string }
  | { kind: 'recipient'; recipient: string };

/** The keys that decrypt a file: one of some identities of age (`AGE-SECRET-KEY-1…`), or a passphrase. */
export type DecryptionKey = { identities: readonly string[] } | { passphrase: string };

/** Makes the cipher of a payload. */
export type MakeCipher = (payloadKey: Bytes, kind: 'encrypt' | 'decrypt') => PayloadCipher;

/** The start of a new file. `fragment`: what stands behind `#` in the address of its link. */
export type NewFile = { head: Bytes; payloadKey: Bytes; fragment: string | null };

/** With which each file in the format of age begins. */
export const AGE_PREFIX = 'age-encryption.org/v1\n';
/** A header has some hundred bytes for a recipient. */
const MAX_HEADER_BYTES = 64 * 1024;

/**
 * Begins a file. The library encrypts an empty file, of which the header and the nonce are used. Deriving a key from a
 * passphrase takes a second, twice.
 *
 * @throws when the recipient is none
 */
export async function beginFile(key: EncryptionKey): Promise<NewFile> {
  const encrypter = new Encrypter();
  const decrypter = new Decrypter();
  const identity = key.kind === 'random' ? await generateX25519Identity() : null;
  let fileKey: Uint8Array | undefined;
  if (key.kind === 'passphrase') {
    encrypter.setPassphrase(key.passphrase);
    decrypter.addPassphrase(key.passphrase);
  } else {
    encrypter.addRecipient(identity === null ? recipientOf(key) : await identityToRecipient(identity));
    // A recipient without a stanza of its own, which gets the key of the file.
    encrypter.addRecipient({
      wrapFileKey(given) {
        fileKey = given;
        return [];
      },
    });
  }
  const empty = new Uint8Array(await encrypter.encrypt(new Uint8Array()));
  const head = empty.subarray(0, -TAG_BYTES);
  fileKey ??= await decrypter.decryptHeader(head.subarray(0, -NONCE_BYTES));
  const nonce = head.slice(-NONCE_BYTES);
  return { head, payloadKey: await derivePayloadKey(new Uint8Array(fileKey), nonce), fragment: identity };
}

const recipientOf = (key: EncryptionKey): string => (key.kind === 'recipient' ? key.recipient : '');

/** Returns the size of a file with so many bytes in it. */
export function sizeOfFile({ head }: NewFile, contentBytes: number): number {
  return head.length + encryptedSize(contentBytes);
}

/** Yields the encrypted file. */
export async function* encryptFile(
  { head, payloadKey }: NewFile,
  content: AsyncIterable<Bytes>,
  makeCipher: MakeCipher,
): AsyncGenerator<Bytes, void, void> {
  yield head;
  yield* encryptPayload(content, makeCipher(payloadKey, 'encrypt'));
}

/** An encrypted file of which the header was read. */
export type ReadFile = { header: Bytes; nonce: Bytes; rest: AsyncIterable<Bytes> };

/** Reads the header of an encrypted file, also of one in ASCII armor. @throws DamagedError when it is none */
export async function readHeader(bytes: AsyncIterable<Bytes>): Promise<ReadFile> {
  const source = withoutArmor(bytes);
  let read: Bytes = new Uint8Array();
  for (;;) {
    const end = headerEnd(read);
    if (end !== undefined && read.length >= end + NONCE_BYTES) {
      const nonce = read.slice(end, end + NONCE_BYTES);
      return {
        header: read.subarray(0, end),
        nonce,
        rest: continued(read.subarray(end + NONCE_BYTES), source),
      };
    }
    const next = await source.next();
    if (next.done || read.length > MAX_HEADER_BYTES)
      throw new DamagedError('it is not a file in the format of age');
    const longer = new Uint8Array(read.length + next.value.length);
    longer.set(read);
    longer.set(next.value, read.length);
    read = longer;
  }
}

/** Returns where the header ends: after the line that begins with `---`. */
function headerEnd(read: Uint8Array): number | undefined {
  const text = new TextDecoder('latin1').decode(read.subarray(0, MAX_HEADER_BYTES));
  if (!AGE_PREFIX.startsWith(text.slice(0, AGE_PREFIX.length)))
    throw new DamagedError('it is not encrypted with age');
  const mac = text.indexOf('\n--- ');
  const end = mac === -1 ? -1 : text.indexOf('\n', mac + 1);
  return end === -1 ? undefined : end + 1;
}

async function* continued(
  first: Bytes,
  source: AsyncIterator<Bytes, void, void>,
): AsyncGenerator<Bytes, void, void> {
  try {
    yield first;
    for (let next = await source.next(); !next.done; next = await source.next()) yield next.value;
  } finally {
    await source.return?.();
  }
}

/**
 * Returns the key of the payload of a file. Undefined: it was encrypted for another key, or with another passphrase.
 *
 * @throws when the key is none, or the header is damaged
 */
export async function openFile(
  { header, nonce }: Pick<ReadFile, 'header' | 'nonce'>,
  key: DecryptionKey,
): Promise<Bytes | undefined> {
  const decrypter = new Decrypter();
  if ('passphrase' in key) decrypter.addPassphrase(key.passphrase);
  else for (const identity of key.identities) decrypter.addIdentity(identity);
  try {
    const fileKey = await decrypter.decryptHeader(header);
    return await derivePayloadKey(new Uint8Array(fileKey), nonce);
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('no identity matched')) return undefined;
    throw new DamagedError('the header of the encrypted file was changed', { cause: error });
  }
}

/** With which each identity of age begins. */
export const IDENTITY_PREFIX = 'AGE-SECRET-KEY-';

/** Returns whether an identity is whole: its last characters are a checksum. Errors of the library would show it. */
export async function isIdentity(text: string): Promise<boolean> {
  return identityToRecipient(text).then(
    () => true,
    () => false,
  );
}

/** Returns true for a file that a passphrase decrypts. */
export function needsPassphrase({ header }: Pick<ReadFile, 'header'>): boolean {
  return new TextDecoder().decode(header).startsWith(`${AGE_PREFIX}-> scrypt `);
}

/** Yields the content of an encrypted file. @throws DamagedError */
export function decryptFile(
  { rest }: Pick<ReadFile, 'rest'>,
  payloadKey: Bytes,
  makeCipher: MakeCipher,
): AsyncGenerator<Bytes, void, void> {
  return decryptPayload(rest, makeCipher(payloadKey, 'decrypt'));
}
