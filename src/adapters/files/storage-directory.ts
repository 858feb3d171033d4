import { constants, type Stats } from 'node:fs';
import { lstat, mkdir, open, readdir, rmdir, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { codeOf, messageOf } from '../../common/error-details.ts';
import { StorageFullError } from '../../core/model/unavailable.ts';

/** Fixed names, so that what a crash leaves is used again. No file id and no directory of files has one. */
const PROBE_FILE = 'postern-can-write';
const PROBE_DIRECTORY = 'postern-can-make';

export const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;

/** Writes and removes a small file in a directory. Returns the user id that the file got. */
async function writeProbe(directory: string): Promise<number> {
  const probe = path.join(directory, PROBE_FILE);
  await unlink(probe).catch(() => undefined); // one that another user of the service left
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
  const handle = await open(probe, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, FILE_MODE);
  try {
    await handle.write('x'); // an empty file fits on a full disk
    return (await handle.stat()).uid;
  } finally {
    await handle.close();
    await undefinedOn(['ENOENT'], unlink(probe)); // another instance on the same storage may have removed it
  }
}

/**
 * Checks that a storage directory takes what an upload needs: a file in `incoming`, with a byte, and a new directory. It
 * writes, because for root, and on network file systems, permissions allow what a write then refuses.
 */
export async function proveTakesUploads(root: string): Promise<void> {
  if (!(await stat(root)).isDirectory()) throw new Error(`${root} is not a directory`);
  const incoming = path.join(root, 'incoming');
  await makeDirectory(incoming);
  await writeProbe(incoming);
  const made = path.join(root, PROBE_DIRECTORY);
  await makeDirectory(made);
  await undefinedOn(['ENOENT'], rmdir(made));
}

/**
 * Makes the storage directory and what is missing above it, durably. One that exists stays unchanged.
 *
 * @throws when the directory cannot be made, no file can be written to it, or another user could change its
 * files
 */
export async function prepareStorageDirectory(directory: string): Promise<void> {
  const root = path.resolve(directory);
  await assertOnlyServiceWrites(root, await proveWritable(root));
}

/**
 * Makes the directory and writes to it. Returns the user id of what the service writes there. A full disk proves nothing,
 * and is no reason to refuse downloads and redirects: health reports it.
 */
async function proveWritable(root: string): Promise<number> {
  try {
    await makeStorageRoot(root);
    return await translateFull(writeProbe(root));
  } catch (cause) {
    if (cause instanceof StorageFullError) return process.geteuid?.() ?? ROOT;
    throw new Error(
      `the directory cannot be created or written (${messageOf(cause)}); choose another one, or let the service's user write to it`,
      { cause },
    );
  }
}

/** Makes a directory and what is missing above it, durably. */
export async function makeStorageRoot(root: string): Promise<void> {
  const topmostMade = await mkdir(root, { recursive: true, mode: DIRECTORY_MODE });
  if (topmostMade === undefined) return;
  for (let made = root; made.length >= topmostMade.length; made = path.dirname(made)) {
    await syncDirectory(path.dirname(made));
  }
}

const WRITABLE_BY_ALL = 0o002;
const STICKY = 0o1000;
const ROOT = 0;

/** The directories directly below the storage directory in which the service writes. */
const OWN_NAMES = /^(?:incoming|[0-9a-f]{2})$/;

/**
 * Throws when another user could read, replace or redirect uploaded files: by owning the storage directory or one
 * below it, or by a symbolic link in place of one. A directory of root is accepted, because root can do all of that
 * anyway: volumes of Kubernetes with an `fsGroup` belong to root and are writable by that group.
 *
 * @param userId the owner of what the service creates there, which a network file system may have mapped
 */
export async function assertOnlyServiceWrites(root: string, userId: number): Promise<void> {
  if (process.platform === 'win32') return; // its files have no such owner and mode
  assertTrusted(root, await stat(root), userId);
  for await (const [directory, facts] of ownDirectories(root)) assertTrusted(directory, facts, userId);
}

/**
 * Returns a warning if all users may write to the storage directory or one below it. This is not refused, because
 * the volumes of some platforms are made so, and no other user may share the machine.
 */
export async function findWritableByAll(directory: string): Promise<string[]> {
  if (process.platform === 'win32') return [];
  const root = path.resolve(directory);
  const writable = isWritableByAll(await stat(root)) ? [root] : [];
  for await (const [own, facts] of ownDirectories(root)) if (isWritableByAll(facts)) writable.push(own);
  const [first, ...more] = writable;
  if (first === undefined) return [];
  const which =
    more.length === 0 ? `${first} is` : `${first} and ${more.length} more below the storage directory are`;
  return [
    `${which} writable by all users of this machine, who could replace uploaded files. Take that right away (chmod o-w), or set app.storage.path to a new directory below it, which the service creates for itself alone. In a container that has the volume for itself, such as one with an emptyDir, this is harmless.`,
  ];
}

/** Yields the directories of the service directly below the storage directory, and what is in place of one. */
async function* ownDirectories(root: string): AsyncGenerator<[directory: string, facts: Stats]> {
  for (const name of await readdir(root)) {
    const directory = path.join(root, name);
    if (OWN_NAMES.test(name)) yield [directory, await lstat(directory)];
  }
}

function isWritableByAll({ mode }: Stats): boolean {
  return (mode & WRITABLE_BY_ALL) !== 0 && (mode & STICKY) === 0;
}

function assertTrusted(directory: string, facts: Stats, userId: number): void {
  if (!facts.isDirectory()) {
    const kind = facts.isSymbolicLink() ? 'a symbolic link' : 'not a directory';
    throw new Error(`${directory} is ${kind}, and would lead files elsewhere; remove it`);
  }
  if (facts.uid !== userId && facts.uid !== ROOT) {
    const remedy =
      userId === ROOT
        ? 'run this as that user instead of root'
        : `let it belong to the service's user (chown -R ${userId})`;
    throw new Error(
      `${directory} belongs to user ${facts.uid}, who could read and replace its files; ${remedy}, or choose another directory`,
    );
  }
}

/** The errors of a file system without space or inodes, and of a quota that is used up. */
const FULL: unknown[] = ['ENOSPC', 'EDQUOT'];

export const isFull = (error: unknown): boolean => FULL.includes(codeOf(error));

/** Settles like the promise, with the error of a full storage in place of that of the system. */
export async function translateFull<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (cause) {
    throw isFull(cause) ? new StorageFullError(messageOf(cause), { cause }) : cause;
  }
}

export async function makeDirectory(directory: string): Promise<void> {
  await undefinedOn(['EEXIST'], mkdir(directory, DIRECTORY_MODE));
}

/** Makes the names in a directory durable. Windows has no such call: NTFS journals names itself. */
export async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using handle = await open(directory, 'r');
  // Some network file systems cannot flush a directory. PostgreSQL's fsync_fname ignores EINVAL, too.
  await undefinedOn(['EINVAL'], handle.sync());
}

/** Resolves like the promise, or to undefined when it rejects with one of these system errors. */
export async function undefinedOn<T>(codes: readonly string[], promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (codes.includes(String(codeOf(error)))) return undefined;
    throw error;
  }
}
