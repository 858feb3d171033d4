import { Buffer, isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import { codeOf } from '../../error-details.ts';

/** The image of the brand, with its type as its content shows it. */
export type BrandLogo = { bytes: Buffer; mediaType: string; extension: string };

/** Every visitor page contains the logo. */
const MAX_LOGO_BYTES = 64 * 1024;

/** The root element, after what XML allows before it. */
const SVG_START = /^\uFEFF?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--[\s\S]*?-->\s*|<!DOCTYPE[^>[]*>\s*)*<svg[\s>]/i;

const TYPES: readonly { mediaType: string; extension: string; matches(bytes: Buffer): boolean }[] = [
  { mediaType: 'image/png', extension: 'png', matches: (bytes) => startsWith(bytes, '\x89PNG\r\n\x1a\n') },
  { mediaType: 'image/jpeg', extension: 'jpg', matches: (bytes) => startsWith(bytes, '\xff\xd8\xff') },
  {
    mediaType: 'image/webp',
    extension: 'webp',
    matches: (bytes) => startsWith(bytes, 'RIFF') && startsWith(bytes.subarray(8), 'WEBP'),
  },
  {
    mediaType: 'image/svg+xml',
    extension: 'svg',
    matches: (bytes) => isUtf8(bytes) && SVG_START.test(bytes.toString('utf8')),
  },
];

/**
 * Reads the logo. Its content decides its type, not its name.
 *
 * @throws Error when it cannot be read, is too large, or is not such an image
 */
export async function readBrandLogo(path: string): Promise<BrandLogo> {
  const bytes = await readBounded(path).catch((error: Error) => {
    throw new Error(
      `the file cannot be read (${codeOf(error) ?? error.message}); it must be the path of an image`,
    );
  });
  if (bytes.length > MAX_LOGO_BYTES)
    throw new Error('the file has more than 64 KB; it must have at most 64 KB');
  const type = TYPES.find(({ matches }) => matches(bytes));
  if (!type) throw new Error('the file is not a PNG, SVG, JPEG or WebP image; convert it to one of them');
  return { bytes, mediaType: type.mediaType, extension: type.extension };
}

/** Reads a file, of a large one only a byte more than is allowed. */
async function readBounded(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const buffer = Buffer.alloc(MAX_LOGO_BYTES + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length);
      length += bytesRead;
      if (bytesRead === 0 || length === buffer.length) return buffer.subarray(0, length);
    }
  } finally {
    await file.close();
  }
}

function startsWith(bytes: Buffer, latin1: string): boolean {
  return bytes.subarray(0, latin1.length).equals(Buffer.from(latin1, 'latin1'));
}
