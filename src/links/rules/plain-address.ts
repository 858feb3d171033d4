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
