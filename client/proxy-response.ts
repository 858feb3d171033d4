// Recognises what a proxy in front of the service responds in its place, for the pages and the command line.

/** The meaning of a response of a proxy. `PROXY_NO_RESPONSE`: the proxy waited in vain for the service. */
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

/** Returns what a response means that the service did not write; undefined for one of the service. */
export function findProxyError({ status, header, record }: Response): ProxyError | undefined {
  const isError = typeof record === 'object' && record !== null && 'message' in record;
  if (isError || header('x-correlation-id')) return undefined; // each response of the service has one of them
  const proxy = header('server') ?? '';
  const code = status === 413 ? 'TOO_LARGE' : status >= 502 && status <= 504 ? 'NO_RESPONSE' : 'RESPONSE';
  return { code: `PROXY_${code}`, proxy };
}
