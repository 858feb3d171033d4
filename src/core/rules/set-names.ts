import { formatInstant } from '../model/instant.ts';
import type { EpochMs } from '../model/link.ts';
import { titleOfSet } from '../model/set-title.ts';
import { byteLength, CONTROLS, cleanFileName, cutToBytes, splitName, toLocalName } from './file-name.ts';

/** Outer folders of longer names are dropped. Windows opens paths of 260 characters. */
const MAX_BYTES = 1_000;
/** As are those of a name that has more. */
const MAX_SEGMENTS = 100;
const MAX_NAME_BYTES = 255;
/** A longer name is cut to leave room for any number, so that names with the same beginning share their numbers. */
const MAX_NUMBER_BYTES = 10;

/**
 * Cleans the names of the files of a set, in the same order. Folders are kept, with `/` between. No two are saved under the
 * same name, also where case is ignored, and none is that of a folder: such a name gets a number, as in `a (2).txt`.
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

/**
 * Returns the name of the ZIP of a set: that of a folder with all its files, or else of the first file or folder with the number of
 * files besides, such as `lease.pdf + 1.zip`. It never looks like that of one of the files.
 */
export function toZipName(names: readonly string[]): string {
  const [first = ''] = names;
  const outermost = toOutermost(first);
  const others = names.filter((name) => toOutermost(name) !== outermost).length;
  if (others > 0) return nameZip(titleOfSet(outermost, others));
  return nameZip(first.includes('/') ? outermost : first.replace(/(?<=.)\.[^.]*$/, ''));
}

const toOutermost = (name: string): string => name.split('/', 1)[0] ?? '';

/** Returns the name of the ZIP of files that arrived with a file request: by their day in UTC, and their sender if that is known. */
export function nameReceivedZip(sender: string | null, at: EpochMs): string {
  const day = formatInstant(at).slice(0, 10);
  return nameZip(['Received files', day, sender?.replaceAll(/[/\\]/g, '_')].filter(Boolean).join(' '));
}

/** Returns the name of a ZIP with a title, whose final dot is not doubled. */
function nameZip(title = ''): string {
  return cleanFileName(`${title.replace(/(?<!\.)\.+$/, '') || 'files'}.zip`);
}

function cleanPath(sent = ''): string {
  const visible = sent.replace(CONTROLS, '').split(/[/\\]/);
  const segments = visible.filter((segment) => !['', '.', '..'].includes(segment.trim()));
  const cleaned = segments.length === 0 ? ['file'] : segments.slice(-MAX_SEGMENTS).map(cleanFileName);
  while (cleaned.length > 1 && byteLength(cleaned.join('/')) > MAX_BYTES) cleaned.shift();
  return cleaned.join('/');
}

/** Returns the keys of the folders that a name is in. */
function foldersOf(name: string): string[] {
  const key = toKey(name);
  return Array.from(key.matchAll(/\//g), ({ index }) => key.slice(0, index));
}

/** Returns the path at which a file of a cleaned name is saved below a folder. */
export const toLocalPath = (name: string): string => name.split('/').map(toLocalName).join('/');

/** Returns the paths at which the files of an archive are saved below a folder. Each is another one, and none leads out of it. */
export const toLocalPaths = (names: readonly string[]): string[] => cleanSetNames(names).map(toLocalPath);

/** Returns the same text for names that a file system may take for one once they are saved. */
const toKey = (name: string): string => toLocalPath(name).normalize('NFC').toLowerCase().toUpperCase();

function addNumber(name: string, number: number): string {
  const start = name.lastIndexOf('/') + 1;
  const { stem, extension } = splitName(name.slice(start));
  const rest = MAX_NAME_BYTES - MAX_NUMBER_BYTES - byteLength(extension);
  return `${name.slice(0, start)}${cutToBytes(stem, rest)} (${number})${extension}`;
}
