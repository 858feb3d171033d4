import { promises as dns } from 'node:dns';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

/** An address that a name has. */
export type ResolvedAddress = { address: string; family: number };

/** Returns all addresses of a host name. Rejects soon after `signal` is aborted. */
export type Resolve = (hostName: string, signal: AbortSignal) => Promise<ResolvedAddress[]>;

type ResolveOptions = {
  /** Test overrides. */
  servers?: readonly string[];
  hostsPath?: string;
  configurationPath?: string;
  timeoutMs?: number;
};

const TRIES = 2;
const TRY_MS = 1_500;
/** For all queries of a name, with those in the search domains. */
const TIMEOUT_MS = 4_500;

/**
 * Prepares looking up names of receivers with queries of its own. The lookup of the operating system takes threads that
 * files and databases need too, and some names are never answered. The hosts file and the search domains are followed.
 */
export function prepareResolveName(options: ResolveOptions = {}): Resolve {
  const { hostsPath = '/etc/hosts', configurationPath = '/etc/resolv.conf' } = options;
  return async (hostName, signal) => {
    const name = hostName.toLowerCase().replace(/\.$/, '');
    const known = await findInHosts(name, hostsPath);
    if (known.length > 0) return known;
    const domains = hostName.endsWith('.') ? [] : await readSearchDomains(configurationPath);
    return query([name, ...domains.map((domain) => `${name}.${domain}`)], options, signal);
  };
}

/** Returns the addresses of the first of these names that has some. */
async function query(
  names: readonly string[],
  { servers, timeoutMs = TIMEOUT_MS }: ResolveOptions,
  signal: AbortSignal,
): Promise<ResolvedAddress[]> {
  signal.throwIfAborted();
  const resolver = new dns.Resolver({ timeout: TRY_MS, tries: TRIES });
  if (servers) resolver.setServers(servers);
  const cancel = (): void => resolver.cancel();
  const late = setTimeout(cancel, timeoutMs);
  signal.addEventListener('abort', cancel);
  try {
    for (const name of names) {
      const addresses = await queryBoth(resolver, name);
      if (addresses.length > 0) return addresses;
    }
    return [];
  } finally {
    clearTimeout(late);
    signal.removeEventListener('abort', cancel);
  }
}

async function queryBoth(resolver: dns.Resolver, name: string): Promise<ResolvedAddress[]> {
  const [v4, v6] = await Promise.all([settle(resolver.resolve4(name)), settle(resolver.resolve6(name))]);
  const addresses = [...toAddresses(v4.addresses, 4), ...toAddresses(v6.addresses, 6)];
  const error = v4.error ?? v6.error;
  if (addresses.length === 0 && error !== undefined) throw error;
  return addresses;
}

/** Returns the addresses of a response, or what prevented one. */
async function settle(response: Promise<string[]>): Promise<{ addresses: string[]; error?: unknown }> {
  try {
    return { addresses: await response };
  } catch (error) {
    return isAbsence(error) ? { addresses: [] } : { addresses: [], error };
  }
}

/** Returns whether a server responded that there is no such name, or no such address of it. */
function isAbsence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(ENOTFOUND|ENODATA)$/.test(String(error.code));
}

const toAddresses = (addresses: readonly string[] = [], family: number): ResolvedAddress[] =>
  addresses.map((address) => ({ address, family }));

/** Returns the addresses of a name in the hosts file, and of `localhost`, which needs no line there (RFC 6761). */
async function findInHosts(name: string, path: string): Promise<ResolvedAddress[]> {
  const found = (await readLines(path))
    .filter(([, ...names]) => names.some((each) => each.toLowerCase() === name))
    .map(([address = '']) => ({ address, family: isIP(address) }))
    .filter(({ family }) => family !== 0);
  const isLocal = name === 'localhost' || name.endsWith('.localhost');
  return found.length === 0 && isLocal
    ? [...toAddresses(['127.0.0.1'], 4), ...toAddresses(['::1'], 6)]
    : found;
}

/** Returns the domains of the last line of the resolver's configuration that names some. */
async function readSearchDomains(path: string): Promise<string[]> {
  const lines = await readLines(path);
  return lines.findLast(([keyword]) => keyword === 'search' || keyword === 'domain')?.slice(1, 7) ?? [];
}

/** Returns the words of each line, without comments; none where there is no such file. */
async function readLines(path: string): Promise<string[][]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.split('\n').map((line) =>
    line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/),
  );
}
