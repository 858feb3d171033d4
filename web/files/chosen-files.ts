import type { RememberedFile } from '../service/unfinished-uploads.ts';

/** A file that the user chose. The path of one in a folder begins with the name of the folder. */
export type ChosenFile = { path: string; file: File };

export function toChosenFiles(files: Iterable<File>): ChosenFile[] {
  return Array.from(files, (file) => ({ path: file.webkitRelativePath || file.name, file }));
}

/** Adds files to those that are chosen, each once. Ordered by path, so that the same choice is the same upload. */
export function addFiles(chosen: readonly ChosenFile[], more: readonly ChosenFile[]): ChosenFile[] {
  const byKey = new Map([...chosen, ...more].map((each) => [JSON.stringify(toRemembered(each)), each]));
  return [...byKey.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

export function totalBytesOf(files: readonly ChosenFile[]): number {
  return files.reduce((sum, { file }) => sum + file.size, 0);
}

export function toRemembered({ path, file }: ChosenFile): RememberedFile {
  return { fileName: path, sizeBytes: file.size, modifiedAt: file.lastModified };
}
