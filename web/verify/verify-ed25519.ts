import { ed25519 } from '@noble/curves/ed25519.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { VerifyEd25519 } from '../../src/core/model/signed-note.ts';

const { Point } = ed25519;

/**
 * Accepts the signatures that OpenSSL accepts, with which the command line verifies. ZIP 215 and RFC 8032 allow more: points of
 * small order, with which a key signs any text, and a point that differs from the right one by such a point.
 */
export const verifyEd25519: VerifyEd25519 = (publicKey, message, signature) => {
  try {
    const [key, text, signed] = [hexToBytes(publicKey), utf8ToBytes(message), hexToBytes(signature)];
    if (!ed25519.verify(signed, text, key, { zip215: false })) return false;
    const [start, s] = [signed.slice(0, 32), toNumber(signed.slice(32))];
    const digest = toNumber(sha512(concatBytes(start, key, text))) % Point.Fn.ORDER;
    const expected = Point.BASE.multiplyUnsafe(s).subtract(Point.fromBytes(key).multiplyUnsafe(digest));
    return !expected.isSmallOrder() && expected.equals(Point.fromBytes(start));
  } catch {
    return false; // of another length, or no point of the curve
  }
};

const toNumber = (bytes: Uint8Array): bigint =>
  bytes.reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n);
