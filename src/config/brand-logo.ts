import { Buffer, isUtf8 } from 'node:buffer';
import { accept } from '../links/rules/parsed.ts';
import { fileParser } from './file-parser.ts';
import { refuse } from './parsers.ts';

/** The image of the brand, with its type as its content shows it. */
export type BrandLogo = { bytes: Buffer; mediaType: string; extension: string };

/** The root element, after what XML allows before it. A comment ends at its first `-->`: otherwise many take for ever. */
const SVG_START =
  /^\uFEFF?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*|<!DOCTYPE[^>[]*>\s*)*<svg[\s>]/i;

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

/** Parses the path of the logo, which it reads. The content decides the type, not the name. */
export const parseBrandLogo = fileParser<BrandLogo>({
  content: 'an image',
  // Every visitor page contains the logo.
  maxBytes: 64 * 1024,
  limit: '64 KB',
  parse(bytes) {
    const type = TYPES.find(({ matches }) => matches(bytes));
    if (!type) return refuse('is not a PNG, SVG, JPEG or WebP image; convert it to one of them');
    return accept({ bytes, mediaType: type.mediaType, extension: type.extension });
  },
});

function startsWith(bytes: Buffer, latin1: string): boolean {
  return bytes.subarray(0, latin1.length).equals(Buffer.from(latin1, 'latin1'));
}
