import { Buffer, isUtf8 } from 'node:buffer';
import { accept } from '../../model/parsed.ts';
import { fileParser, type Parser, refuse } from '../parsers.ts';
import { unset } from '../property.ts';

const MAX_NAME_CHARACTERS = 40;

/** Parses the name that the pages show in place of "Postern". */
const parseBrandName: Parser<string> = (text) => {
  const name = text.trim();
  const isValid = name.isWellFormed() && !/\p{Cc}/u.test(name);
  return isValid && name.length >= 1 && name.length <= MAX_NAME_CHARACTERS
    ? accept(name)
    : refuse(`must be a name of 1 to ${MAX_NAME_CHARACTERS} characters without control characters`);
};

/** Parses a hex colour as in CSS. The value has six digits in lower case. */
const parseBrandColor: Parser<string> = (text) => {
  if (!/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(text))
    return refuse('must be a CSS hex colour with 3 or 6 digits, such as #0b5394');
  const digits = text.slice(1).toLowerCase();
  return accept(`#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`);
};

/** The image of the brand, with its type as its content shows it. */
export type BrandLogo = { bytes: Buffer; mediaType: string; extension: string };

/** The root element, after what XML allows before it. A comment ends at its first `-->`: otherwise many would take very long. */
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
const parseBrandLogo = fileParser<BrandLogo>({
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

/** The brand that the pages show. */
export const BRAND_PROPERTIES = {
  brand: {
    name: unset({
      name: 'app.brand.name',
      parse: parseBrandName,
      meaning: 'name of the service on pages and in mails, in place of Postern, at most 40 characters',
    }),
    logo: unset({
      name: 'app.brand.logo',
      parse: parseBrandLogo,
      meaning: 'path of a PNG, SVG, JPEG or WebP image of at most 64KB that pages show in place of the icon',
    }),
    color: unset({
      name: 'app.brand.color',
      parse: parseBrandColor,
      meaning:
        'CSS hex colour of buttons and links, such as #0b5394; made darker or lighter until text is readable (4.5:1)',
    }),
  },
};
