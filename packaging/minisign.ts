import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';

// Signs files in the format of minisign (https://jedisct1.github.io/minisign/#signature-format): base64 of fixed fields.

/** A key pair and the number that signatures name it by. */
export type SigningKey = { number: Buffer; privateKey: KeyObject };

/** What DER writes before the seed of a private key, and before a public key. */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_PREFIX_BYTES = 12;

/** The fields of a file of `minisign -G -W`: algorithms, salt and limits of the password, number, seed, and checks. */
const SECRET_KEY = { bytes: 158, encryptionAt: 2, numberAt: 54, seedAt: 62, seedBytes: 32 };

/** Returns a new key, for a dry run. */
export function newKey(): SigningKey {
  const { privateKey } = generateKeyPairSync('ed25519');
  return { number: Buffer.from('dry-run!'), privateKey };
}

/**
 * Reads the text of a secret key.
 *
 * @throws when it is none, or has a password
 */
export function readKey(text: string): SigningKey {
  const bytes = Buffer.from(text.split('\n')[1] ?? '', 'base64');
  const { encryptionAt, numberAt, seedAt, seedBytes } = SECRET_KEY;
  if (bytes.length !== SECRET_KEY.bytes || bytes.toString('latin1', 0, encryptionAt) !== 'Ed') {
    throw new Error('the key is no secret key of minisign. Make one with: minisign -G -W');
  }
  if (bytes.readUInt16BE(encryptionAt) !== 0) {
    throw new Error('the key has a password. Remove it from a copy with: minisign -C -W -s FILE');
  }
  const der = Buffer.concat([PRIVATE_PREFIX, bytes.subarray(seedAt, seedAt + seedBytes)]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return { number: bytes.subarray(numberAt, seedAt), privateKey };
}

/** Returns the text of the public key. */
export function publicKeyText({ number, privateKey }: SigningKey): string {
  const der = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const key = Buffer.concat([Buffer.from('Ed'), number, der.subarray(PUBLIC_PREFIX_BYTES)]);
  return `untrusted comment: public key of the releases of Postern\n${key.toString('base64')}\n`;
}

/** Returns the text of the signature of a file, which also covers the comment. */
export function signatureText({ number, privateKey }: SigningKey, file: string, comment: string): string {
  const signature = sign(null, createHash('blake2b512').update(file).digest(), privateKey);
  const commentSignature = sign(null, Buffer.concat([signature, Buffer.from(comment)]), privateKey);
  return [
    'untrusted comment: signature of a release of Postern',
    Buffer.concat([Buffer.from('ED'), number, signature]).toString('base64'),
    `trusted comment: ${comment}`,
    commentSignature.toString('base64'),
    '',
  ].join('\n');
}
