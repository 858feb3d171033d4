import { argon2, randomBytes as cryptoRandomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { toOpaqueString } from '../core/model/opaque-string.ts';
import type { PasswordHasher } from '../core/ports/ports.ts';

/**
 * "Use Argon2id with a minimum configuration of 19 MiB of memory, an iteration count of 2, and 1 degree of
 * parallelism" (OWASP Password Storage Cheat Sheet). About 25 ms on one of 2 cores.
 */
const COST: Cost = { memoryKiB: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const TAG_BYTES = 32;

/**
 * libuv's pool has 4 threads on Node 26.10, with 2 processors and with 16 (simulated by an affinity mask),
 * unless UV_THREADPOOL_SIZE is set. File reads, fsync and DNS share them, so at least one thread is left for
 * those. Measured on 2 cores: 81 hashes/s two at a time, 89 three at a time, 88 four at a time.
 */
export const HASHES_AT_ONCE = Math.min(availableParallelism(), 3);

/** The PHC string format, with the bounds of its Argon2 section: a salt of 8 to 48 bytes, a tag of 12 to 64. */
const PHC =
  /^\$argon2id\$v=19\$m=([1-9]\d{0,9}),t=([1-9]\d{0,9}),p=([1-9]\d{0,2})\$([A-Za-z0-9+/]{11,64})\$([A-Za-z0-9+/]{16,86})$/;

type Cost = { memoryKiB: number; passes: number; parallelism: number };
type ParsedHash = { cost: Cost; salt: Uint8Array; tag: Uint8Array };

const UNPADDED = { omitPadding: true };

const deriveInPool = promisify(argon2);

/**
 * Creates a hasher for Argon2id hashes as PHC strings, `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<tag>`. Hashes
 * are computed on libuv's pool, at most `HASHES_AT_ONCE` at a time if the caller heeds it.
 *
 * Rejects a password that is empty or not well-formed, which is the caller's error, and a malformed hash.
 */
export function createArgon2idHasher(
  options: { randomBytes?: (size: number) => Uint8Array; cost?: Cost } = {},
): PasswordHasher {
  const { randomBytes = cryptoRandomBytes, cost = COST } = options;

  return {
    async hash(password) {
      const message = toPasswordBytes(password);
      const salt = randomBytes(SALT_BYTES);
      const tag = await derive(message, { cost, salt, tagBytes: TAG_BYTES });
      return formatPhc({ cost, salt, tag });
    },

    async verify(password, hash) {
      const message = toPasswordBytes(password);
      const { cost, salt, tag } = parsePhc(hash);
      return timingSafeEqual(tag, await derive(message, { cost, salt, tagBytes: tag.length }));
    },
  };
}

function derive(
  message: Uint8Array,
  { cost, salt, tagBytes }: { cost: Cost; salt: Uint8Array; tagBytes: number },
): Promise<Buffer> {
  const { memoryKiB: memory, passes, parallelism } = cost;
  return deriveInPool('argon2id', { message, nonce: salt, memory, passes, parallelism, tagLength: tagBytes });
}

/** Encodes as UTF-8, as it is compared. A lone surrogate would become U+FFFD, and two passwords would share a hash. */
function toPasswordBytes(password: string): Uint8Array {
  if (password === '') throw new TypeError('a password must not be empty');
  if (!password.isWellFormed()) throw new TypeError('a password must be well-formed Unicode');
  return Buffer.from(toOpaqueString(password), 'utf8');
}

function formatPhc({ cost, salt, tag }: ParsedHash): string {
  const parameters = `m=${cost.memoryKiB},t=${cost.passes},p=${cost.parallelism}`;
  return `$argon2id$v=19$${parameters}$${salt.toBase64(UNPADDED)}$${tag.toBase64(UNPADDED)}`;
}

function parsePhc(hash: string): ParsedHash {
  const [, memoryKiB, passes, parallelism, saltText = '', tagText = ''] = PHC.exec(hash) ?? [];
  const salt = Buffer.from(saltText, 'base64');
  const tag = Buffer.from(tagText, 'base64');
  const isCanonical =
    tagText !== '' && salt.toBase64(UNPADDED) === saltText && tag.toBase64(UNPADDED) === tagText;
  // The message reaches the log, so it must not contain the hash.
  if (!isCanonical) throw new Error('a stored password hash is malformed');
  const cost = { memoryKiB: Number(memoryKiB), passes: Number(passes), parallelism: Number(parallelism) };
  return { cost, salt, tag };
}
