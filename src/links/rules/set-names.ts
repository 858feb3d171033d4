import { Buffer } from 'node:buffer';
import path from 'node:path/posix';
import { cleanFileName, cutToBytes } from './file-name.ts';

/** Outer folders of longer names are dropped. Windows opens paths of 260 characters. */
const MAX_BYTES = 1_000;
/** As are those of a name that has more. */
const MAX_SEGMENTS = 100;
const MAX_NAME_BYTES = 255;
const MAX_EXTENSION_BYTES = 16;
/** A longer name is cut to leave room for any number, so that names with the same beginning share their numbers. */
const MAX_NUMBER_BYTES = 10;

/**
 * Cleans the names of the files of a set, in the same order. Folders are kept, with `/` between. No two names are the same on
 * a file system that ignores case, and none is that of a folder: such a name gets a number, as in `a (2).txt`.
 */
export function cleanSetNames(sent: readonly (string | undefined)[]): string[] {
  const names = sent.map(cleanPath);
  const taken = new Set(names.flatMap(foldersOf));
  const nextNumbers = new Map<string, number>();
  return names.map((name) => {
    let unique = name;
    if (taken.has(toKey(name))) {
      const key = toKey(addNumber(name, 0)); // many files with the same numbers need not be compared with each other
      let number = nextNumbers.get(key) ?? 2;
      while (taken.has(toKey(unique))) unique = addNumber(name, number++);
      nextNumbers.set(key, number);
    }
    taken.add(toKey(unique));
    return unique;
  });
}

/** Returns the name of the ZIP of a set: that of the outermost folder of its first file, else that of the file. */
export function toZipName(names: readonly string[]): string {
  const [first = ''] = names;
  const base = first.includes('/') ? first.split('/')[0] : path.parse(first).name;
  return cleanFileName(`${base || 'files'}.zip`);
}

function cleanPath(sent = ''): string {
  const segments = sent.split(/[/\\]/).filter((segment) => !['', '.', '..'].includes(segment.trim()));
  const cleaned = segments.length === 0 ? ['file'] : segments.slice(-MAX_SEGMENTS).map(cleanFileName);
  while (cleaned.length > 1 && Buffer.byteLength(cleaned.join('/')) > MAX_BYTES) cleaned.shift();
  return cleaned.join('/');
}

/** Returns the keys of the folders that a name is in. */
function foldersOf(name: string): string[] {
  const key = toKey(name);
  return Array.from(key.matchAll(/\//g), ({ index }) => key.slice(0, index));
}

/** Returns the same text for names that a file system may take for one. */
const toKey = (name: string): string => name.normalize('NFC').toLowerCase();

function addNumber(name: string, number: number): string {
  const { dir, base } = path.parse(name);
  const extension = path.extname(base);
  const kept = Buffer.byteLength(extension) > MAX_EXTENSION_BYTES ? '' : extension;
  const rest = MAX_NAME_BYTES - MAX_NUMBER_BYTES - Buffer.byteLength(kept);
  return path.join(dir, `${cutToBytes(base.slice(0, base.length - kept.length), rest)} (${number})${kept}`);
}
