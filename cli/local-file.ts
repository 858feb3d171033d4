import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { codeOf, messageOf } from '../src/error-details.ts';
import type { ComparedFile } from '../src/exported/compare-file.ts';
import { digestOf } from '../src/links/stored-file.ts';
import { usageFailure } from './failure.ts';

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
