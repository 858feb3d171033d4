import { createReadStream, type Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import type { ArchivedFile } from '../client/encryption/tar.ts';
import { codeOf, messageOf } from '../src/common/error-details.ts';
import { digestOf } from '../src/core/model/stored-file.ts';
import type { ComparedFile } from '../src/core/use-cases/history/exported/compare-file.ts';
import { usageFailure } from './failure.ts';
import type { Output } from './output.ts';
import { STANDARD_INPUT } from './send-file.ts';

/** Returns the size of a file. Refuses what is no file. */
export async function measureFile(path: string): Promise<number> {
  const found = await stat(path).catch((error: unknown) => {
    const cause = codeOf(error) === 'ENOENT' ? `there is no file ${resolve(path)}` : messageOf(error);
    throw usageFailure(cause);
  });
  if (!found.isFile())
    throw usageFailure(`${resolve(path)} is not a file`, 'Pack a directory into an archive first.');
  return found.size;
}

/** Reads a file, to compare it with that of a link. */
export async function readComparedFile(path: string): Promise<ComparedFile> {
  await measureFile(path);
  return { path, sha256: (await digestOf(createReadStream(path))).sha256 };
}

/** A file of the machine. `name`: with `/` between its folders. */
export type LocalFile = ArchivedFile & { path: string };

const READ_BYTES = 1024 * 1024;

/** Finds the files of arguments: files, and folders with all that is in them, whose names are part of theirs. */
export async function findFiles(paths: readonly string[], output: Output): Promise<LocalFile[]> {
  return (await Promise.all(paths.map((path) => findFilesOf(path, output)))).flat();
}

/** Finds the files of an argument: itself, or those of a folder, whose name is part of theirs. */
async function findFilesOf(path: string, output: Output): Promise<LocalFile[]> {
  if (path === STANDARD_INPUT)
    throw usageFailure(
      'standard input has no size, which is sent first',
      'Save it to a file, and send that.',
    );
  const folder = await stat(path).catch(() => undefined);
  if (!folder?.isDirectory()) return [await toArchived(path, basename(path))];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const pathOf = (entry: Dirent): string => join(entry.parentPath, entry.name);
  for (const entry of entries.filter((each) => !each.isFile() && !each.isDirectory()))
    output.note(`${pathOf(entry)} is left out: it is neither a file nor a folder.`);
  const base = basename(resolve(path));
  const found = entries.filter((entry) => entry.isFile()).map(pathOf);
  if (found.length === 0) throw usageFailure(`${path} has no files`);
  return Promise.all(
    found.sort().map((each) => toArchived(each, [base, ...relative(path, each).split(sep)].join('/'))),
  );
}

async function toArchived(path: string, name: string): Promise<LocalFile> {
  const sizeBytes = await measureFile(path);
  const { mtimeMs: modifiedAt } = await stat(path);
  const read = () => createReadStream(path, { highWaterMark: READ_BYTES });
  return { path, name, sizeBytes, modifiedAt, read };
}
