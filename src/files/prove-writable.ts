import { constants } from 'node:fs';
import { mkdir, open, rmdir, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../error-details.ts';

/** Fixed names, so that what a crash leaves is used again. No file id and no directory of files has one. */
const PROBE_FILE = 'postern-can-write';
const PROBE_DIRECTORY = 'postern-can-make';

const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;

/** Writes and removes a small file in a directory. Returns the user id that the file got. */
export async function writeProbe(directory: string): Promise<number> {
  const probe = path.join(directory, PROBE_FILE);
  await unlink(probe).catch(() => undefined); // one that another user of the service left
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
  const handle = await open(probe, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, FILE_MODE);
  try {
    await handle.write('x'); // an empty file fits on a full disk
    return (await handle.stat()).uid;
  } finally {
    await handle.close();
    await unlink(probe).catch(ignoreCode('ENOENT')); // another instance on the same storage may have removed it
  }
}

/**
 * Checks that a storage directory takes what an upload needs: a file in `incoming`, with a byte, and a new directory. It
 * writes, because for root, and on network file systems, permissions allow what a write then refuses.
 */
export async function proveTakesUploads(root: string): Promise<void> {
  if (!(await stat(root)).isDirectory()) throw new Error(`${root} is not a directory`);
  const incoming = path.join(root, 'incoming');
  await mkdir(incoming, DIRECTORY_MODE).catch(ignoreCode('EEXIST'));
  await writeProbe(incoming);
  const made = path.join(root, PROBE_DIRECTORY);
  await mkdir(made, DIRECTORY_MODE).catch(ignoreCode('EEXIST'));
  await rmdir(made).catch(ignoreCode('ENOENT'));
}

/** Returns a handler that throws errors again, except those with this code. */
function ignoreCode(code: string): (error: unknown) => void {
  return (error) => {
    if (codeOf(error) !== code) throw error;
  };
}
