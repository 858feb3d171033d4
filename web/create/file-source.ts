import { toZipName } from '../../src/core/rules/set-names.ts';
import { type ChosenFile, toRemembered } from '../files/chosen-files.ts';
import type { RememberedFile } from '../service/unfinished-uploads.ts';
import type { FileSource } from './draft.ts';

/** Returns the name of the file of a link: that of the only file, or of the ZIP of several. */
export function toFileName({ files, name }: FileSource): string {
  const [first, ...others] = files;
  if (first && others.length === 0) return first.file.name;
  return name.trim() || toZipName(files.map(({ path }) => path));
}

/** The media types that a browser gives to files which the service can show. The service looks at their content. */
const VIEWABLE_TYPE =
  /^(?:image\/(?:png|jpeg|gif|webp|avif)|application\/pdf|audio\/(?:mpeg|mp4|ogg|(?:x-)?(?:m4a|wav|flac))|video\/(?:mp4|webm|ogg))$/;

/** Returns true for one file that visitors may be allowed to view in their browsers. */
export function isViewable({ files }: FileSource): boolean {
  return files.length === 1 && VIEWABLE_TYPE.test(files[0]?.file.type ?? '');
}

/** Returns true if the chosen files are those of an upload, which can go on with them. */
export function areFilesOf(files: readonly ChosenFile[], remembered: readonly RememberedFile[]): boolean {
  return JSON.stringify(files.map(toRemembered)) === JSON.stringify(remembered);
}
