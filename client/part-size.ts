// The size of the parts of an upload, for the pages and the command line.

/** No proxy has a smaller limit. Below the second, no part takes so long that a proxy stops waiting for the service. */
const LEAST_BYTES = new Map<unknown, number>([
  ['PROXY_TOO_LARGE', 64 * 1024],
  ['PROXY_NO_RESPONSE', 1024 ** 2],
]);

/** The size of the parts of an upload, which gets smaller where a proxy lets no larger ones pass. */
export type PartSize = {
  readonly bytes: number;
  /** Notes that a part of this size arrived. */
  arrived(bytes: number): void;
  /** Halves the size after a part of `sentBytes` did not pass. Returns false where that cannot help. */
  shrink(code: string | null | undefined, sentBytes: number): boolean;
};

export function createPartSize(mostBytes: number): PartSize {
  let bytes = mostBytes;
  let arrivedBytes = 0;
  return {
    get bytes() {
      return bytes;
    },
    arrived(partBytes) {
      arrivedBytes = Math.max(arrivedBytes, partBytes);
    },
    shrink(code, sentBytes) {
      const failedBytes = Math.min(bytes, sentBytes);
      const least = Math.max(LEAST_BYTES.get(code) ?? failedBytes, arrivedBytes);
      if (failedBytes <= least) return false;
      bytes = Math.max(least, Math.floor(failedBytes / 2));
      return true;
    },
  };
}
