import { Buffer } from 'node:buffer';
import path from 'node:path/posix';
import { cleanFileName, cutToBytes } from './file-name.ts';

/** Outer folders of longer names are dropped. Windows opens paths of 260 characters. */
const MAX_BYTES = 1_000;
const MAX_NAME_BYTES = 255;

/**
 * Cleans the names of the files of a set, in the same order. Folders are kept, with `/` between. No two names are the same on
 * a file system that ignores case, and none is that of a folder: such a name gets a number, as in `a (2).txt`.
 */
export function cleanSetNames(sent: readonly (string | undefined)[]): string[] {
  const names = sent.map(cleanPath);
  const taken = new Set(names.flatMap(foldersOf));
  const nextNumbers = new Map<string, number>();
  return names.map((name) => {
    const key = toKey(name);
    let unique = name;
    for (let number = nextNumbers.get(key) ?? 2; taken.has(toKey(unique)); number += 1) {
      unique = addNumber(name, number);
      nextNumbers.set(key, number + 1); // many files of one name need not be compared with each other
    }
    taken.add(toKey(unique));
    return unique;
  });
}

/** Returns the name of the ZIP of a set: that of the folder that all its files are in, else that of the first file. */
export function toZipName(names: readonly string[]): string {
  const [first = ''] = names;
  const [folder = ''] = first.split('/');
  const isCommon = first.includes('/') && names.every((name) => name.startsWith(`${folder}/`));
  const base = isCommon ? folder : path.parse(first).name;
  return cleanFileName(`${base || 'files'}.zip`);
}

function cleanPath(sent = ''): string {
  const segments = sent.split(/[/\\]/).filter((segment) => !['', '.', '..'].includes(segment.trim()));
  const cleaned = segments.length === 0 ? ['file'] : segments.map(cleanFileName);
  while (cleaned.length > 1 && Buffer.byteLength(cleaned.join('/')) > MAX_BYTES) cleaned.shift();
  return cleaned.join('/');
}

/** Returns the keys of the folders that a name is in. */
function foldersOf(name: string): string[] {
  const segments = toKey(name).split('/');
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'));
}

/** Returns the same text for names that a file system may take for one. */
const toKey = (name: string): string => name.normalize('NFC').toLowerCase();

function addNumber(name: string, number: number): string {
  const { dir, name: base, ext } = path.parse(name);
  const suffix = ` (${number})${ext}`;
  const rest = MAX_NAME_BYTES - Buffer.byteLength(suffix);
  const fits = 3 * base.length <= rest; // no UTF-16 unit has more than three bytes in UTF-8
  return path.join(dir, (fits ? base : cutToBytes(base, rest)) + suffix);
}
