import { Buffer } from 'node:buffer';
import { extname } from 'node:path/posix';

/** "at most 255 bytes": what common filesystems allow a name. */
const MAX_BYTES = 255;

/** A longer "extension" is rather the end of a sentence, and nobody would miss it. */
const MAX_EXTENSION_BYTES = 16;

/** Controls, also those of writing direction, which disguise an extension: `a\u202Efdp.exe` shows as `aexe.pdf`. */
const CONTROLS = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** "The original file name is kept without any path, control characters removed, at most 255 bytes." */
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

/** The longest beginning of whole code points that fits in `maxBytes` of UTF-8. */
function cutToBytes(text: string, maxBytes: number): string {
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(maxBytes)).read);
}
