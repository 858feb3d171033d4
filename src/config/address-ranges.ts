import { BlockList, isIP } from 'node:net';

/** Addresses from `first` to `last`, both included, as numbers. */
type Range = { first: bigint; last: bigint };

const ALL_IPV4: Range = { first: 0n, last: 2n ** 32n - 1n };
/** `2000::/3`. Every public IPv6 address is one of these. */
const ALL_PUBLIC_IPV6: Range = { first: 2n ** 125n, last: 2n ** 126n - 1n };
const MAPPED_IPV4_PREFIX = 96;

/**
 * Returns true when addresses and CIDRs together contain all of IPv4 or all of public IPv6: `0.0.0.0/1` and
 * `128.0.0.0/1`, for example, or `::ffff:0:0/96`, which stands for all of IPv4.
 */
export function containsEveryAddress(items: readonly string[]): boolean {
  const { ipv4 = [], ipv6 = [] } = Object.groupBy(items.map(toRange), ({ family }) => family);
  return contains(ipv4, ALL_IPV4) || contains(ipv6, ALL_PUBLIC_IPV6);
}

function contains(ranges: readonly Range[], whole: Range): boolean {
  let next = whole.first;
  for (const { first, last } of ranges.toSorted((a, b) => (a.first < b.first ? -1 : 1))) {
    if (first > next) return false;
    if (last >= next) next = last + 1n;
  }
  return next > whole.last;
}

/** Returns the range of a valid item. A range of IPv4 inside IPv6 counts as IPv4, as proxy-addr reads it. */
function toRange(item: string): Range & { family: 'ipv4' | 'ipv6' } {
  const [address = '', prefix] = item.split('/');
  const isMapped = isIP(address) === 6 && MAPPED_IPV4.check(address, 'ipv6');
  const bits = isIP(address) === 4 ? 32 : 128;
  const length = prefix === undefined ? bits : Number(prefix);
  const size = 2n ** BigInt(bits - length);
  const value = bits === 32 ? ipv4ToNumber(address) : ipv6ToNumber(address);
  const first = value - (value % size);
  if (!isMapped || length < MAPPED_IPV4_PREFIX) {
    return { family: bits === 32 ? 'ipv4' : 'ipv6', first, last: first + size - 1n };
  }
  const embedded = first % 2n ** 32n;
  return { family: 'ipv4', first: embedded, last: embedded + size - 1n };
}

const MAPPED_IPV4 = new BlockList();
MAPPED_IPV4.addSubnet('::ffff:0:0', MAPPED_IPV4_PREFIX, 'ipv6');

function ipv4ToNumber(address: string): bigint {
  return address.split('.').reduce((number, part) => number * 256n + BigInt(part), 0n);
}

/** The URL parser gives the canonical form, without dots and with at most one `::`. */
function ipv6ToNumber(address: string): bigint {
  const [before = '', after] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = before === '' ? [] : before.split(':');
  const trailing = after === undefined || after === '' ? [] : after.split(':');
  const zeros = Array<string>(8 - groups.length - trailing.length).fill('0');
  return [...groups, ...zeros, ...trailing].reduce(
    (number, group) => number * 65_536n + BigInt(`0x${group}`),
    0n,
  );
}
