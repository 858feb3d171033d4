import type { RememberedFile } from '../service/unfinished-uploads.ts';
import { type ChosenFile, toRemembered } from './chosen-files.ts';
import type { FileSource } from './draft.ts';

/** Returns the name of the file of a link: that of the only file, or of the ZIP of several. */
export function toFileName({ files, name }: FileSource): string {
  const [first, ...others] = files;
  if (first && others.length === 0) return first.file.name;
  return name.trim() || `${commonFolder(files) ?? 'files'}.zip`;
}

/** Returns the folder that has all files, or undefined. */
function commonFolder(files: readonly ChosenFile[]): string | undefined {
  const [first = '', ...others] = new Set(files.map(({ path }) => path.split('/').slice(0, -1)[0] ?? ''));
  return others.length === 0 && first !== '' ? first : undefined;
}

const PICTURE_TYPE = /^image\/(png|jpeg|gif|webp|avif)$/;

/** Returns true for one picture, which visitors may be allowed to look at. */
export function isPicture({ files }: FileSource): boolean {
  return files.length === 1 && PICTURE_TYPE.test(files[0]?.file.type ?? '');
}

/** Returns true if the chosen files are those of an upload, which can go on with them. */
export function areFilesOf(files: readonly ChosenFile[], remembered: readonly RememberedFile[]): boolean {
  return JSON.stringify(files.map(toRemembered)) === JSON.stringify(remembered);
}
