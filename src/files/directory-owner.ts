import type { Stats } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import path from 'node:path';

const WRITABLE_BY_ALL = 0o002;
const STICKY = 0o1000;
const ROOT = 0;

/** The directories directly below the storage directory in which the service writes. */
const OWN_NAMES = /^(?:incoming|[0-9a-f]{2})$/;

/**
 * Throws when another user could read, replace or redirect uploaded files: by owning the storage directory or
 * one below it, by a symbolic link in place of one, or because all users may write there. A directory of root
 * is accepted, because root can do all of that anyway: volumes of Kubernetes with an `fsGroup` belong to root
 * and are writable by that group.
 *
 * @param userId the owner of what the service creates there, which a network file system may have mapped
 */
export async function assertOnlyServiceWrites(root: string, userId: number): Promise<void> {
  if (process.platform === 'win32') return; // its files have no such owner and mode
  assertTrusted(root, await stat(root), userId);
  for (const name of await readdir(root)) {
    if (!OWN_NAMES.test(name)) continue;
    const directory = path.join(root, name);
    assertTrusted(directory, await lstat(directory), userId);
  }
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
  if (facts.mode & WRITABLE_BY_ALL && !(facts.mode & STICKY)) {
    throw new Error(
      `${directory} is writable by all users, who could replace its files; take that right away (chmod o-w), or choose a new directory below it`,
    );
  }
}
