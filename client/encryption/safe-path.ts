/** Names that Windows gives to devices. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * Returns the parts of the path of a file in an archive, below the folder into which it is unpacked. Undefined for a path
 * that leads out of it, or names no file. Characters that have a meaning for some system become `_`.
 */
export function toSafePath(name: string): string[] | undefined {
  const parts = name.split('/').filter((part) => part !== '.' && part !== '');
  if (name.startsWith('/') || name.endsWith('/') || parts.length === 0 || parts.includes('..'))
    return undefined;
  return parts.map((part) => {
    const plain = part.replaceAll(/[\\:*?"<>|\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '_').replace(/[. ]$/, '_');
    return DEVICE.test(plain) ? `_${plain}` : plain;
  });
}
