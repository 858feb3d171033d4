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
function cutToBytes(text: string, maxBytes: number): string {
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(maxBytes)).read);
}

/**
 * Cleans the names of the files of a set, whose folders are separated by slashes. Each name is there once, also where case
 * does not count, and none is that of a folder: the second `a/b.txt` becomes `a/b (2).txt`.
 */
export function cleanFilePaths(names: readonly string[]): string[] {
  const folders = new Set<string>();
  const paths = names.map((name) => {
    const segments = name.split('/').filter((segment) => !['', '.', '..'].includes(segment.trim()));
    const cleaned = segments.slice(-MAX_DEPTH).map(cleanFileName);
    for (let depth = 1; depth < cleaned.length; depth++)
      folders.add(toKey(cleaned.slice(0, depth).join('/')));
    return cleaned.length === 0 ? 'file' : cleaned.join('/');
  });
  const taken = new Set<string>(folders);
  const numbers = new Map<string, number>();
  return paths.map((path) => {
    let free = path;
    while (taken.has(toKey(free))) {
      const number = (numbers.get(toKey(path)) ?? 1) + 1;
      numbers.set(toKey(path), number);
      const extension = extname(path);
      free = `${path.slice(0, path.length - extension.length)} (${number})${extension}`;
    }
    taken.add(toKey(free));
    return free;
  });
}

/** Folders above so many are left out of a path. */
const MAX_DEPTH = 32;

const toKey = (path: string): string => path.normalize('NFC').toLowerCase();

/** Returns the name of the ZIP of a set: that of the folder that all its files are in. */
export function nameOfSet(paths: readonly string[]): string {
  const [folder, ...others] = new Set(paths.map((path) => (path.includes('/') ? path.split('/', 1)[0] : '')));
  return folder && others.length === 0 ? cleanFileName(`${folder}.zip`) : 'files.zip';
}
