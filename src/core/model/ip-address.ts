import { isIP } from 'node:net';

const MAPPED_IPV4 = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/;

/** Returns an address in its canonical form, IPv4 inside IPv6 as IPv4; null for a text that is none. */
export function toPlainAddress(text: string): string | null {
  const [withoutZone = ''] = text.split('%', 1);
  const address = withoutZone.toLowerCase();
  const version = isIP(address);
  if (version !== 6) return version === 4 ? address : null;
  // The URL parser shortens an IPv6 address to its canonical form (RFC 5952), without dots.
  const shortest = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, high, low] = MAPPED_IPV4.exec(shortest) ?? [];
  if (high === undefined || low === undefined) return shortest;
  const bytes = [high, low]
    .map((half) => Number.parseInt(half, 16))
    .flatMap((half) => [half >> 8, half & 0xff]);
  return bytes.join('.');
}

/** An IPv4 address behind NAT64 (RFC 6052), in canonical form: the prefix 64:ff9b::/96 holds all of IPv4. */
const NAT64 = /^64:ff9b::[0-9a-f]*(?::[0-9a-f]+)?$/;

/** The first bits of an IPv6 address by which clients are distinguished. */
export type Ipv6PrefixBits = 48 | 64;

/**
 * Returns the key under which requests of a client are counted: its IPv4 address, or the first bits of its IPv6
 * address, because one subscriber has at least 64 bits of addresses. Of NAT64 it is the whole address. Clients without
 * an address share a key.
 *
 * @param address as the audit records it: IPv6 in its canonical form (RFC 5952)
 */
export function clientKeyOf(address: string | null, prefixBits: Ipv6PrefixBits = 64): string {
  if (address === null) return 'unknown';
  const isNetwork = address.includes(':') && !NAT64.test(address);
  return isNetwork ? `${networkOf(address, prefixBits)}::/${prefixBits}` : address;
}

const GROUPS = 8;
const GROUP_BITS = 16;

function networkOf(address: string, prefixBits: Ipv6PrefixBits): string {
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const last = tail === '' ? [] : tail.split(':');
    groups.push(...Array<string>(GROUPS - groups.length - last.length).fill('0'), ...last);
  }
  return groups.slice(0, prefixBits / GROUP_BITS).join(':');
}
