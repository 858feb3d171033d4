// Recognises what a proxy in front of the service responds in its place, for the pages and the command line.

/** What a response of a proxy means. `PROXY_NO_RESPONSE`: the proxy waited in vain for the service. */
export type ProxyErrorCode = 'PROXY_TOO_LARGE' | 'PROXY_NO_RESPONSE' | 'PROXY_RESPONSE';
/** `proxy`: as it names itself, such as `nginx/1.24.0`; empty where it does not. */
export type ProxyError = { code: ProxyErrorCode; proxy: string };

type Response = {
  status: number;
  /** Returns a header; null or undefined for one that is missing. */
  header: (name: string) => string | null | undefined;
  /** The parsed body; undefined for one that is not JSON. */
  record: unknown;
};

const TOO_LARGE = 413;
const NO_RESPONSE = [502, 503, 504];

/** Returns what a response means that the service did not write; undefined for one of the service. */
export function findProxyError({ status, header, record }: Response): ProxyError | undefined {
  const isError = typeof record === 'object' && record !== null && 'message' in record;
  if (isError || header('x-correlation-id')) return undefined; // each response of the service has one of them
  const proxy = header('server') ?? '';
  if (status === TOO_LARGE) return { code: 'PROXY_TOO_LARGE', proxy };
  return { code: NO_RESPONSE.includes(status) ? 'PROXY_NO_RESPONSE' : 'PROXY_RESPONSE', proxy };
}

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
