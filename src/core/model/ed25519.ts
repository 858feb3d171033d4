import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import type { HashHex } from './merkle-tree.ts';
import {
  base64ToHex,
  ED25519,
  formatSignature,
  formatVerifierKey,
  hexToBase64,
  toVerifierKey,
  type VerifierKey,
  type VerifyEd25519,
} from './signed-note.ts';

const leaf = Buffer.alloc(33);
const node = Buffer.alloc(65);

/** Hashes leaves and nodes in buffers of their lengths: 0.3 µs, and half of that for the call. */
export const hashHex: HashHex = (hex) => {
  const size = hex.length / 2;
  const bytes = size === leaf.length ? leaf : size === node.length ? node : Buffer.alloc(size);
  bytes.write(hex, 'hex');
  return hash('sha256', bytes, 'hex');
};

// A key has 32 bytes at the end of its DER forms, which are otherwise the same for each key.
const PKCS8 = '302e020100300506032b657004220420';
const SPKI = '302a300506032b6570032100';

export const verifyEd25519: VerifyEd25519 = (publicKey, message, signature) => {
  try {
    const key = createPublicKey({ key: Buffer.from(SPKI + publicKey, 'hex'), format: 'der', type: 'spki' });
    return verify(null, Buffer.from(message), key, Buffer.from(signature, 'hex'));
  } catch {
    return false; // no point of the curve
  }
};

/** The key of a log. `secret`: as it is kept, in the form of Go's `note.NewSigner`. */
export type Signer = { secret: string; key: VerifierKey; sign(text: string): string };

const PREFIX = 'PRIVATE+KEY+';

/** Returns a new key. */
export function createSigner(name: string): Signer {
  const { privateKey } = generateKeyPairSync('ed25519');
  return toSigner(name, privateKey);
}

/** Reads a kept key; undefined for another text. */
export function parseSigner(secret: string): Signer | undefined {
  const [name = '', keyId = '', ...rest] = secret.slice(PREFIX.length).split('+');
  const bytes = base64ToHex(rest.join('+'));
  if (!secret.startsWith(PREFIX) || bytes?.length !== 66 || !bytes.startsWith(ED25519)) return undefined;
  const der = Buffer.from(PKCS8 + bytes.slice(2), 'hex');
  const signer = toSigner(name, createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }));
  return signer.key.keyId === keyId ? signer : undefined;
}

function toSigner(name: string, privateKey: KeyObject): Signer {
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).toString('hex');
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('hex').slice(PKCS8.length);
  const key = toVerifierKey(hashHex, name, ED25519, publicKey.slice(SPKI.length));
  return {
    key,
    secret: `${PREFIX}${name}+${key.keyId}+${hexToBase64(ED25519 + seed)}`,
    /** Returns the text as a signed note. */
    sign: (text) =>
      `${text}\n${formatSignature(key, sign(null, Buffer.from(text), privateKey).toString('hex'))}`,
  };
}

/** Returns the public part of a key, as others are given it. */
export const describeKey = ({ key }: Signer): string => formatVerifierKey(key);
