import { iterate } from '../../../client/encryption/streams.ts';
import type { AboutArchive, ReadEntry } from '../../../client/encryption/tar.ts';
import { toLocalPaths } from '../../../src/core/rules/set-names.ts';

// Decrypted files go into a file or a folder that the visitor picks, else into the private file system of the browser
// and from there into a download, else into the memory and from there into a download.

/** A decrypted file. `file`: what is downloaded; null for one that is in its place. */
export type Saved = { name: string; file: Blob | null };

/** A place for decrypted files. A file that is not complete is removed. */
export type Destination = { save(entry: ReadEntry): Promise<Saved> };

/** Picks a place, which the browser allows only shortly after a click. Null: the visitor picked none. */
export type PickDestination = (
  about: Pick<AboutArchive, 'files'>,
  firstName: string,
) => Promise<Destination | null>;

/** The parts of the File System Access API that the types of the DOM lack. */
type Pickers = {
  showSaveFilePicker?: (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;
  showDirectoryPicker?: (options: { mode: 'readwrite' }) => Promise<FileSystemDirectoryHandle>;
};
type RemovableHandle = FileSystemFileHandle & { remove?: () => Promise<void> };

/** Up to this size, files go through the memory: it asks for nothing. */
const SMALL_BYTES = 64 * 1024 * 1024;
/** The size that a page can hold in memory on a computer with 2 GB. */
export const MAX_MEMORY_BYTES = 500 * 1024 * 1024;

/** Chooses where the files of a link with so many bytes go. Returns undefined if they are too large for this browser. */
export function chooseDestination(
  sizeBytes: number,
  hasPrivateFiles: boolean,
): { kind: 'READY'; open(): Promise<Destination> } | { kind: 'PICKED'; pick: PickDestination } | undefined {
  const { showSaveFilePicker, showDirectoryPicker }: Pickers = window as Pickers;
  if (sizeBytes <= SMALL_BYTES) return { kind: 'READY', open: async () => memory };
  if (showSaveFilePicker && showDirectoryPicker)
    return {
      kind: 'PICKED',
      pick: (about, name) => pick({ showSaveFilePicker, showDirectoryPicker }, about, name),
    };
  if (hasPrivateFiles) return { kind: 'READY', open: openPrivateFolder };
  return sizeBytes <= MAX_MEMORY_BYTES ? { kind: 'READY', open: async () => memory } : undefined;
}

async function pick(
  { showSaveFilePicker, showDirectoryPicker }: Required<Pickers>,
  { files }: Pick<AboutArchive, 'files'>,
  firstName: string,
): Promise<Destination | null> {
  try {
    if (files !== 1) return intoFolder(await showDirectoryPicker({ mode: 'readwrite' }), false);
    const handle = await showSaveFilePicker({ suggestedName: pathOf(firstName).at(-1) ?? '' });
    return { save: (entry) => writeTo(handle, entry, () => (handle as RemovableHandle).remove?.()) };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null;
    throw error;
  }
}

const memory: Destination = {
  async save({ name, body }) {
    const parts: BlobPart[] = [];
    for await (const part of iterate(body)) parts.push(new Uint8Array(part));
    return { name: pathOf(name).join('/'), file: new Blob(parts) };
  },
};

/** Returns the path at which a file is saved: its folders and its name. */
const pathOf = (name: string): string[] => toLocalPaths([name]).flatMap((path) => path.split('/'));

/** Saves into a folder, and replaces no file. `isPrivate`: what is saved is downloaded from there. */
function intoFolder(root: FileSystemDirectoryHandle, isPrivate: boolean): Destination {
  return {
    async save(entry) {
      const path = pathOf(entry.name);
      const wanted = path.pop() ?? '';
      let folder = root;
      for (const part of path) folder = await folder.getDirectoryHandle(part, { create: true });
      const name = await freeName(folder, wanted);
      const handle = await folder.getFileHandle(name, { create: true });
      const saved = await writeTo(handle, entry, () => folder.removeEntry(name));
      return isPrivate ? { name: [...path, wanted].join('/'), file: await handle.getFile() } : saved;
    },
  };
}

/** Returns a name that no file has yet: `report (1).pdf` where there is a `report.pdf`. */
async function freeName(folder: FileSystemDirectoryHandle, wanted: string): Promise<string> {
  const end = wanted.lastIndexOf('.') > 0 ? wanted.lastIndexOf('.') : wanted.length;
  for (let number = 0; ; number++) {
    const name = number === 0 ? wanted : `${wanted.slice(0, end)} (${number})${wanted.slice(end)}`;
    try {
      await folder.getFileHandle(name);
    } catch (error) {
      if (error instanceof DOMException && error.name === 'NotFoundError') return name;
      if (!(error instanceof DOMException && error.name === 'TypeMismatchError')) throw error;
    }
  }
}

/** Writes a file, which appears when it is complete. */
async function writeTo(
  handle: FileSystemFileHandle,
  { name, body }: ReadEntry,
  remove: () => unknown,
): Promise<Saved> {
  const writable = await handle.createWritable();
  try {
    for await (const part of iterate(body)) await writable.write(new Uint8Array(part));
    await writable.close();
  } catch (error) {
    await writable.abort().catch(() => {});
    await remove();
    throw error;
  }
  return { name, file: null };
}

const PRIVATE_FOLDER = 'decrypted-';

/** Returns whether files can be written into the private file system. A private window may have none. */
export async function findPrivateFiles(): Promise<boolean> {
  if (!('createWritable' in (globalThis.FileSystemFileHandle?.prototype ?? {}))) return false;
  return navigator.storage.getDirectory().then(
    () => true,
    () => false,
  );
}

/** Opens a new folder of the private file system. It stays as long as this page is open, and is removed by the next one. */
async function openPrivateFolder(): Promise<Destination> {
  const root = await navigator.storage.getDirectory();
  const name = PRIVATE_FOLDER + crypto.randomUUID();
  const { promise: isHeld, resolve } = Promise.withResolvers<void>();
  void navigator.locks.request(name, () => {
    resolve();
    return new Promise(() => {}); // until the page is closed
  });
  await isHeld;
  return intoFolder(await root.getDirectoryHandle(name, { create: true }), true);
}

/** Removes the private folders of pages that are closed. */
export async function removePrivateFolders(): Promise<void> {
  const root: FileSystemDirectoryHandle & { keys?: () => AsyncIterable<string> } =
    await navigator.storage.getDirectory();
  const { held = [] } = await navigator.locks.query();
  for await (const name of root.keys?.() ?? []) {
    if (!name.startsWith(PRIVATE_FOLDER) || held.some((lock) => lock.name === name)) continue;
    await root.removeEntry(name, { recursive: true });
  }
}
