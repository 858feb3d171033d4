/** The beginning of a file by which its type is found. */
export const PICTURE_BYTES = 12;

/** The types of pictures that browsers show without running anything, unlike SVG, by their first bytes in hexadecimal digits. */
const TYPES: readonly (readonly [beginning: RegExp, type: string])[] = [
  [/^89504e470d0a1a0a/, 'image/png'],
  [/^ffd8ff/, 'image/jpeg'],
  [/^474946383[79]61/, 'image/gif'], // GIF87a, GIF89a
  [/^52494646.{8}57454250/, 'image/webp'], // RIFF, a size, WEBP
  [/^.{8}66747970617669(?:66|73)/, 'image/avif'], // a size, ftypavif or ftypavis
];

/** Returns the media type of a picture by its first bytes; undefined for any other file. */
export function findPictureType(bytes: Buffer): string | undefined {
  const beginning = bytes.toString('hex', 0, PICTURE_BYTES);
  return TYPES.find(([pattern]) => pattern.test(beginning))?.[1];
}
