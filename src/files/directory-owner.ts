import type { Stats } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import path from 'node:path';

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
    `${which} writable by all users of this machine, who could replace uploaded files. Take that right away (chmod o-w), or set app.storage.path to a new directory below it, which the service creates for itself alone. In a container that shares the volume with nobody, such as one with an emptyDir, this is harmless.`,
  ];
}

/** The directories of the service directly below the storage directory, and what is in place of one. */
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
    throw new Error(
      `${directory} belongs to user ${facts.uid}, who could read and replace its files; let it belong to the service's user (chown -R ${userId}), or choose another directory`,
    );
  }
}
