/** A container holds the numbers that share their upper bits: 2^16 of them. */
const CONTAINER_BITS = 16;
const CONTAINER_WORDS = 2 ** CONTAINER_BITS / 32;
/** From this count on a bitmap of 8 KiB is added faster than a list, and is at most twice as long. */
const MIN_BITMAP_COUNT = 2_048;
const BITMAP_LENGTH = CONTAINER_WORDS * 2;

/**
 * A set of numbers from 0 to 2^32 - 1, as in Roaring bitmaps: in memory a bitmap for each container, encoded a
 * bitmap or a sorted list. It takes 8 KiB of memory for each 65,536 numbers that exist.
 */
export function createNumberSet() {
  const containers = new Map<number, Uint32Array>();

  function containerOf(key: number): Uint32Array {
    const found = containers.get(key);
    if (found) return found;
    const added = new Uint32Array(CONTAINER_WORDS);
    containers.set(key, added);
    return added;
  }

  return {
    add(number: number): void {
      setBit(containerOf(number >>> CONTAINER_BITS), number & 0xffff);
    },
    /** Adds the numbers of an encoded set. */
    addEncoded(encoded: Uint8Array): void {
      const values = toShorts(encoded);
      for (let at = 0; at < values.length; ) {
        const container = containerOf(valueAt(values, at));
        const count = valueAt(values, at + 1) + 1;
        const length = count < MIN_BITMAP_COUNT ? count : BITMAP_LENGTH;
        const content = values.subarray(at + 2, at + 2 + length);
        if (content.length < length) throw new Error('an encoded set of numbers is cut off');
        if (count < MIN_BITMAP_COUNT) for (const value of content) setBit(container, value);
        else addBitmap(container, content);
        at += 2 + length;
      }
    },
    /** Counts the numbers. */
    size(): number {
      let size = 0;
      for (const container of containers.values()) size += countBits(container);
      return size;
    },
    /**
     * Encodes the set: for each container, in the order of their keys, the key, the count minus 1, and the list or the
     * bitmap; all as 16 bits, low byte first. Equal sets have equal bytes.
     */
    encode(): Uint8Array {
      const parts: Uint16Array[] = [];
      for (const [key, container] of [...containers].sort(([a], [b]) => a - b)) {
        const count = countBits(container);
        parts.push(Uint16Array.of(key, count - 1));
        parts.push(count < MIN_BITMAP_COUNT ? listOf(container, count) : new Uint16Array(container.buffer));
      }
      return Buffer.concat(
        parts.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
      );
    },
  };
}

/** Views bytes as 16-bit numbers, which every processor that Node runs on stores low byte first. */
function toShorts(bytes: Uint8Array): Uint16Array {
  const aligned = bytes.byteOffset % 2 === 0 ? bytes : bytes.slice();
  return new Uint16Array(aligned.buffer, aligned.byteOffset, aligned.byteLength >>> 1);
}

/** Reads a typed array within its length, where the compiler sees no bound. */
function valueAt(values: Uint16Array | Uint32Array, index: number): number {
  return values[index] ?? 0;
}

function setBit(container: Uint32Array, bit: number): void {
  const word = bit >>> 5;
  container[word] = valueAt(container, word) | (1 << (bit & 31));
}

function addBitmap(container: Uint32Array, bitmap: Uint16Array): void {
  // A copy, because the bytes of a database begin at any address.
  const words = new Uint32Array(bitmap.slice().buffer);
  for (let word = 0; word < CONTAINER_WORDS; word++)
    container[word] = valueAt(container, word) | valueAt(words, word);
}

function listOf(container: Uint32Array, count: number): Uint16Array {
  const list = new Uint16Array(count);
  let length = 0;
  for (let word = 0; word < CONTAINER_WORDS; word++) {
    // Each round clears the lowest bit that is set.
    for (let bits = valueAt(container, word); bits !== 0; bits &= bits - 1)
      list[length++] = (word << 5) | (31 - Math.clz32(bits & -bits));
  }
  return list;
}

/** Counts bits, those of each word in parallel (Warren, Hacker's Delight, 5-1). */
function countBits(container: Uint32Array): number {
  let count = 0;
  for (const word of container) {
    let bits = word - ((word >>> 1) & 0x55555555);
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
    count += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}
