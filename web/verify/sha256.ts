import type { Sha256 } from '../../src/core/model/hashed-text.ts';
import type { FingerprintChain } from '../../src/core/use-cases/history/exported/chain-of-batches.ts';

// `crypto.subtle` takes longer for a short text, lacks streams, and is for https alone.

/** The parts that `web/compile-sha256.ts` writes. */
export type Sha256Parts = {
  START: readonly number[];
  compress(state: Int32Array, view: DataView, position: number): void;
};

const BLOCK_BYTES = 64;
/** The end of a text takes so many bytes more at most. */
const PADDING_BYTES = 72;
const FINGERPRINT_BYTES = 64;
/** A text of an entry has fewer characters, with rare exceptions. Its bytes are three times as many at most. */
const MAX_CHARACTERS = 4_096;

/** Bytes to hash. They are read by a view: that takes less time than a number of single bytes. */
type Input = { bytes: Uint8Array; view: DataView };

/** Returns an input for a text of so many bytes. */
function allocate(textBytes: number): Input {
  const bytes = new Uint8Array(textBytes + PADDING_BYTES);
  return { bytes, view: new DataView(bytes.buffer) };
}

/** Hashes the first bytes of an input, and overwrites up to 72 after them. */
function hashStart(
  { START, compress }: Sha256Parts,
  state: Int32Array,
  { bytes, view }: Input,
  length: number,
): void {
  state.set(START);
  const end = Math.ceil((length + 9) / BLOCK_BYTES) * BLOCK_BYTES;
  bytes.fill(0, length, end);
  bytes[length] = 0x80;
  view.setUint32(end - 4, length * 8); // less than 2 ** 32
  for (let position = 0; position < end; position += BLOCK_BYTES) compress(state, view, position);
}

const DIGITS = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));

/** Writes a hash as hexadecimal digits in ASCII. */
function writeHex(state: Int32Array, to: { [index: number]: number }): void {
  for (let digit = 0; digit < FINGERPRINT_BYTES; digit++)
    to[digit] = DIGITS[((state[digit >>> 3] ?? 0) >>> (28 - 4 * (digit & 7))) & 15] ?? 0;
}

const codes = new Array<number>(FINGERPRINT_BYTES).fill(0);

/** One call makes the text: joined parts take longer, most when it is read. */
function toHex(state: Int32Array): string {
  writeHex(state, codes);
  return String.fromCharCode(...codes);
}

/** Returns a function that hashes texts. It encodes them in one buffer: a new one for each takes longer than the hash. */
export function prepareSha256(parts: Sha256Parts): Sha256 {
  const encoder = new TextEncoder();
  const usual = allocate(3 * MAX_CHARACTERS);
  const state = new Int32Array(8);
  return (text) => {
    const input = text.length <= MAX_CHARACTERS ? usual : allocate(3 * text.length);
    hashStart(parts, state, input, encoder.encodeInto(text, input.bytes).written);
    return toHex(state);
  };
}

/** Returns an empty chain. */
export function createFingerprintChain(parts: Sha256Parts): FingerprintChain {
  const state = new Int32Array(8);
  const usualBytes = FINGERPRINT_BYTES + 3 * MAX_CHARACTERS;
  const usual = allocate(usualBytes);
  let isEmpty = true;
  return {
    add(text) {
      const before = isEmpty ? 0 : FINGERPRINT_BYTES;
      const length = before + text.length;
      const input = length > usualBytes ? allocate(length) : usual;
      if (!isEmpty) writeHex(state, input.bytes);
      input.bytes.set(text, before);
      hashStart(parts, state, input, length);
      isEmpty = false;
    },
    has: (fingerprint) =>
      fingerprint.charCodeAt(0) === DIGITS[(state[0] ?? 0) >>> 28] && toHex(state) === fingerprint,
    get fingerprint() {
      return isEmpty ? '' : toHex(state);
    },
  };
}
