const OTHER_SPACES = /(?! )\p{Zs}/gu;

/** Returns a password as it is compared (RFC 8265, OpaqueString): keyboards compose characters and type spaces differently. */
export function toOpaqueString(password: string): string {
  return password.replace(OTHER_SPACES, ' ').normalize('NFC');
}
