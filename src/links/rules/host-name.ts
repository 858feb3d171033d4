/** DNS has no longer names. */
const MAX_NAME_CHARACTERS = 253;

const IPV4_IN_IPV6 = /^\[::ffff:(?<high>[0-9a-f]{1,4}):(?<low>[0-9a-f]{1,4})\]$/;

/**
 * Returns the host of a URL in one spelling: ASCII in lower case without the root's dot, IPv4 as four decimal
 * numbers, IPv6 in brackets. The URL parser normalises the rest (Unicode, percent-encoding, `0x7f.1`).
 */
export function hostNameOf({ hostname }: URL): string {
  const { high, low } = IPV4_IN_IPV6.exec(hostname)?.groups ?? {};
  if (high !== undefined && low !== undefined) return [...toBytes(high), ...toBytes(low)].join('.');
  let end = hostname.length;
  while (hostname[end - 1] === '.') end -= 1; // a regular expression would take quadratic time
  return end === 0 ? hostname : hostname.slice(0, end); // `http://.` leads to the root alone
}

function toBytes(hex: string): [number, number] {
  const value = Number.parseInt(hex, 16);
  return [value >> 8, value & 0xff];
}

/** Returns the name's parent domains, beginning with the shortest, then the name itself. Skips longer ones than DNS has. */
export function* suffixesOf(hostName: string): Generator<string> {
  let start = hostName.length;
  while (start > 0 && hostName.length - start <= MAX_NAME_CHARACTERS) {
    start = hostName.lastIndexOf('.', start - 1);
    yield hostName.slice(start + 1);
  }
}
