import { Buffer } from 'node:buffer';
import { extname } from 'node:path/posix';

/** "at most 255 bytes", the limit of common file systems. */
const MAX_BYTES = 255;

/** A longer "extension" is more likely the end of a sentence, and may be cut. */
const MAX_EXTENSION_BYTES = 16;

/**
 * Control characters, line separators, and format characters that are invisible: those of text direction
 * (`a\u202Efdp.exe` is displayed as `aexe.pdf`), zero-width spaces, tags. The two joiners stay: words of
 * Persian and Hindi, and many emoji, need them.
 */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}[[\p{Cf}&&\p{Default_Ignorable_Code_Point}]--[\u200c\u200d]]]/gv;

/** Cleans a name. "The original file name is kept without any path, control characters removed, at most 255 bytes." */
export function cleanFileName(name: string | undefined): string {
  const text = (name ?? '').toWellFormed();
  const afterPath = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1);
  const cleaned = afterPath.replace(CONTROLS, '');
  return cleaned === '' || cleaned === '.' || cleaned === '..' ? 'file' : shorten(cleaned);
}

function shorten(name: string): string {
  if (Buffer.byteLength(name) <= MAX_BYTES) return name;
  const extension = extname(name);
  const extensionBytes = Buffer.byteLength(extension);
  if (extensionBytes > MAX_EXTENSION_BYTES) return cutToBytes(name, MAX_BYTES);
  return cutToBytes(name, MAX_BYTES - extensionBytes) + extension;
}

/** Returns the longest prefix of whole code points that fits into `maxBytes` of UTF-8. */
export function cutToBytes(text: string, maxBytes: number): string {
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(maxBytes)).read);
}
