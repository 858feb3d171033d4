import { isIP } from 'node:net';
import { hostNameOf, isParsableAuthority, suffixesOf } from '../model/host-name.ts';
import { accept, type Parsed } from '../model/parsed.ts';

/** Host names and addresses as `hostNameOf` spells them. A name includes its subdomains. */
export type BlockedHosts = ReadonlySet<string>;

/** Characters that a URL has around a host, and wildcards. */
const NOT_OF_A_HOST = /[\s/?#@\\:%*]/;

const MAX_QUOTED_CHARACTERS = 100;

/**
 * Reads a list of hosts, one per line. Text after `#` is a comment. Names may be in Unicode or Punycode, and in
 * any case. The error names the first line that is no host.
 */
export function parseBlockedHosts(text: string): Parsed<BlockedHosts, string> {
  const hosts = new Set<string>();
  for (const [index, line] of text.split('\n').entries()) {
    const entry = line.replace(/#.*/, '').trim();
    if (entry === '') continue;
    const host = parseHost(entry);
    if (host === undefined) {
      const quoted = JSON.stringify(entry.slice(0, MAX_QUOTED_CHARACTERS));
      return {
        ok: false,
        error: `line ${index + 1}: ${quoted} must be a host name or an IP address without scheme, port, path or wildcard, such as evil.example, which includes its subdomains`,
      };
    }
    hosts.add(host);
  }
  return accept(hosts);
}

function parseHost(entry: string): string | undefined {
  const address = entry.replace(/^\[(.*)\]$/, '$1');
  const isIpv6 = isIP(address) === 6;
  if (!isIpv6 && (NOT_OF_A_HOST.test(entry) || !isParsableAuthority(entry))) return undefined;
  const url = URL.parse(`http://${isIpv6 ? `[${address}]` : entry}/`);
  const host = url ? hostNameOf(url) : '';
  return host === '' || host.startsWith('.') || host.includes('..') ? undefined : host;
}

/** Returns the entry of the list that blocks a host name. */
export function findBlockingEntry(hosts: BlockedHosts, hostName: string): string | undefined {
  for (const suffix of suffixesOf(hostName)) if (hosts.has(suffix)) return suffix;
  return undefined;
}
