import type { ChosenFile } from './chosen-files.ts';

/** Reads dropped files and folders, with all files below them. */
export async function readEntries(entries: FileSystemEntry[]): Promise<ChosenFile[]> {
  const found: ChosenFile[] = [];
  for (const entry of entries) {
    if (isFileEntry(entry)) {
      const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
      found.push({ path: entry.fullPath.replace(/^\//, ''), file });
    } else if (isFolder(entry)) found.push(...(await readEntries(await readFolder(entry))));
  }
  return found;
}

const isFileEntry = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

/** Reads the entries of a folder, of which the browser returns at most 100 at once. */
async function readFolder(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  for (;;) {
    const next = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (next.length === 0) return entries;
    entries.push(...next);
  }
}
