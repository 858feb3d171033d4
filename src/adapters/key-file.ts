import { randomBytes } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { access, link, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { codeOf, messageOf } from '../common/error-details.ts';
import type { KeptKey, KeyKeeper } from '../core/ports/evidence.ts';
import { syncDirectory } from './files/storage-directory.ts';

const SECRET_MODE = 0o600;

/** Returns the path of the newest checkpoint beside a key. */
export const newestPath = (keyPath: string): string => `${keyPath}.newest`;

/** @throws where the key, and the newest checkpoint beside it, cannot be written */
export async function assertKeyPlace(path: string): Promise<void> {
  const directory = dirname(resolve(path));
  try {
    await access(directory, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new Error(
      `the directory ${directory} must exist, and the user of the service must be able to write to it: ${messageOf(cause)}`,
      { cause },
    );
  }
}

const formatKey = (kept: KeptKey): string => `${JSON.stringify(kept, null, 2)}\n`;

/** Reads the text of a key file. */
export function parseKey(text: string): KeptKey {
  const { secret, handovers } = JSON.parse(text) as KeptKey; // as it was written
  return { secret: String(secret), handovers: [...handovers] };
}

/** Writes a flushed file beside the target, and gives it its name with `name`, so that it is whole after a kill. */
async function writeWhole(target: string, text: string, name: typeof rename): Promise<void> {
  const temporary = `${target}.${randomBytes(6).toString('hex')}`; // instances may share the directory
  try {
    const file = await open(temporary, 'wx', SECRET_MODE);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await name(temporary, target);
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST') throw cause;
    throw new Error(
      `${target} cannot be written: ${messageOf(cause)}. The user of the service must be able to`,
      { cause },
    );
  } finally {
    await rm(temporary, { force: true });
  }
  await syncDirectory(dirname(target));
}

/** Keeps the key of the log in a file that only the user of the service can read, and the newest checkpoint beside it. */
export function createKeyFile(path: string): KeyKeeper {
  return {
    async read(): Promise<KeptKey | null> {
      if (!existsSync(path)) return null;
      try {
        return parseKey(await readFile(path, 'utf8'));
      } catch (cause) {
        throw new Error(`${path}: the key of the log cannot be read`, { cause });
      }
    },
    async create(kept): Promise<boolean> {
      try {
        await writeWhole(path, formatKey(kept), link);
        return true;
      } catch (error) {
        if (codeOf(error) === 'EEXIST') return false;
        throw error;
      }
    },
    write: (kept) => writeWhole(path, formatKey(kept), rename),
    readNewest: async () => (existsSync(newestPath(path)) ? readFile(newestPath(path), 'utf8') : null),
    writeNewest: (note) => writeWhole(newestPath(path), note, rename),
    removeNewest: () => rm(newestPath(path), { force: true }),
  };
}
